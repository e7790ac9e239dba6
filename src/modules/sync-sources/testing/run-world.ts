import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { systemDb } from '@/infra/db/client';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { FakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { findDue, runDue } from '../run/due';
import { runSource } from '../run/run';
import { createSyncSource } from '../service';
import { calendarWorld } from './calendar-world';
import { calendar, type FeedServer, type FeedStay } from './feed-server';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export let scope: Scope;
export let time: FakeClock;
export let feed: FeedServer;
export let property_id: string;
export let source_id: string;

/** Sets up a new team with a property and a calendar for each test of the file. */
export function openRunWorld(): void {
  beforeAll(openTestDatabase);
  afterAll(closeTestDatabase);
  beforeEach(async () => {
    ({ time, scope, feed, property_id } = await calendarWorld());
    source_id = await newSource();
  });
  afterEach(async () => {
    setClock(null);
    await feed.close();
  });
}

// A property can connect a calendar only once, so each source gets its own URL of the same server.
export let rooms = 0;
export const newSource = async (kind: 'channel_a_ical' | 'channel_b_ical' | 'channel_c_ical' = 'channel_a_ical') =>
  (await createSyncSource(scope, { property_id, kind, feed_url: `${feed.url}&room=${++rooms}` })).id;
export const run = (id = source_id) => runSource(scope, id, 'forced');
export const serve = (...stays: FeedStay[]) => feed.serve(calendar(stays));
export const db = () => systemDb();
export const rows = () => db().reservation.findMany({ orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }] });
export const only = async () => {
  const [row, ...others] = await rows();
  expect(others).toEqual([]);
  return row!;
};
export const source = () => db().syncSource.findUniqueOrThrow({ where: { id: source_id } });
export const types = async () => (await db().event.findMany({ orderBy: { sequence: 'asc' } })).map(({ type }) => type);
export const trail = async (id: string) =>
  (await db().trailEntry.findMany({ where: { reservation_id: id }, orderBy: { seq: 'asc' } })).map(({ type }) => type);
export const lastRun = () => db().syncRun.findFirstOrThrow({ orderBy: { id: 'desc' } });
export const day = (text: string) => new Date(`${text}T00:00:00Z`);

/** Returns everything that a run can write, except for the source's row. */
export async function everythingElse() {
  return JSON.stringify(
    [
      await rows(),
      await db().trailEntry.findMany({ orderBy: { id: 'asc' } }),
      await db().event.findMany({ orderBy: { id: 'asc' } }),
      await db().syncRun.findMany({ orderBy: { id: 'asc' } }),
      await db().mailMessage.findMany({ orderBy: { id: 'asc' } }),
    ],
    (_key, value) => (typeof value === 'bigint' ? String(value) : value),
  );
}
/** Runs each calendar that is due. Returns the number of runs. */
export async function runDueSources(): Promise<number> {
  const due = await findDue();
  await Promise.all(due.map(({ sync_source_id }) => runDue(sync_source_id)));
  return due.length;
}
