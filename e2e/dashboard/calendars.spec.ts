import { type BrowserContext, expect, test } from '@playwright/test';
import {
  type FeedServer,
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '../../src/modules/sync-sources/testing/feed-server';
import {
  type CreatedTeamOwner,
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  deliverInboundMail,
  expectAccessible,
  expectNoSidewaysScroll,
  getDateDaysFromNow,
  makeProperty,
  setLiveOrTestMode,
  signIn,
} from './support';

let owner: CreatedTeamOwner;
let property: string;
let feed: FeedServer;
let cookies: Awaited<ReturnType<BrowserContext['cookies']>>;

test.beforeAll(async ({ browser }) => {
  owner = await createTeamWithOwner();
  feed = await startFeedServer();
  const page = await browser.newPage();
  await signIn(page, owner);
  property = await makeProperty(page, 'test', 'Harbour Loft');
  cookies = await page.context().cookies();
  await page.close();
});
test.afterAll(async () => {
  await feed.close();
});

test.beforeEach(async ({ page, baseURL }) => {
  await page.context().addCookies(cookies);
  await setLiveOrTestMode(page, baseURL, 'test');
});

const BOOKING = {
  uid: 'one@a',
  from: getDateDaysFromNow(10),
  to: getDateDaysFromNow(14),
  description: renderBookingDescription('HMBROWSER1'),
};

test('a calendar is previewed and connected; its bookings arrive; it is disabled and removed', {
  tag: '@smoke',
}, async ({ page }) => {
  feed.serve({ status: 404 });
  await page.goto('/calendars');
  await expect(page.getByText('No calendar feeds yet')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Connect' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Check calendar' }).click();
  await expect(dialog.getByText('Paste the calendar link.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Calendar link' }).fill(feed.url);
  await dialog.getByRole('button', { name: 'Check calendar' }).click();
  await expect(dialog.getByText(/returned 404/)).toBeVisible();

  const block = {
    uid: 'x@a',
    from: getDateDaysFromNow(20),
    to: getDateDaysFromNow(22),
    summary: 'Channel A (Not available)',
  };
  feed.serve(renderTestCalendarFeed([BOOKING, block]));
  await dialog.getByRole('button', { name: 'Check calendar' }).click();
  await expect(dialog.getByText(/1 booking, 1 blocked period, next arrival/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Connect calendar' }).click();

  await expect(page.getByRole('heading', { name: 'Airbnb calendar' })).toBeVisible();
  // The schedule may already be polling the calendar. Meanwhile, the button is missing.
  await expect(async () => {
    const run = page.getByRole('button', { name: 'Sync now' });
    if (await run.isEnabled()) await run.click();
    await expect(page.getByRole('link', { name: 'Guest HMBROWSER1' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await expect(page.getByText('This calendar is disabled.')).toBeVisible();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.waitForURL((url) => url.pathname === '/calendars');
  await expect(page.getByText('No calendar feeds yet')).toBeVisible();
});

test('a calendar with guest names is connected, previews its next run, and has its entry texts classified', async ({
  page,
}) => {
  const named = (uid: string, from: number, summary: string) => ({
    uid,
    from: getDateDaysFromNow(from),
    to: getDateDaysFromNow(from + 3),
    summary,
  });
  feed.serve(renderTestCalendarFeed([named('1', 30, 'Jane Doe'), named('2', 40, 'Blocked')]));
  await page.goto('/calendars');
  await page.getByRole('button', { name: 'Connect' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: /Another calendar/ }).click();
  await dialog.getByRole('textbox', { name: 'Calendar link' }).fill(`${feed.url}&own`);
  await dialog.getByRole('button', { name: 'Check calendar' }).click();
  const would = dialog.getByRole('list', { name: 'What the calendar would change' });
  await expect(would.getByRole('listitem')).toHaveText([/Create\s*Jane Doe/]);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Connect calendar' }).click();
  await expect(page.getByRole('heading', { name: 'Other calendar' })).toBeVisible();
  await expect(async () => {
    const run = page.getByRole('button', { name: 'Sync now' });
    if (await run.isEnabled()) await run.click();
    await expect(page.getByRole('link', { name: 'Jane Doe' })).toBeVisible({ timeout: 2_000 });
  }).toPass();

  feed.serve(
    renderTestCalendarFeed([named('1', 31, 'Jane Doe'), named('2', 40, 'Blocked'), named('3', 50, 'Owner Ben')]),
  );
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Preview next sync' }).click();
  const next = page.getByRole('dialog').getByRole('list', { name: 'What the calendar would change' });
  await expect(next.getByRole('listitem')).toHaveText([/Change dates\s*Jane Doe/]);
  // The host decides once whether this entry is a block or a guest.
  const question = page.getByRole('dialog').getByRole('region', { name: /looks like blocked dates/ });
  await expect(question).toContainText('Owner Ben');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Treat as bookings' }).click();
  // A text that may describe a block is not used as a guest's name.
  await expect(next.getByRole('listitem')).toHaveText([/Change dates\s*Jane Doe/, /Create\s*Guest/]);
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  await page.getByRole('textbox', { name: 'Entries that contain' }).fill('owner');
  await page.getByRole('combobox', { name: 'Treat these entries as' }).click();
  await page.getByRole('option', { name: 'blocked dates' }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Your rules' })).toContainText('owner');
  await expectAccessible(page);
  await expect(page.getByRole('link', { name: 'Guest' })).toBeHidden();
  const { id } = (await callTrpcQuery<{ data: { id: string }[] }>(page, 'test', 'sync_sources.list', { limit: 25 }))
    .data[0]!;
  await callTrpcMutation(page, 'test', 'sync_sources.run', { id });
  await expect(page.getByText('Something went wrong')).toHaveCount(0);
  await callTrpcMutation(page, 'test', 'sync_sources.remove', { id });
});

test('a sync’s details show what was skipped, and a broken calendar shows how to fix it', async ({ page }) => {
  const block = {
    uid: 'x@a',
    from: getDateDaysFromNow(20),
    to: getDateDaysFromNow(22),
    summary: 'Channel A (Not available)',
  };
  feed.serve(renderTestCalendarFeed([BOOKING, block]));
  const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', {
    property_id: property,
    kind: 'channel_a_ical',
    feed_url: feed.url,
  });
  await page.goto(`/calendars/${id}`);
  await expect(async () => {
    const run = page.getByRole('button', { name: 'Sync now' });
    if (await run.isEnabled()) await run.click();
    await expect(page.getByRole('table', { name: 'Sync history' }).getByRole('row')).not.toHaveCount(1, {
      timeout: 2_000,
    });
  }).toPass();
  await page.getByRole('table', { name: 'Sync history' }).getByRole('button').last().click();
  const record = page.getByRole('dialog', { name: 'Sync' });
  await expect(record.getByText('Channel A (Not available)')).toBeVisible();
  await expect(record.getByText('Blocked by the channel')).toBeVisible();
  await expectAccessible(page);
  await record.getByRole('button', { name: 'Close' }).click();

  feed.serve({ status: 404 });
  await page.getByRole('button', { name: 'Sync now' }).click();
  await expect(page.getByText(/The link was probably reset/).first()).toBeVisible();
  await expect(page.getByText('Not syncing')).toBeVisible();

  // The page reports that the old link no longer works. The host replaces it there.
  feed.serve(renderTestCalendarFeed([BOOKING]));
  await page.getByLabel('Calendar link', { exact: true }).fill('nowhere');
  await page.getByRole('button', { name: 'Replace link' }).click();
  await expect(page.getByLabel('Calendar link', { exact: true })).toHaveAccessibleDescription(/https/);
  await page.getByLabel('Calendar link', { exact: true }).fill(`${feed.url}&new=1`);
  await page.getByRole('button', { name: 'Replace link' }).click();
  await expect(page.getByText('Not syncing')).toBeHidden();
});

test('a broken calendar gets a new link in two clicks from Home', async ({ browser, baseURL }) => {
  test.setTimeout(150_000);
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const house = await makeProperty(page, 'test', 'Harbour Loft');
  feed.serve({ status: 404 });
  const source = { property_id: house, kind: 'channel_a_ical', feed_url: feed.url };
  const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', source);
  await expect
    .poll(
      async () =>
        (await callTrpcQuery<{ failing_since: string | null }>(page, 'test', 'sync_sources.retrieve', { id }))
          .failing_since,
      // A lost request for a run is repeated within a minute.
      { timeout: 90_000 },
    )
    .not.toBeNull();
  feed.serve(renderTestCalendarFeed([BOOKING]));
  await page.goto('/');
  let clicks = 0;
  await page.getByRole('link', { name: '1 calendar not working' }).click();
  clicks += 1;
  await page.getByLabel('Calendar link', { exact: true }).fill(`${feed.url}&new=1`);
  await page.getByRole('button', { name: 'Replace link' }).click();
  clicks += 1;
  expect(clicks).toBe(2);
  await expect(page.getByText('Not syncing')).toBeHidden();
  await context.close();
});

test('a calendar that lost all its bookings asks for approval, and the sync’s details show what was applied', async ({
  page,
}) => {
  const other = {
    uid: 'two@a',
    from: getDateDaysFromNow(30),
    to: getDateDaysFromNow(33),
    description: renderBookingDescription('HMBROWSER2'),
  };
  const block = {
    uid: 'x@a',
    from: getDateDaysFromNow(40),
    to: getDateDaysFromNow(42),
    summary: 'Channel A (Not available)',
  };
  feed.serve(
    renderTestCalendarFeed([
      { ...BOOKING, uid: 'asks@a', description: renderBookingDescription('HMBROWSER3') },
      other,
      block,
    ]),
  );
  const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', {
    property_id: await makeProperty(page, 'test', 'Casa Azul'),
    kind: 'channel_a_ical',
    feed_url: `${feed.url}&asks`,
  });
  await page.goto(`/calendars/${id}`);
  const sync = async () => {
    const run = page.getByRole('button', { name: 'Sync now' });
    if (await run.isEnabled()) await run.click();
  };
  await expect(async () => {
    await sync();
    await expect(page.getByRole('link', { name: 'Guest HMBROWSER2' }).first()).toBeVisible({ timeout: 2_000 });
  }).toPass();

  feed.serve(renderTestCalendarFeed([block]));
  await expect(async () => {
    await sync();
    await expect(page.getByText('All upcoming bookings are missing from this calendar')).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  const would = page.getByRole('list', { name: 'What the calendar would change' });
  await expect(would.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText('Needs your decision').first()).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.getByRole('button', { name: 'Keep my reservations' }).click();
  await expect(page.getByText('You chose to ignore some changes in this calendar.')).toBeVisible();
  await page.getByRole('button', { name: 'Ask again' }).click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
  await expect(would).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Sync history' }).getByText(/Cancelled: Guest HMBROWSER/)).toBeVisible();
  await page.getByRole('table', { name: 'Sync history' }).getByRole('button').first().click();
  const record = page.getByRole('dialog', { name: 'Sync' });
  await expect(record.getByRole('list', { name: 'What changed' }).getByRole('listitem')).toHaveCount(2);
  await expect(record.getByText('Cancelled', { exact: true }).first()).toBeVisible();
  await expectAccessible(page);
});

test('a forwarding address has instructions for each provider, and an empty inbox', async ({ page }) => {
  await page.goto('/calendars');
  await page.getByRole('button', { name: 'Connect' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Forwarded emails').click();
  // By now there may be several properties, so one has to be selected.
  await dialog.getByRole('combobox', { name: 'Property' }).click();
  await page.getByRole('option').first().click();
  await dialog.getByRole('button', { name: 'Create address' }).click();
  await expect(page.getByRole('heading', { name: 'Forward emails to this address' })).toBeVisible();
  await page.getByRole('tab', { name: 'Outlook' }).click();
  await expect(page.getByText(/Redirect to/)).toBeVisible();
  await expectAccessible(page);
  await page.goto('/calendars/inbox');
  await expect(page.getByText('Nothing needs action')).toBeVisible();
  await expectAccessible(page);
});

test('an unreadable mail waits in the inbox, is completed by hand, and is archived and restored', async ({ page }) => {
  const address = await callTrpcMutation<{ forwarding_address: string }>(page, 'test', 'sync_sources.create', {
    property_id: property,
    kind: 'forward_email',
  });
  const to = address.forwarding_address;
  await deliverInboundMail(page, to, 'A question about your flat', ['Hello, is there a lift?']);
  await deliverInboundMail(page, to, 'Booking by phone', [
    'Guest: Grace Hopper',
    'E-mail: grace@example.com',
    'She comes in May.',
  ]);
  await page.goto('/calendars/inbox');
  const mails = page.getByRole('list', { name: 'Emails' });
  await expect(mails.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Open “Booking by phone”' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'Text of the email' })).toContainText('She comes in May.');
  await expectAccessible(page);
  await dialog.getByLabel('Guest’s name').fill('Grace Hopper');
  await dialog.getByLabel('Guest’s email').fill('grace@example.com');
  await dialog.getByLabel('Check-in').fill(getDateDaysFromNow(40));
  await dialog.getByLabel('Check-out').fill(getDateDaysFromNow(39));
  await dialog.getByRole('button', { name: 'Create reservation' }).click();
  await expect(dialog.getByText('The check-out must be after the check-in.')).toBeVisible();
  await dialog.getByLabel('Check-out').fill(getDateDaysFromNow(44));
  await dialog.getByRole('button', { name: 'Create reservation' }).click();
  await expect(mails.getByRole('listitem')).toHaveCount(1);

  await page.getByRole('button', { name: 'Open “A question about your flat”' }).click();
  await dialog.getByRole('button', { name: 'Dismiss' }).click();
  await expect(page.getByText('Nothing needs action')).toBeVisible();
  await page.getByRole('tab', { name: 'All' }).click();
  await expect(mails.getByRole('listitem')).toHaveCount(2);
  await page.getByRole('button', { name: 'Open “A question about your flat”' }).click();
  await dialog.getByRole('button', { name: 'Reopen' }).click();
  await expect(dialog.getByRole('button', { name: 'Dismiss' })).toBeVisible();
  await page.goto('/reservations');
  await expect(page.getByRole('link', { name: 'Grace Hopper' }).first()).toBeVisible();
});

test('a mail with ambiguous dates offers both readings, one with only an arrival the matching stay', async ({
  page,
}) => {
  const { forwarding_address: to } = await callTrpcMutation<{ forwarding_address: string }>(
    page,
    'test',
    'sync_sources.create',
    {
      property_id: await makeProperty(page, 'test', 'Casa Azul'),
      kind: 'forward_email',
    },
  );
  const year = new Date().getUTCFullYear() + 1;
  const stay = [`Check-in: 05/06/${year}`, `Check-out: 06/06/${year}`];
  await deliverInboundMail(page, to, 'Two ways', ['Guest: Grace Hopper', ...stay]);
  await page.goto('/calendars/inbox');
  await expect(page.getByRole('listitem').filter({ hasText: 'Two ways' })).toContainText('Casa Azul');
  await page.getByRole('button', { name: 'Open “Two ways”' }).click();
  const dialog = page.getByRole('dialog');
  const ways = dialog.getByRole('group', { name: /more than one way/ });
  await expect(ways.getByRole('button')).toHaveCount(2);
  await expectAccessible(page);
  await ways.getByRole('button', { name: `5 Jun ${year}` }).click();
  await expect(dialog.getByLabel('Check-in')).toHaveValue(`${year}-06-05`);
  await expect(dialog.getByLabel('Check-out')).toHaveValue(`${year}-06-06`);
  await dialog.getByRole('button', { name: 'Create reservation' }).click();
  await expect(dialog).toBeHidden();

  await deliverInboundMail(page, to, 'Arrival alone', ['Guest: Grace Hopper', `Check-in: 5 June ${year}`]);
  await page.reload();
  await page.getByRole('button', { name: 'Open “Arrival alone”' }).click();
  await dialog.getByRole('button', { name: `Grace Hopper, 5 Jun ${year} to 6 Jun ${year}` }).click();
  await expect(dialog.getByLabel('Check-out')).toHaveValue(`${year}-06-06`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Complete reservation' }).click();
  await expect(dialog).toBeHidden();
});

test('a cancellation signed by the channel is applied with one click, and can be undone', async ({ page }) => {
  const { id, forwarding_address: to } = await callTrpcMutation<{ id: string; forwarding_address: string }>(
    page,
    'test',
    'sync_sources.create',
    { property_id: await makeProperty(page, 'test', 'Casa Verde'), kind: 'forward_email' },
  );
  const [from, until] = [getDateDaysFromNow(20), getDateDaysFromNow(24)];
  const booking = [
    'Reservation ID: HA-PROVEN1',
    'Traveler Name: Rosa Parks',
    `Check-in: ${from}`,
    `Check-out: ${until}`,
  ];
  const channel = 'messages.channel-b.example';
  await deliverInboundMail(page, to, 'Instant Booking from Rosa Parks', booking, channel);
  await deliverInboundMail(page, to, 'Reservation from Rosa Parks has been canceled', booking, channel);
  await page.goto('/calendars/inbox');
  await page.getByRole('button', { name: 'Open “Reservation from Rosa Parks has been canceled”' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('The channel cancelled this booking.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel reservation' }).click();
  await expect(dialog.getByText(/You can undo this until/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel reservation' })).toBeVisible();

  await page.goto(`/calendars/${id}`);
  const without_asking = page.getByRole('switch', { name: 'Apply cancellations and changes automatically' });
  await without_asking.click();
  await expect(without_asking).toBeChecked();
  await expectAccessible(page);
});

test('the calendar pages fit a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const path of ['/calendars/inbox', '/calendars']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
  await page.getByRole('button', { name: 'Connect' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Channel' }).click();
  await page.getByRole('option', { name: /Another calendar/ }).click();
  for (const field of [
    dialog.getByRole('combobox', { name: 'Channel' }),
    dialog.getByRole('textbox', { name: 'Calendar link' }),
  ]) {
    const box = await field.boundingBox();
    expect((box?.x ?? 390) + (box?.width ?? 0)).toBeLessThan(374);
  }
});
