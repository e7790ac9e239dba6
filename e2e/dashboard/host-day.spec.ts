/**
 * Tests a host's day. Frequent tasks take at most three clicks from Home, with a mouse and on a
 * phone. With the keyboard, most of them need no click at all.
 */
import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { findFreePort } from '../../src/testing/server';
import { unpackZip } from '../../src/testing/unzip';
import { makeCertificate } from './certificate';
import { listTestModePacketsOfProperty, retrieveTestModePacket } from './packet-data';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  getDateDaysFromNow,
  makeProperty,
  makePropertyWithoutRules,
  makeReservation,
  setLiveOrTestMode,
  signIn,
} from './support';

const FORMS = [
  { form: 'on a desktop', use: { viewport: { width: 1280, height: 800 } } },
  { form: 'on a phone', use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } },
] as const;

/** Counts clicks from this call on. */
function countPresses() {
  let presses = 0;
  return {
    press: async (what: Locator) => {
      presses += 1;
      await what.click();
    },
    count: () => presses,
  };
}

interface World {
  property: string;
  /** Ids of reservations that arrive today: sent, not sent, and signed. */
  sent: string;
  draft: string;
  signed: string;
}

async function makeWorld(page: Page, baseURL: string | undefined): Promise<World> {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const property = await makeProperty(page, 'test', 'Harbour Loft');
  const today = (guest_name: string) => makeReservation(page, 'test', property, { guest_name, checkin: 0 });
  const [sent, draft, signed] = [await today('Grace Hopper'), await today('Ada Lovelace'), await today('Mary Jackson')];
  await callTrpcMutation(page, 'test', 'reservations.send', { id: sent });
  await callTrpcMutation(page, 'test', 'reservations.sign_manually', { id: signed });
  await makeReservation(page, 'test', property, { guest_name: 'Katherine Johnson', checkin: 1 });
  return { property, sent, draft, signed };
}

async function writeRules(page: Page, property: string): Promise<{ packet: string }> {
  const [packet] = await listTestModePacketsOfProperty(page, property);
  const rules = ['No smoking indoors.', 'Quiet after ten.'].map((text) => ({ text, category: null }));
  await callTrpcMutation(page, 'test', 'packets.update', { id: packet?.id, rules });
  return { packet: packet?.id ?? '' };
}

const mailsOf = async (page: Page, reservation: string) =>
  (await callTrpcQuery<{ data: unknown[] }>(page, 'test', 'mail.list', { reservation, limit: 100 })).data.length;

