import { readFile } from 'node:fs/promises';
import { expect, type Page, test } from '@playwright/test';
import {
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '../../src/modules/sync-sources/testing/feed-server';
import {
  type CreatedTeamOwner,
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnPhone,
  getDateDaysFromNow,
  makeProperty,
  makeReservation,
  setLiveOrTestMode,
  setUpSignedInOwner,
  signIn,
} from './support';

let owner: CreatedTeamOwner;
let property: string;
let sent: string;

const PAGE = 25;
const TOTAL = PAGE + 4;

setUpSignedInOwner(async (page, made) => {
  owner = made;
  property = await makeProperty(page, 'test', 'Harbour Loft');
  const packet = await callTrpcMutation<{ id: string }>(page, 'test', 'packets.create', {
    id: property,
    name: 'With a door code',
  });
  await callTrpcMutation(page, 'test', 'packets.update', {
    id: packet.id,
    rules: [{ text: 'No smoking.' }],
    arrival_details: { wifi: { network: 'loft', password: 'sardine' }, door_code: '4711#' },
    arrival_release: { wifi: 'after_signing', door_code: 'after_signing' },
  });
  await callTrpcMutation(page, 'test', 'packets.set_default', { id: packet.id });
  for (let number = 1; number <= TOTAL - 2; number += 1) {
    await makeReservation(page, 'test', property, {
      guest_name: `Guest ${number}`,
      checkin: 20 + number,
      source: 'channel_a',
    });
  }
  sent = await makeReservation(page, 'test', property, { guest_name: 'Ada Lovelace', checkin: 5 });
  await callTrpcMutation(page, 'test', 'reservations.send', { id: sent });
  await makeReservation(page, 'test', property, { guest_name: 'Grace Hopper', checkin: 6 });
});

const table = (page: Page) => page.getByRole('table', { name: 'Reservations', exact: true });
const timeline = (page: Page) => page.getByRole('list', { name: 'Timeline' });
const dialog = (page: Page) => page.getByRole('dialog');

/** Opens the menu of a reservation's page and chooses an action. */
async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

async function openNew(page: Page, guest_name: string): Promise<void> {
  await page.goto(`/reservations/${await makeReservation(page, 'test', property, { guest_name })}`);
  await expect(page.getByRole('heading', { name: guest_name })).toBeVisible();
}

test.describe('the list', () => {
  test('is sorted newest first, shows the property’s name, and pages both ways', async ({ page }) => {
    await page.goto('/reservations');
    const rows = table(page).getByRole('row');
    await expect(rows).toHaveCount(PAGE + 1);
    await expect(rows.nth(1)).toContainText('Harbour Loft');
    await expect(page.getByRole('button', { name: 'Newer' })).toBeDisabled();
    await page.getByRole('button', { name: 'Older' }).click();
    await expect(page).toHaveURL(/after=res_/);
    await expect(page.getByRole('button', { name: 'Older' })).toBeDisabled();
    await page.getByRole('button', { name: 'Newer' }).click();
    await expect(rows).toHaveCount(PAGE + 1);
    await expectAccessible(page);
  });

  test('is searched by name and address, with the search in the URL', async ({ page }) => {
    await page.goto('/reservations');
    const search = page.getByRole('searchbox', { name: 'Search reservations' });
    await search.fill('lovel');
    await expect(table(page).getByRole('row')).toHaveCount(2);
    await expect(page).toHaveURL(/q=lovel/);
    await page.reload();
    await expect(search).toHaveValue('lovel');
    await expect(table(page)).toContainText('Ada Lovelace');
    await search.fill('grace.hopper@example.com');
    await expect(table(page)).toContainText('Grace Hopper');
    await search.fill('nobody at all');
    await expect(page.getByText('Nothing found for')).toBeVisible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect(search).toHaveValue('');
    await expect(table(page).getByRole('row')).toHaveCount(PAGE + 1);
  });

  test('is sorted by its headers, which show the order', async ({ page }) => {
    await page.goto('/reservations');
    const stay = page.getByRole('columnheader', { name: 'Stay' });
    await stay.getByRole('button').click();
    await expect(page).toHaveURL(/sort=checkin/);
    await expect(stay).toHaveAttribute('aria-sort', 'ascending');
    await expect(table(page).getByRole('row').nth(1)).toContainText('Ada Lovelace');
    await stay.getByRole('button').press('Enter');
    await expect(stay).toHaveAttribute('aria-sort', 'descending');
    await expect(table(page).getByRole('row').nth(1)).toContainText(`Guest ${TOTAL - 2}`);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect(page).toHaveURL(/after=res_/);
    await expect(table(page)).toContainText('Ada Lovelace');
  });

  test('keeps its filters in the URL over a reload, and clears them', async ({ page }) => {
    await page.goto('/reservations?q=a');
    const status = page.getByRole('button', { name: /^Status: / });
    await status.click();
    await page.getByRole('menuitemcheckbox', { name: 'Not signed', exact: true }).click();
    await expect(page).toHaveURL(/status=not_signed/);
    await page.getByRole('menuitemcheckbox', { name: 'Not signed', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Sent' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Email opened' }).click();
    await expect(page).toHaveURL(/status=sent%2Copened/);
    await page.keyboard.press('Escape');
    await expect(status).toHaveAccessibleName('Status: Sent, Email opened');
    await page.getByLabel('Check-in from').fill(getDateDaysFromNow(4));
    await page.getByLabel('Check-in to').fill(getDateDaysFromNow(5));
    await page.reload();
    await expect(table(page).getByRole('row')).toHaveCount(2);
    await expect(table(page)).toContainText('Ada Lovelace');
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(page).toHaveURL(/\?q=a$/);
  });

  test('shows the request id when the server fails, and can be retried', async ({ page }) => {
    let broken = true;
    await page.route('**/api/trpc/**', (route) => {
      if (!broken || !route.request().url().includes('reservations.list')) return route.continue();
      const error = { code: 'not_found', message: 'It broke.', param: null, request_id: 'req_01test' };
      const body = { error: { message: 'It broke.', code: -32004, data: { httpStatus: 404, error } } };
      const count = new URL(route.request().url()).pathname.split(',').length;
      return route.fulfill({ status: 404, json: Array.from({ length: count }, () => body) });
    });
    await page.goto('/reservations');
    await expect(page.getByRole('alert').filter({ hasText: 'could not be loaded' })).toContainText('req_01test');
    await expectAccessible(page);
    broken = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(table(page)).toBeVisible();
  });
});

test('a reservation is created by keyboard, with errors shown at their fields', { tag: '@smoke' }, async ({ page }) => {
  await page.goto('/reservations');
  await expect(table(page)).toBeVisible();
  await page.keyboard.press('n');
  await expect(dialog(page).getByRole('heading', { name: 'New reservation' })).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(dialog(page).getByText('Enter the guest’s name.')).toBeVisible();
  await dialog(page).getByLabel('Guest’s name').fill('Katherine Johnson');
  await page.keyboard.press('Escape');
  await expect(dialog(page).getByText('Your changes have not been saved.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Keep editing' }).click();
  await dialog(page).getByLabel('Guest’s email').fill('kj@example.com');
  await dialog(page).getByLabel('Check-in').fill(getDateDaysFromNow(9));
  await dialog(page).getByLabel('Check-out').fill(getDateDaysFromNow(9));
  await dialog(page).getByLabel('Guest’s email').press('Enter');
  await expect(dialog(page).getByText('The check-out must be after the check-in.')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByLabel('Check-out').fill(getDateDaysFromNow(12));
  await dialog(page).getByLabel('Send the house rules now').check();
  await dialog(page).getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/reservations\/res_/);
  await expect(page.getByRole('heading', { name: 'Katherine Johnson' })).toBeVisible();
  await expect(timeline(page)).toContainText('House rules sent to the guest');
});

test('a draft is edited, and the edit can be undone', async ({ page }) => {
  await openNew(page, 'Dorothy Vaughan');
  await choose(page, 'Edit');
  await dialog(page).getByLabel('Guest’s name').fill('Dorothy J. Vaughan');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: 'Dorothy J. Vaughan' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Dorothy Vaughan' })).toBeVisible();
});

test('a draft is sent, shows its mail and links with a QR code, is resent, cancelled and restored', {
  tag: '@smoke',
}, async ({ page }) => {
  await openNew(page, 'Mary Jackson');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Sent in test mode.')).toBeVisible();
  await expect(timeline(page)).toContainText('House rules sent to the guest');
  await expectAccessible(page);
  const mails = page.getByRole('list', { name: 'Emails' });
  await mails.getByRole('button', { name: 'House rules' }).click();
  const mail = page.frameLocator('iframe[title="The email as its recipient sees it"]');
  await expect(mail.getByText('Harbour Loft').first()).toBeVisible();
  await page.keyboard.press('Escape');

  const link = page.getByTitle('signing link', { exact: true });
  await page.getByRole('button', { name: 'Links' }).click();
  await expect(link).toContainText('/sign/');
  const before = await link.textContent();
  await page.getByRole('button', { name: 'Show as a QR code' }).click();
  await expect(page.getByRole('img', { name: 'QR code of the signing link' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Resend' }).click();
  await dialog(page).getByRole('button', { name: 'Resend' }).click();
  await expect(timeline(page).getByText('House rules sent to the guest')).toHaveCount(2);
  await expect(mails.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Links' }).click();
  await expect(link).not.toHaveText(before ?? '');
  await page.keyboard.press('Escape');

  await choose(page, 'Cancel reservation');
  await dialog(page).getByRole('button', { name: 'Cancel reservation' }).click();
  await expect(timeline(page)).toContainText('Cancelled');
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(timeline(page)).toContainText('Restored');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
});

test('a guest’s mistyped address is corrected after the send in two clicks', { tag: '@smoke' }, async ({ page }) => {
  const id = await makeReservation(page, 'test', property, { guest_name: 'Alan Turing', checkin: 8 });
  await callTrpcMutation(page, 'test', 'reservations.send', { id });
  await page.goto(`/reservations/${id}`);
  let clicks = 0;
  const click = async (name: string) => {
    clicks += 1;
    await page.getByRole('button', { name, exact: true }).click();
  };
  // Uses the button next to the address, because the menu “More actions” would need a second click.
  await click('Change guest details');
  const corrected = dialog(page);
  await expect(corrected.getByRole('button', { name: 'Save and send again' })).toBeDisabled();
  await corrected.getByLabel('Guest’s email').fill('alan@');
  await corrected.getByLabel('Last four digits of the phone number').fill('12');
  await corrected.getByLabel('Guest’s name').press('Enter');
  await expect(corrected.getByText('Enter a valid email address.')).toBeVisible();
  await expect(corrected.getByText('Enter the last four digits.')).toBeVisible();
  await corrected.getByLabel('Guest’s email').fill('alan@bletchley.example');
  await corrected.getByLabel('Last four digits of the phone number').fill('1234');
  await expectAccessible(page);
  await click('Save and send again');
  expect(clicks).toBe(2);
  await expect(corrected).toBeHidden();
  await expect(timeline(page)).toContainText('Changed: email, phone');
  await expect(timeline(page)).toContainText('→ alan@bletchley.example');
  await expect(timeline(page)).toContainText(/, by \w/);
});

test('without a mail service a live send says that nobody is emailed, and offers the link to share', async ({
  page,
  baseURL,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseURL });
  await page.context().clearCookies();
  await signIn(page, await createTeamWithOwner());
  const house = await makeProperty(page, 'live', 'Harbour Loft');
  await page.goto(`/reservations/${await makeReservation(page, 'live', house, { guest_name: 'Katherine Johnson' })}`);
  await expect(page.getByRole('complementary', { name: 'Email is not set up' })).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(dialog(page)).toContainText('nobody will be emailed');
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Nothing was emailed, because email is not set up.')).toBeVisible();
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/sign/');
  await expect(page.getByText('Not emailed: share the link')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show link' }).click();
  await expect(page.getByTitle('signing link', { exact: true })).toContainText('/sign/');
  await page.goto('/reservations');
  await expect(table(page).getByText('Not emailed: share the link')).toBeVisible();
});

test('some arrival details are released early, with a reason that is recorded', async ({ page }) => {
  await openNew(page, 'Rosalind Franklin');
  const panel = page.getByRole('list', { name: 'Who can see what' });
  await expect(panel.getByText('hidden')).toHaveCount(2);
  await page.getByRole('button', { name: 'Release early' }).click();
  await dialog(page).getByRole('button', { name: 'Release', exact: true }).click();
  await expect(dialog(page).getByText('Enter a reason.')).toBeVisible();
  await dialog(page).getByLabel('Wi-Fi').uncheck();
  await dialog(page).getByLabel('Reason').fill('She arrives at night.');
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Release', exact: true }).click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(timeline(page)).toContainText('Arrival details released early');
  await expect(timeline(page)).toContainText('“She arrives at night.”');
  await expect(timeline(page)).toContainText(`by ${owner.email.split('@')[0]}`);
  await expect(panel.getByRole('listitem').filter({ hasText: 'Door code' })).toContainText('visible');
  await expect(panel.getByRole('listitem').filter({ hasText: 'Wi-Fi' })).toContainText('hidden');
  await choose(page, 'Release arrival details early');
  await expect(dialog(page).getByRole('checkbox')).toHaveCount(1);
  await dialog(page).getByLabel('Reason').fill('And she needs the network.');
  await dialog(page).getByRole('button', { name: 'Release', exact: true }).click();
  await expect(panel.getByText('hidden')).toHaveCount(0);
});

test('a reservation is marked as signed, and then shows why its other actions are unavailable', async ({ page }) => {
  await openNew(page, 'Hedy Lamarr');
  await choose(page, 'Mark as signed');
  await dialog(page).getByRole('button', { name: 'Mark as signed' }).click();
  await expect(page.getByText('Marked as signed by the host')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  const cancel = page.getByRole('menuitem', { name: 'Cancel reservation' });
  await expect(cancel).toHaveAttribute('aria-disabled', 'true');
  await expect(cancel).toContainText('signed');
  await cancel.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
});

test('a draft is archived and restored, and then deleted', async ({ page }) => {
  await openNew(page, 'Emmy Noether');
  await page.getByRole('button', { name: 'Links' }).focus();
  await expect(page.getByRole('tooltip')).toContainText('The link is created when you send the house rules');
  await choose(page, 'Archive');
  await expect(timeline(page)).toContainText('Archived by a host');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(timeline(page)).toContainText('Restored');
  await choose(page, 'Delete draft');
  await dialog(page).getByRole('button', { name: 'Delete draft' }).click();
  await expect(page).toHaveURL('/reservations');
  await expect(table(page)).toBeVisible();
  await expect(table(page)).not.toContainText('Emmy Noether');
});

test('a booking without an address gets a link to share, on which the guest enters an address', async ({
  page,
  browser,
}) => {
  const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'reservations.create', {
    property_id: property,
    guest_name: 'Nobody Knows',
    guest_email: null,
    checkin_date: getDateDaysFromNow(8),
    checkout_date: getDateDaysFromNow(9),
    source: 'channel_b',
    external_id: 'HB-77',
  });
  await page.goto('/reservations?attention=address_missing');
  await expect(table(page).getByRole('row')).toHaveCount(2);
  await expect(table(page)).toContainText('No email address');
  await page.goto(`/reservations/${id}`);
  await expect(page.getByText('The guest’s email address is missing')).toBeVisible();
  await page.getByRole('button', { name: 'Share a link' }).first().click();
  const link = page.getByTitle('share link', { exact: true });
  await expect(link).toContainText('/sign/');
  const guest = await browser.newPage();
  await guest.goto((await link.textContent()) ?? '');
  await expect(guest.getByLabel(/e-?mail/i)).toBeVisible();
  await guest.close();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add email address' }).click();
  await dialog(page).getByLabel('Guest’s email').fill('known@example.com');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('The guest’s email address is missing')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Send', exact: true })).not.toHaveAttribute('aria-disabled', 'true');
});

test('dates that a calendar moves after the send are flagged until the packet is resent', async ({ page }) => {
  const feed = await startFeedServer();
  const booking = {
    uid: 'moved@a',
    description: renderBookingDescription('HMMOVED1'),
    from: getDateDaysFromNow(15),
    to: getDateDaysFromNow(18),
  };
  feed.serve(renderTestCalendarFeed([booking]));
  const source = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', {
    property_id: property,
    kind: 'channel_a_ical',
    feed_url: feed.url,
  });
  /**
   * Retries the check until the calendar has been polled. The server refuses a poll while the
   * schedule is polling.
   */
  const synced = (check: () => Promise<void>) =>
    expect(async () => {
      await page.request.post('/api/trpc/sync_sources.run', {
        headers: { 'x-threshold-mode': 'test' },
        data: { id: source.id },
      });
      await check();
    }).toPass();
  await synced(async () => {
    await page.goto('/reservations?q=HMMOVED1');
    await expect(table(page).getByRole('row')).toHaveCount(2, { timeout: 2_000 });
  });
  await table(page)
    .getByRole('link', { name: /HMMOVED1/ })
    .click();
  await page.getByRole('button', { name: 'Add email address' }).click();
  await dialog(page).getByLabel('Guest’s email').fill('moved@example.com');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(timeline(page)).toContainText('House rules sent to the guest');

  feed.serve(renderTestCalendarFeed([{ ...booking, from: getDateDaysFromNow(16), to: getDateDaysFromNow(19) }]));
  await synced(async () => {
    await page.goto('/reservations?attention=dates_changed');
    await expect(table(page)).toContainText('Dates changed', { timeout: 2_000 });
  });
  await feed.close();
  await table(page)
    .getByRole('link', { name: /HMMOVED1/ })
    .click();
  const notice = page.getByText('The dates changed after the house rules were sent');
  await expect(notice).toBeVisible();
  const moved = timeline(page).getByRole('listitem').filter({ hasText: 'Changed: check-in, check-out' });
  await expect(moved).toContainText('by the calendar');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send again' }).click();
  await dialog(page).getByRole('button', { name: 'Resend' }).click();
  await expect(notice).toHaveCount(0);
});

test('a file is imported completely or not at all, and importing it again creates nothing', async ({ page }) => {
  await page.goto('/reservations');
  await page.getByRole('link', { name: 'Import' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Template' }).click();
  const template = await readFile(await (await download).path(), 'utf8');
  expect(template.split('\n')[0]).toBe(
    'property,guest_name,guest_email,locale,checkin_date,checkout_date,source,booking_code',
  );
  const line = (name: string, email: string) =>
    `Harbour Loft;${name};${email};${getDateDaysFromNow(40)};${getDateDaysFromNow(44)};Channel A`;
  const head = 'Listing;Guest;E-Mail;Arrival;Departure;Channel';
  await page.getByLabel('CSV file').setInputFiles({
    name: 'bookings.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([head, line('Lise Meitner', 'lise@example.com'), line('Chien-Shiung Wu', 'wu@')].join('\r\n')),
  });
  const lines = page.getByRole('table', { name: 'Lines in the file' });
  await expect(lines).toContainText('“wu@” is not an email address.');
  await expect(page.getByRole('button', { name: 'Create 1 reservation' })).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page);
  await page
    .getByLabel('Lines', { exact: true })
    .fill([head, line('Lise Meitner', 'lise@example.com'), line('Chien-Shiung Wu', 'wu@example.com')].join('\n'));
  await page.getByRole('button', { name: 'Check' }).click();
  await page.getByRole('button', { name: 'Create 2 reservations' }).click();
  await expect(page).toHaveURL('/reservations');
  await expect(page.getByText('2 reservations created as drafts.')).toBeVisible();
  await expect(table(page)).toContainText('Lise Meitner');
  await page.goto('/reservations/import');
  await page.getByLabel('Lines', { exact: true }).fill([head, line('Lise Meitner', 'lise@example.com')].join('\n'));
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(lines).toContainText('This booking already exists.');
});

test('neither mode shows the other’s data, and test mode is marked on every page', async ({ page }) => {
  await page.goto(`/reservations/${sent}`);
  await expect(page.getByRole('complementary', { name: 'Test mode' })).toBeVisible();
  await page.getByRole('radio', { name: 'Live' }).click();
  await expect(page).toHaveURL('/reservations');
  await expect(page.getByText('No reservations yet')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'Test mode' })).toHaveCount(0);
  await page.goto(`/reservations/${sent}`);
  await expect(page.getByText('This reservation does not exist')).toBeVisible();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test('home, reservations and pages without a spec of their own fit and are accessible, and the menu opens', async ({
    page,
  }) => {
    await expectAccessibleOnPhone(page, [
      '/',
      '/reservations',
      '/reservations?new=1',
      '/reservations/import',
      `/reservations/${sent}`,
      '/settings',
    ]);
    await page.goto('/reservations');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await dialog(page).getByRole('link', { name: 'Settings' }).click();
    await expect(page).toHaveURL('/settings');
    await expect(dialog(page)).toHaveCount(0);
  });

  test('the filters collapse, and rows become cards', async ({ page }) => {
    await page.goto('/reservations?q=ada');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('button', { name: 'Status: Any status' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Sent' }).click();
    await page.keyboard.press('Escape');
    const cards = page.getByRole('list', { name: 'Reservations' });
    await expect(cards.getByRole('listitem')).toHaveCount(1);
    await cards.getByRole('link', { name: /Ada Lovelace/ }).click();
    await expect(page).toHaveURL(`/reservations/${sent}`);
  });
});

test('compact tables show twenty rows at 900 pixels, one line each, and stay compact', async ({ page, baseURL }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const property_id = await makeProperty(page, 'test', 'Harbour Loft');
  const lines = Array.from(
    { length: 25 },
    (_, nth) => `Guest ${nth},g${nth}@example.com,${getDateDaysFromNow(nth)},${getDateDaysFromNow(nth + 2)}`,
  );
  const text = ['guest_name,guest_email,checkin_date,checkout_date', ...lines].join('\n');
  await callTrpcMutation(page, 'test', 'reservations.import', { text, property_id, day_first: true });
  await page.goto('/reservations');
  const table = page.getByRole('table', { name: 'Reservations' });
  await expect(table.getByRole('row')).toHaveCount(26);
  await page.getByRole('button', { name: 'Compact rows' }).click();
  const inSight = () =>
    table.getByRole('row').evaluateAll((rows) => {
      const boxes = rows.slice(1).map((row) => row.getBoundingClientRect());
      return {
        whole: boxes.filter(({ bottom }) => bottom <= 900).length,
        highest: Math.max(...boxes.map(({ height }) => height)),
      };
    });
  await page.evaluate(() => window.scrollTo(0, 0));
  expect((await inSight()).highest).toBeLessThanOrEqual(30);
  expect((await inSight()).whole).toBeGreaterThanOrEqual(20);
  await expectAccessible(page);
  await page.reload();
  await expect(table.getByRole('row')).toHaveCount(26);
  expect((await inSight()).whole).toBeGreaterThanOrEqual(20);
  await page.goto('/developers/events');
  await expect(page.getByRole('table', { name: 'Events', exact: true }).getByRole('row')).toHaveCount(26);
  await page.getByRole('button', { name: 'Compact rows', pressed: true }).click();
  await page.goto('/reservations');
  await expect(table.getByRole('row')).toHaveCount(26);
  expect((await inSight()).highest).toBeGreaterThan(36);
});

test('before the first live send the owner is asked for the legal name on certificates', async ({ page, baseURL }) => {
  const owner = await createTeamWithOwner();
  await signIn(page, owner);
  await setLiveOrTestMode(page, baseURL, 'live');
  const house = await makeProperty(page, 'live', 'Harbour Loft');
  await page.goto(`/reservations/${await makeReservation(page, 'live', house, { guest_name: 'Ada Lovelace' })}`);
  await expect(page.getByText(`Until you add your legal name, certificates show “${owner.team}”.`)).toBeVisible();
  await page.screenshot({ path: 'test-results/legal-name.png' });
  await expectAccessible(page);
  await page.getByLabel('Your legal name').fill('Harbour Stays Lda');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByLabel('Your legal name')).toHaveCount(0);
  expect(await callTrpcQuery<{ legal_name: string }>(page, 'live', 'accounts.sender')).toMatchObject({
    legal_name: 'Harbour Stays Lda',
  });
});
