/**
 * Tests where a host sees two bookings for the same nights: on Home, on the reservation's page, in
 * the list and in a dry run.
 */
import { expect, type Locator, test } from '@playwright/test';
import {
  renderBookingDescription,
  renderTestCalendarFeed,
  startFeedServer,
} from '../../src/modules/sync-sources/testing/feed-server';
import {
  callTrpcMutation,
  callTrpcQuery,
  createTeamWithOwner,
  expectAccessible,
  expectAccessibleOnAllDevices,
  expectNoSidewaysScroll,
  getDateDaysFromNow,
  makeDoubleBooking,
  makeProperty,
  setLiveOrTestMode,
  signIn,
} from './support';

const NIGHTS = { from: getDateDaysFromNow(5), to: getDateDaysFromNow(8) };

test('Home shows a double booking until the host confirms both; a mirrored block is one stay', async ({
  page,
  baseURL,
}) => {
  const feeds = { a: await startFeedServer(), b: await startFeedServer(), c: await startFeedServer() };
  try {
    await signIn(page, await createTeamWithOwner());
    await setLiveOrTestMode(page, baseURL, 'test');
    const property_id = await makeProperty(page, 'test', 'Harbour Loft');
    const run = async (kind: string, feed_url: string) => {
      const { id } = await callTrpcMutation<{ id: string }>(page, 'test', 'sync_sources.create', {
        property_id,
        kind,
        feed_url,
      });
      await callTrpcMutation(page, 'test', 'sync_sources.run', { id });
      return id;
    };
    feeds.a.serve(
      renderTestCalendarFeed([{ uid: 'a@a', ...NIGHTS, description: renderBookingDescription('HMSAME0001') }]),
    );
    await run('channel_a_ical', feeds.a.url);
    feeds.b.serve(renderTestCalendarFeed([{ uid: 'b@b', ...NIGHTS, summary: 'Reserved - Jane Doe' }]));
    const b = await run('channel_b_ical', feeds.b.url);
    feeds.c.serve(renderTestCalendarFeed([{ uid: 'c@c', ...NIGHTS, summary: 'CLOSED - Not available' }]));
    await run('channel_c_ical', feeds.c.url);

    await page.goto('/');
    await expect(page.getByRole('link', { name: '1 double booking' })).toBeVisible();
    const home = page.getByRole('list', { name: 'Double bookings' });
    await expect(home.getByRole('listitem')).toHaveCount(1);
    await expect(home).toContainText('Airbnb');
    await expect(home).toContainText('Vrbo');
    await expectAccessible(page);
    // On a phone each booking has the whole width, and the buttons are below them.
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    const booking = home.getByRole('link', { name: 'Jane Doe' });
    const keep = home.getByRole('button', { name: /^Keep both bookings/ });
    expect((await booking.boundingBox())?.y).toBeLessThan((await keep.boundingBox())?.y ?? 0);
    expect((await booking.boundingBox())?.x).toBeLessThan(60);
    await page.setViewportSize({ width: 1280, height: 720 });

    await page.goto('/reservations?attention=same_nights');
    const table = page.getByRole('table', { name: 'Reservations' });
    await expect(table.getByText('Double booking with Jane Doe')).toBeVisible();
    await expect(table.getByText('Double booking with Guest HMSAME0001')).toBeVisible();
    await page.goto('/reservations');
    await expect(table.getByText(/Same stay as/)).toBeVisible();

    // The calendar adds a night. A dry run names the other booking for the same night.
    feeds.b.serve(
      renderTestCalendarFeed(
        [{ uid: 'b@b', from: NIGHTS.from, to: getDateDaysFromNow(9), summary: 'Reserved - Jane Doe' }],
        '20260502T000000Z',
      ),
    );
    await page.goto(`/calendars/${b}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Preview next sync' }).click();
    await expect(page.getByRole('dialog').getByText('Double booking with Guest HMSAME0001')).toBeVisible();
    await page.getByRole('button', { name: 'Close' }).first().click();

    await page.goto('/reservations');
    await table.getByText('Jane Doe', { exact: true }).click();
    await expect(page.getByText('Double booking', { exact: true })).toBeVisible();
    await expect(
      page.getByText('The house rules are not sent automatically until you choose which booking to keep'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Choose which to cancel' })).toBeEnabled();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep both bookings' }).click();
    await expect(page.getByText('Double booking', { exact: true })).toBeHidden();

    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Arrivals' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Double bookings' })).toHaveCount(0);
    await expect(page.getByRole('link', { name: /double booking/ })).toHaveCount(0);

    await page.goto(`/properties/${property_id}`);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expect(page.getByText('Several bookings for the same nights')).toBeVisible();
  } finally {
    await Promise.all(Object.values(feeds).map((feed) => feed.close()));
  }
});

test('a double booking is compared and one of the two cancelled, in three clicks from Home', { tag: '@smoke' }, async ({
  page,
  baseURL,
}) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const [from_calendar, by_hand] = await makeDoubleBooking(page, await makeProperty(page, 'test', 'Harbour Loft'));
  await callTrpcMutation(page, 'test', 'reservations.send', { id: by_hand });
  await page.goto('/');
  let clicks = 0;
  const click = async (what: Locator) => {
    clicks += 1;
    await what.click();
  };
  await click(page.getByRole('button', { name: /^Choose which to cancel/ }));
  const dialog = page.getByRole('dialog', { name: 'Double booking' });
  const bookings = dialog.getByRole('list', { name: 'Both bookings' }).getByRole('listitem');
  await expect(bookings).toHaveCount(2);
  const airbnb = bookings.filter({ hasText: 'Airbnb' });
  await expect(airbnb).toContainText('HMSAME0001');
  await expect(airbnb).toContainText('Not sent');
  await expect(bookings.filter({ hasText: 'Jane Doe' })).toContainText('jane.doe@example.com');
  await expect(dialog.getByText('This does not cancel the booking on Airbnb. Cancel it there too.')).toHaveCount(1);
  await expect(dialog.getByText('The guest will no longer be able to sign')).toHaveCount(1);
  await expect(dialog.getByRole('button', { name: 'Choose what to do' })).toBeDisabled();
  await expectAccessibleOnAllDevices(page);
  await click(dialog.getByRole('radio', { name: /^Cancel Guest HMSAME0001’s booking/ }));
  await click(dialog.getByRole('button', { name: /^Cancel Guest HMSAME0001’s booking/ }));
  expect(clicks).toBe(3);
  await expect(dialog).toBeHidden();
  const statusOf = async (id: string) =>
    (await callTrpcQuery<{ status: string }>(page, 'test', 'reservations.retrieve', { id })).status;
  await expect.poll(() => statusOf(from_calendar)).toBe('ignored');
  expect(await statusOf(by_hand)).toBe('sent');
  await expect(page.getByRole('heading', { name: 'Double bookings' })).toHaveCount(0);
});

test('the signed one of a double booking cannot be cancelled; both are confirmed in three clicks', async ({
  page,
  baseURL,
}) => {
  await signIn(page, await createTeamWithOwner());
  await setLiveOrTestMode(page, baseURL, 'test');
  const [, by_hand] = await makeDoubleBooking(page, await makeProperty(page, 'test', 'Harbour Loft'));
  await callTrpcMutation(page, 'test', 'reservations.sign_manually', { id: by_hand });
  await page.goto(`/reservations/${by_hand}`);
  await page.getByRole('button', { name: 'Choose which to cancel' }).click();
  const dialog = page.getByRole('dialog', { name: 'Double booking' });
  await expect(dialog.getByRole('radio', { name: 'Cancel Jane Doe’s booking' })).toBeDisabled();
  await expect(dialog).toContainText('already signed');
  await dialog.getByRole('radio', { name: 'Keep both bookings' }).check();
  await dialog.getByRole('button', { name: 'Keep both bookings' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Double booking', { exact: true })).toBeHidden();
});