for (const { form, use } of FORMS) {
  test.describe(form, () => {
    test.use(use);

    test('unsigned guests arriving today get the packet again in three clicks, each one mail', {
      tag: '@smoke',
    }, async ({ page, baseURL }) => {
      const { sent, draft, signed } = await makeWorld(page, baseURL);
      await page.goto('/');
      const today = page.getByRole('list', { name: 'Today' });
      await expect(today.getByRole('listitem')).toHaveCount(3);
      await expect(today).toContainText('Sent just now, not opened');
      const { press, count } = countPresses();
      await press(page.getByRole('button', { name: 'Select 2 unsigned: Today' }));
      await press(
        page.getByRole('region', { name: 'Selected reservations' }).getByRole('button', { name: 'Send again' }),
      );
      const dialog = page.getByRole('dialog');
      const who = dialog.getByRole('list', { name: 'Recipients' }).getByRole('listitem');
      await expect(who).toHaveCount(2);
      await expect(who.filter({ hasText: 'Ada Lovelace' })).toContainText('(first email)');
      await expect(who.filter({ hasText: 'Grace Hopper' })).toContainText('grace.hopper@example.com, in English');
      await expectAccessible(page);
      await press(dialog.getByRole('button', { name: 'Send again to 2 guests' }));
      expect(count()).toBeLessThanOrEqual(3);
      await expect(page.getByText('Sent again to 2 guests.')).toBeVisible();
      await expect(dialog).toHaveCount(0);
      await expect(page.getByRole('region', { name: 'Selected reservations' })).toHaveCount(0);
      expect([await mailsOf(page, sent), await mailsOf(page, draft), await mailsOf(page, signed)]).toEqual([2, 1, 0]);
    });

    test('changing a guest’s dates takes three clicks and one mail; the old link points to the new one', async ({
      page,
      baseURL,
    }) => {
      const { sent } = await makeWorld(page, baseURL);
      const { signingUrl } = await callTrpcQuery<{ signingUrl: string }>(page, 'test', 'reservations.copy_link', {
        id: sent,
      });
      await page.goto('/');
      const { press, count } = countPresses();
      await press(page.getByRole('link', { name: 'Grace Hopper' }));
      await expect(page.getByRole('button', { name: 'Resend' })).toBeVisible();
      await press(page.getByRole('button', { name: 'Change dates' }));
      const dialog = page.getByRole('dialog');
      await expect(dialog.getByRole('button', { name: 'Change and send' })).toBeDisabled();
      await dialog.getByLabel('Check-in').fill(getDateDaysFromNow(3));
      await dialog.getByLabel('Check-out').fill(getDateDaysFromNow(2));
      await expect(dialog.getByText('The check-out must be after the check-in.')).toBeVisible();
      await dialog.getByLabel('Check-out').fill(getDateDaysFromNow(6));
      await expect(dialog).toContainText('will show that a newer link was sent');
      await expectAccessible(page);
      await press(dialog.getByRole('button', { name: 'Change and send' }));
      expect(count()).toBeLessThanOrEqual(3);
      await expect(page).not.toHaveURL(new RegExp(sent));
      await expect(page.getByText('Sent in test mode.')).toBeVisible();
      await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('House rules sent to the guest');
      await page.goto(`/reservations/${sent}`);
      await expect(page.getByRole('list', { name: 'Timeline' })).toContainText(
        'Replaced by a reservation with other dates',
      );
      await expect(page.getByRole('button', { name: 'Restore' })).toBeVisible();
      const guest = await page.request.get(signingUrl);
      expect(await guest.text()).toContain('newer');
    });

    test('house rules are copied to five properties in three clicks, with a preview of the changes', async ({
      page,
      baseURL,
    }) => {
      const { property } = await makeWorld(page, baseURL);
      const { packet } = await writeRules(page, property);
      const others: string[] = [];
      for (const name of ['Casa Azul', 'Casa Verde', 'Casa Branca', 'Casa Rosa', 'Casa Amarela'])
        others.push(await makePropertyWithoutRules(page, 'test', name));
      await page.goto('/');
      await expect(page.getByRole('list', { name: 'Today' })).toBeVisible();
      const { press, count } = countPresses();
      await press(page.getByRole('button', { name: /^Search or go to/ }).filter({ visible: true }));
      await page.keyboard.type('copy rules');
      await press(page.getByRole('option', { name: 'Copy rules to other properties' }));
      const dialog = page.getByRole('dialog', { name: 'Copy to other properties' });
      const what = dialog.getByRole('list', { name: 'What would change' }).getByRole('listitem');
      await expect(what.filter({ hasText: '2 changes' })).toHaveCount(5);
      await dialog.getByText('What changes: Casa Azul').click();
      await expect(what.filter({ hasText: 'Casa Azul' })).toContainText('No smoking indoors.');
      await expectAccessible(page);
      await press(dialog.getByRole('button', { name: 'Copy to 5 properties' }));
      expect(count()).toBeLessThanOrEqual(3);
      await expect(page.getByText('5 properties changed.')).toBeVisible();
      for (const id of others) {
        const [said] = await listTestModePacketsOfProperty(page, id);
        expect(said?.rules.map(({ text }) => text)).toEqual(['No smoking indoors.', 'Quiet after ten.']);
      }
      expect((await retrieveTestModePacket(page, packet)).rules).toHaveLength(2);
    });

    test('what a guest signed is found in two clicks by name, in three by date', async ({ page, baseURL }) => {
      await signIn(page, await createTeamWithOwner());
      await setLiveOrTestMode(page, baseURL, 'test');
      const id = await makeCertificate(page, 'Grace Hopper');
      await makeCertificate(page, 'Ada Lovelace');
      await page.goto('/');
      const byName = countPresses();
      await byName.press(page.getByRole('button', { name: /^Search or go to/ }).filter({ visible: true }));
      await page.keyboard.type('grac');
      await byName.press(
        page.getByRole('group', { name: 'Certificates' }).getByRole('option', { name: /Grace Hopper/ }),
      );
      expect(byName.count()).toBeLessThanOrEqual(3);
      await expect(page).toHaveURL(`/certificates/${id}`);

      await page.goto('/');
      const byDate = countPresses();
      await byDate.press(page.getByRole('button', { name: /^Search or go to/ }).filter({ visible: true }));
      await page.keyboard.type('certif');
      await byDate.press(page.getByRole('option', { name: /^Certificates/ }));
      await expect(page.getByRole('heading', { level: 1, name: 'Certificates' })).toBeVisible();
      const filters = page.getByRole('button', { name: 'Filters' });
      if (await filters.isVisible()) await byDate.press(filters);
      await page.getByLabel('Guest or booking code').fill('grace');
      await page.getByLabel('Signed from').fill(getDateDaysFromNow(-1));
      await page.getByLabel('to', { exact: true }).fill(getDateDaysFromNow(1));
      await expect(page).toHaveURL(/from=.*&to=.*&q=grace/);
      const found = page.getByRole('link', { name: /Grace Hopper/ }).filter({ visible: true });
      await expect(found).toHaveCount(1);
      await expect(page.getByRole('link', { name: /Ada Lovelace/ }).filter({ visible: true })).toHaveCount(0);
      expect(byDate.count()).toBeLessThanOrEqual(3);
      await expectAccessible(page);
      await page.getByRole('checkbox', { name: 'Select Grace Hopper' }).filter({ visible: true }).check();
      const [zip] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('region', { name: 'Selected certificates' }).getByRole('link', { name: 'Download' }).click(),
      ]);
      expect(zip.suggestedFilename()).toMatch(/^certificates-.*\.zip$/);
      const names = [...unpackZip(await readFile(await zip.path())).keys()];
      expect(names).toHaveLength(1);
      expect(names[0]).toMatch(/^\d{4}-\d{2}-\d{2} Grace Hopper, Harbour Loft\.pdf$/);
    });

    test('the reason for a failed delivery is found in three clicks', async ({ page, baseURL }) => {
      const { property } = await makeWorld(page, baseURL);
      await callTrpcMutation(page, 'test', 'webhook_endpoints.create', {
        url: `http://127.0.0.1:${await findFreePort()}/hooks`,
      });
      await makeReservation(page, 'test', property, { guest_name: 'Dorothy Vaughan', checkin: 30 });
      const broken = page.getByRole('link', { name: '1 webhook endpoint not working' });
      await expect(async () => {
        await page.goto('/');
        await expect(broken).toBeVisible({ timeout: 2_000 });
      }).toPass();
      const { press, count } = countPresses();
      await press(broken);
      await press(
        page
          .getByRole('button', { name: /reservation\.created/ })
          .filter({ visible: true })
          .first(),
      );
      expect(count()).toBeLessThanOrEqual(3);
      await expect(page.getByRole('dialog')).toContainText(/refused|ECONNREFUSED|connect/i);
    });
  });
}

