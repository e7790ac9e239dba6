import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { FakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { findDueCalendars, pollDueCalendar } from '../run/due';
import { runSyncOfSource } from '../run/run';
import { createSyncSource } from '../service';
import { openCalendarTestContext } from './calendar-test-context';
import { type FeedServer, type FeedStay, renderTestCalendarFeed } from './feed-server';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export let scope: Scope;
export let fakeClock: FakeClock;
export let feedServer: FeedServer;
export let property_id: string;
export let source_id: string;

/** Sets up a new team with a property and a calendar for each test of the file. */
export function setUpSyncRunTests(): void {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    ({ time: fakeClock, scope, feed: feedServer, property_id } = await openCalendarTestContext());
    source_id = await createTestSyncSource();
  });
  afterEach(async () => {
    setClock(null);
    await feedServer.close();
  });
}

// A property can connect a calendar only once, so each source gets its own URL of the same server.
export let createdTestSyncSourceCount = 0;
export const createTestSyncSource = async (
  kind: 'channel_a_ical' | 'channel_b_ical' | 'channel_c_ical' = 'channel_a_ical',
) =>
  (
    await createSyncSource(scope, {
      property_id,
      kind,
      feed_url: `${feedServer.url}&room=${++createdTestSyncSourceCount}`,
    })
  ).id;
export const runSyncOfTestSource = (id = source_id) => runSyncOfSource(scope, id, 'forced');
export const serveTestCalendarFeed = (...stays: FeedStay[]) => feedServer.serve(renderTestCalendarFeed(stays));
export const getTestDb = () => systemDb();
export const listReservations = () =>
  getTestDb().reservation.findMany({ orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }] });
export const findOnlyReservation = async () => {
  const [row, ...others] = await listReservations();
  expect(others).toEqual([]);
  return row!;
};
export const findTestSyncSource = () => getTestDb().syncSource.findUniqueOrThrow({ where: { id: source_id } });
export const listEventTypes = async () =>
  (await getTestDb().event.findMany({ orderBy: { sequence: 'asc' } })).map(({ type }) => type);
export const listTrailEntryTypesOfReservation = async (id: string) =>
  (await getTestDb().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } })).map(
    ({ type }) => type,
  );
export const findLastSyncRun = () => getTestDb().syncRun.findFirstOrThrow({ orderBy: { id: 'desc' } });
export const parseDayAsUtcMidnight = (text: string) => new Date(`${text}T00:00:00Z`);

/** Returns everything that a run can write, except for the source's row. */
export async function readTablesWrittenBySyncRun() {
  return JSON.stringify(
    [
      await listReservations(),
      await getTestDb().trailEntry.findMany({ orderBy: { id: 'asc' } }),
      await getTestDb().event.findMany({ orderBy: { id: 'asc' } }),
      await getTestDb().syncRun.findMany({ orderBy: { id: 'asc' } }),
      await getTestDb().mailMessage.findMany({ orderBy: { id: 'asc' } }),
    ],
    (_key, value) => (typeof value === 'bigint' ? String(value) : value),
  );
}
/** Runs each calendar that is due. Returns the number of runs. */
export async function pollAllDueCalendars(): Promise<number> {
  const due = await findDueCalendars();
  await Promise.all(due.map(({ sync_source_id }) => pollDueCalendar(sync_source_id)));
  return due.length;
}
