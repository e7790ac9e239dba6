/** Two bookings of the same nights, as their host meets them: on Home, on the reservation's page, in the list and in a dry run. */
import { expect, test } from '@playwright/test';
import { calendar, details, startFeedServer } from '../../src/modules/sync-sources/testing/feed-server';
import {
  call,
  createOwner,
  dayFromNow,
  expectAccessible,
  expectNoSidewaysScroll,
  makeProperty,
  setMode,
  signIn,
} from './support';

const NIGHTS = { from: dayFromNow(5), to: dayFromNow(8) };

test('a double booking is shown on Home until the host says that both are real; a mirrored block is one stay with two sources', async ({
  page,
  baseURL,
}) => {
  const feeds = { a: await startFeedServer(), b: await startFeedServer(), c: await startFeedServer() };
  try {
    await signIn(page, await createOwner());
    await setMode(page, baseURL, 'test');
    const property_id = await makeProperty(page, 'test', 'Harbour Loft');
    const run = async (kind: string, feed_url: string) => {
      const { id } = await call<{ id: string }>(page, 'test', 'sync_sources.create', { property_id, kind, feed_url });
      await call(page, 'test', 'sync_sources.run', { id });
      return id;
    };
    feeds.a.serve(calendar([{ uid: 'a@a', ...NIGHTS, description: details('HMSAME0001') }]));
    await run('channel_a_ical', feeds.a.url);
    feeds.b.serve(calendar([{ uid: 'b@b', ...NIGHTS, summary: 'Reserved - Jane Doe' }]));
    const b = await run('channel_b_ical', feeds.b.url);
    feeds.c.serve(calendar([{ uid: 'c@c', ...NIGHTS, summary: 'CLOSED - Not available' }]));
    await run('channel_c_ical', feeds.c.url);

    await page.goto('/');
    const home = page.getByRole('list', { name: 'Needs your attention' });
    await expect(home.getByText('has a booking for the same nights')).toHaveCount(1);
    await expectAccessible(page);
    // On a phone what it says is above the buttons, not squeezed beside them.
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoSidewaysScroll(page);
    expect((await home.getByText('has a booking for the same nights').boundingBox())?.width).toBeGreaterThan(200);
    await page.setViewportSize({ width: 1280, height: 720 });

    await page.goto('/reservations?attention=same_nights');
    const table = page.getByRole('table', { name: 'Reservations' });
    await expect(table.getByText('Double booking with Jane Doe')).toBeVisible();
    await expect(table.getByText('Double booking with Guest HMSAME0001')).toBeVisible();
    await page.goto('/reservations');
    await expect(table.getByText(/Same stay as/)).toBeVisible();

    // The calendar adds a night: a dry run says whose nights it would want.
    feeds.b.serve(
      calendar(
        [{ uid: 'b@b', from: NIGHTS.from, to: dayFromNow(9), summary: 'Reserved - Jane Doe' }],
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
    await expect(page.getByText('Another booking for the same nights')).toBeVisible();
    await expect(page.getByText('The packet is not sent by itself until you say which is right')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel this one' })).toBeEnabled();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Keep both bookings' }).click();
    await expect(page.getByText('Another booking for the same nights')).toBeHidden();

    await page.goto('/');
    await expect(page.getByText('Needs your attention')).toBeVisible();
    await expect(page.getByText('has a booking for the same nights')).toHaveCount(0);

    await page.goto(`/properties/${property_id}`);
    await page.getByRole('tab', { name: 'Settings' }).click();
    await expect(page.getByText('More than one party at a time')).toBeVisible();
  } finally {
    await Promise.all(Object.values(feeds).map((feed) => feed.close()));
  }
});
