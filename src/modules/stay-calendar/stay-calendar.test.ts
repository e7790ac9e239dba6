import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty, updateProperty } from '@/modules/properties/service';
import { confirmBothBookingsAreReal } from '@/modules/reservations/host.service';
import { cancelReservation, createReservation } from '@/modules/reservations/service';
import { runSyncOfSource } from '@/modules/sync-sources/run/run';
import { createSyncSource } from '@/modules/sync-sources/service';
import {
  FEED_STAY_OF_GUEST_ANA,
  FEED_STAY_OF_GUEST_BEN,
  openCalendarTestContext,
} from '@/modules/sync-sources/testing/calendar-test-context';
import { type FeedServer, type FeedStay, renderTestCalendarFeed } from '@/modules/sync-sources/testing/feed-server';
import { setClock } from '@/shared/clock';
import { createSystemScope, type Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { StayCalendarWindow } from './schemas';
import { listStayCalendarProperties, loadStayCalendarWindow } from './service';

let scope: Scope;
let feed: FeedServer;
let property_id: string;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  ({ scope, feed, property_id } = await openCalendarTestContext());
});
afterEach(async () => {
  setClock(null);
  await feed.close();
});

const BLOCK: FeedStay = { uid: 'closed@a', from: '2026-06-20', to: '2026-06-25', summary: 'Channel A (Not available)' };
const SUMMER = { from: '2026-06-01', to: '2026-08-01' };

async function readFeed(...stays: FeedStay[]): Promise<string> {
  feed.serve(renderTestCalendarFeed(stays));
  const known = await systemDb().syncSource.findFirst();
  const id =
    known?.id ?? (await createSyncSource(scope, { property_id, kind: 'channel_a_ical', feed_url: feed.url })).id;
  await runSyncOfSource(scope, id, 'forced');
  return id;
}

const book = async (checkin_date: string, checkout_date: string, of = property_id, owner = scope) =>
  (
    await createReservation(owner, {
      property_id: of,
      guest_name: 'Grace Hopper',
      guest_email: 'grace@example.com',
      checkin_date,
      checkout_date,
      source: 'direct',
    })
  ).row.id;

const page = (window: Partial<StayCalendarWindow> = {}, owner = scope) =>
  loadStayCalendarWindow(owner, { properties: [property_id], ...SUMMER, ...window });

it('the calendar has every stay with a day in the window, except cancelled stays', async () => {
  const before = await book('2026-05-20', '2026-05-31');
  const leaves = await book('2026-05-28', '2026-06-01');
  const inside = await book('2026-06-10', '2026-06-14');
  const around = await book('2026-05-30', '2026-09-01');
  const cancelled = await book('2026-07-01', '2026-07-04');
  await cancelReservation(scope, cancelled);
  const after = await book('2026-08-01', '2026-08-04');
  const { stays, has_more } = await page();
  expect(stays.map(({ id }) => id).sort()).toEqual([leaves, inside, around].sort());
  expect(stays.map(({ id }) => id)).not.toContain(before);
  expect(stays.map(({ id }) => id)).not.toContain(after);
  expect(has_more).toBe(false);
  expect(stays.find(({ id }) => id === inside)).toMatchObject({
    checkin_date: '2026-06-10',
    checkout_date: '2026-06-14',
    status: 'draft',
    sent_at: null,
    conflict: false,
    guest_replied: false,
  });
});

it('both stays of a double booking are marked until the host confirms them', async () => {
  await readFeed(FEED_STAY_OF_GUEST_ANA);
  const direct = await book('2026-06-12', '2026-06-16');
  const { stays } = await page();
  expect(stays.map(({ conflict }) => conflict)).toEqual([true, true]);
  const ana = stays.find(({ id }) => id !== direct);
  await confirmBothBookingsAreReal(scope, direct, ana?.id ?? '');
  expect((await page()).stays.map(({ conflict }) => conflict)).toEqual([false, false]);
});

it('blocked nights are shown as last fetched, and hidden when their calendar is disabled', async () => {
  const source = await readFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN, BLOCK);
  const block = {
    property_id,
    sync_source_id: source,
    checkin_date: '2026-06-20',
    checkout_date: '2026-06-25',
    words: 'Channel A (Not available)',
  };
  expect((await page()).blocks).toEqual([block]);
  expect((await page({ from: '2026-07-01' })).blocks).toEqual([]);
  await readFeed(FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN, { ...BLOCK, to: '2026-06-27' });
  expect((await page()).blocks).toEqual([{ ...block, checkout_date: '2026-06-27' }]);
  await systemDb().syncSource.updateMany({ data: { enabled: false } });
  expect((await page()).blocks).toEqual([]);
});

it('properties are listed by name with their time zone', async () => {
  await updateProperty(scope, property_id, { city: 'Madrid' }, null);
  await createProperty(scope, PropertyCreate.parse({ name: 'attic' }));
  expect(await listStayCalendarProperties(scope)).toMatchObject({
    data: [
      { name: 'attic', timezone: null },
      { name: 'Casa Azul', city: 'Madrid', timezone: 'Europe/Madrid' },
    ],
    has_more: false,
  });
});

it('stays, blocks and properties of another team or mode are not shown', async () => {
  await readFeed(FEED_STAY_OF_GUEST_ANA, BLOCK);
  await book('2026-06-10', '2026-06-14');
  for (const stranger of [
    await insertTeam('live', 'other@example.com'),
    createSystemScope(scope.team_id, 'test', 'test'),
  ]) {
    expect(await page({}, stranger)).toEqual({ stays: [], blocks: [], has_more: false });
    expect((await listStayCalendarProperties(stranger)).data).toEqual([]);
  }
});

it('a window larger than a screen shows is rejected', () => {
  const ask = (window: object) =>
    StayCalendarWindow.safeParse({ properties: ['prop_1'], ...SUMMER, ...window }).success;
  expect(ask({})).toBe(true);
  expect(ask({ to: '2026-08-03' })).toBe(false);
  expect(ask({ to: '2026-06-01' })).toBe(false);
  expect(ask({ properties: [] })).toBe(false);
  expect(ask({ properties: Array.from({ length: 51 }, String) })).toBe(false);
});
