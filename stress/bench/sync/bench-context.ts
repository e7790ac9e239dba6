/**
 * Common parts of the calendar benchmarks: a database, a property, and calendars that a separate
 * thread serves.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { closeOutboundConnections } from '../../../src/infra/outbound/client';
import { PropertyCreate } from '../../../src/modules/properties/schemas';
import { createProperty } from '../../../src/modules/properties/service';
import { createSyncSource } from '../../../src/modules/sync-sources/service';
import { renderTestCalendarFeed } from '../../../src/modules/sync-sources/testing/feed-server';
import { closeTestDatabase, openTestDatabase } from '../../../src/testing/database';
import { insertTeam } from '../../../src/testing/team';
import { computeMinMedianAndMax } from '../lib/measure';

export const CALENDAR_EVENT_COUNT = 1_000;

const DAY_MS = 86_400_000;
const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns the calendar's text for a poll. As with real channels, each poll has new timestamps and
 * another order.
 */
export function renderIcalendarTextForPollNumber(round: number, events = CALENDAR_EVENT_COUNT): string {
  const stays = Array.from({ length: events }, (_, n) => ({
    uid: `7f662ec65913-${String(n).padStart(32, '0')}@channel-a.example`,
    from: day(n * 3 + 1),
    to: day(n * 3 + 3),
    description: `Reservation URL: https://www.channel-a.example/hosting/reservations/details/HM${String(n).padStart(8, '0')}\\nPhone Number (Last 4 Digits): 1234`,
  }));
  const at = round % events;
  return renderTestCalendarFeed([...stays.slice(at), ...stays.slice(0, at)], `20260101T${String(100000 + round)}Z`);
}

export async function setUpSyncBenchContext() {
  await openTestDatabase();
  const scope = await insertTeam();
  const channel = new Worker(new URL('../lib/feed-thread.mjs', import.meta.url));
  const [feed_url] = (await once(channel, 'message')) as [string];
  const property = await createProperty(scope, PropertyCreate.parse({ name: 'Bench' }));
  const source = await createSyncSource(scope, { property_id: property.id, kind: 'channel_a_ical', feed_url });
  return {
    scope,
    source,
    async serve(text: string) {
      channel.postMessage(text);
      await once(channel, 'message');
    },
    async close() {
      await channel.terminate();
      await closeOutboundConnections();
      await closeTestDatabase();
    },
  };
}

/** Runs the work and appends its duration to `into`. */
export async function measureDuration(into: number[], work: () => unknown): Promise<void> {
  const started = performance.now();
  await work();
  into.push(performance.now() - started);
}

/** Formats values as `5.1 ms (3.7 to 11.4)`: median, minimum and maximum. */
export function formatMedianAndRange(values: readonly number[], unit: string): string {
  const { min, median, max } = computeMinMedianAndMax(values);
  return `${median.toFixed(1)}${unit} (${min.toFixed(1)} to ${max.toFixed(1)})`;
}

/**
 * Prints the ratios of successive rounds and their target. Returns whether the target is reached.
 */
export function printRatiosAndCheckMedianAgainstTarget(ratios: readonly number[], target: number): boolean {
  const reached = computeMinMedianAndMax(ratios).median <= target;
  console.log(
    `  ratio ${formatMedianAndRange(ratios, '')}, target at most ${target}: ${reached ? 'reached' : 'NOT reached'}`,
  );
  return reached;
}