test('rows can be navigated, selected, sent, resent and opened by keyboard, but never while typing', async ({
  page,
  baseURL,
}) => {
  const { sent, draft } = await makeWorld(page, baseURL);
  await page.goto('/');
  await expect(page.getByRole('list', { name: 'Today' }).getByRole('listitem')).toHaveCount(3);
  const link = (name: string) => page.getByRole('link', { name, exact: true });
  await page.keyboard.press('j');
  await expect(link('Grace Hopper')).toBeFocused();
  await page.keyboard.press('j');
  await expect(link('Ada Lovelace')).toBeFocused();
  await page.keyboard.press('x');
  await expect(page.getByRole('checkbox', { name: 'Select Ada Lovelace' })).toBeChecked();
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Selected reservations' })).toHaveCount(0);
  await page.keyboard.press('s');
  await expect(page.getByRole('button', { name: 'Send to 1 guest' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sent to 1 guest.')).toBeVisible();
  await expect(link('Ada Lovelace')).toBeFocused();
  expect(await mailsOf(page, draft)).toBe(1);
  await page.keyboard.press('k');
  await expect(link('Grace Hopper')).toBeFocused();
  await page.keyboard.press('r');
  await expect(page.getByRole('button', { name: 'Send again to 1 guest' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Sent again to 1 guest.')).toBeVisible();
  expect(await mailsOf(page, sent)).toBe(2);
  await expect(link('Grace Hopper')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/reservations/${sent}`);

  await page.goto('/reservations');
  const search = page.getByRole('searchbox', { name: 'Search reservations' });
  await search.fill('');
  await search.pressSequentially('jxsr');
  await expect(search).toHaveValue('jxsr');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await search.fill('');
  await page.getByRole('heading', { level: 1 }).click();
  await expect(page.getByRole('table', { name: 'Reservations' }).getByRole('row')).toHaveCount(5);
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(page.getByRole('region', { name: 'Selected reservations' })).toContainText('1 selected');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toContainText('Next reservation in a list');
});

test('a bulk cancellation lists each reservation that failed and cancels the others', async ({ page, baseURL }) => {
  const { sent, signed } = await makeWorld(page, baseURL);
  await page.goto('/reservations');
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected reservations' });
  await expect(bar).toContainText('4 selected');
  await bar.getByRole('button', { name: 'Cancel…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Cancel 3 reservations?' })).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Skipped' })).toContainText('Mary Jackson');
  await expectAccessibleOnAllDevices(page);
  // A guest signs while the page is open.
  await callTrpcMutation(page, 'test', 'reservations.sign_manually', { id: sent });
  await dialog.getByRole('button', { name: 'Cancel 3 reservations' }).click();
  await expect(dialog.getByText('2 of 3 done, 1 failed')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Failed' })).toContainText('Grace Hopper');
  await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(2);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const row = page.getByRole('table', { name: 'Reservations' }).getByRole('row');
  await expect(row.filter({ hasText: 'Cancelled' })).toHaveCount(2);
  expect((await callTrpcQuery<{ status: string }>(page, 'test', 'reservations.retrieve', { id: signed })).status).toBe(
    'signed',
  );
});

test('a bulk send whose response was lost sends each mail once', async ({ page, baseURL }) => {
  const { sent } = await makeWorld(page, baseURL);
  await page.goto('/');
  let lost = 0;
  await page.route('**/api/trpc/reservations.bulk**', async (route) => {
    lost += 1;
    if (lost > 1) return route.continue();
    await route.fetch();
    return route.abort('connectionreset');
  });
  await page.getByRole('button', { name: 'Send again: Grace Hopper' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send again to 1 guest' }).click();
  await dialog.getByRole('button', { name: 'Continue with the rest' }).click();
  await expect(dialog).toContainText('The house rules were sent again in the meantime.');
  expect(await mailsOf(page, sent)).toBe(2);
});

test('a view is saved for its user, opened from Home, and deleted', async ({ page, baseURL, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await makeWorld(page, baseURL);
  await page.goto('/reservations?q=grace&status=not_signed&arrives=week&sort=checkin');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save these filters…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Unsigned this week');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^The view .* is saved/)).toBeVisible();
  await page.goto('/');
  await expectAccessibleOnAllDevices(page);
  await page.getByRole('button', { name: 'Copy link: Grace Hopper' }).click();
  await expect(page.getByText('Link copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/sign/');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Unsigned this week' }).click();
  await expect(page).toHaveURL('/reservations?arrives=week&sort=checkin&status=not_signed');
  await expect(page.getByRole('table', { name: 'Reservations' }).getByRole('row')).toHaveCount(4);
  await page.getByRole('button', { name: 'Unsigned this week' }).click();
  await page.getByRole('menuitem', { name: 'Delete “Unsigned this week”' }).click();
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible();
});

test('two filters cleared in quick succession both stay cleared', async ({ page, baseURL }) => {
  await makeWorld(page, baseURL);
  await page.goto('/reservations?from=2026-01-01&to=2026-01-02');
  await expect(page.getByText('No reservations match these filters')).toBeVisible();
  await page.evaluate(() => {
    const set = (label: string, value: string) => {
      const field = document.querySelector<HTMLInputElement>(`[aria-label="${label}"]`) as HTMLInputElement;
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    };
    set('Check-in from', '');
    set('Check-in to', '');
  });
  await expect(page).toHaveURL('/reservations');
  await expect(page.getByRole('table', { name: 'Reservations' }).getByRole('row')).toHaveCount(5);
});

test('the search finds everything by name, by booking code and by the start of an id', async ({ page, baseURL }) => {
  const { property, sent } = await makeWorld(page, baseURL);
  await page.goto('/');
  await expect(page.getByRole('list', { name: 'Today' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const field = page.getByPlaceholder('Guest, booking code, property, ID, page…');
  await field.fill('grace');
  const guests = page.getByRole('group', { name: 'Guests' });
  await expect(guests.getByRole('option')).toHaveCount(1);
  await expectAccessible(page);
  await field.fill('gracr');
  await expect(page.getByRole('group', { name: 'Guests with similar names' }).getByRole('option')).toContainText(
    'Grace Hopper',
  );
  await field.fill('harbour');
  await expect(page.getByRole('group', { name: 'Properties' }).getByRole('option')).toContainText('Harbour Loft');
  await field.fill(property.slice(0, 20));
  await expect(page.getByRole('group', { name: 'By id' }).getByRole('option')).toContainText(property);
  await field.fill(sent.toUpperCase());
  await expect(page.getByRole('group', { name: 'By id' }).getByRole('option')).toHaveCount(1);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/reservations/${sent}`);
});
