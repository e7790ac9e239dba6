/**
 * Tests random sequences of calendars with a real database, for invariants that must hold with any
 * calendar.
 */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { SyncRun } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { PropertyCreate } from '@/modules/properties/schemas';
import { createProperty } from '@/modules/properties/service';
import { markReservationSigned } from '@/modules/reservations/host.service';
import { setClock } from '@/shared/clock';
import type { ResultWithUntranslatedRefusals } from '@/shared/refusals/refusal';
import { installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase, insertTeam } from '@/testing/team';
import { simulateSyncRun } from '../dry-run';
import type { SyncDryRunResult } from '../host.schemas';
import { syncRunChangesJsonColumn } from '../json-columns.schemas';
import { createSyncSource } from '../service';
import { type FeedServer, startFeedServer } from '../testing/feed-server';
import {
  getStayEventUid,
  getStayReservationCode,
  type RandomStay,
  randomStaysArbitrary,
  renderRandomCalendar,
} from '../testing/random-calendars';
import { runSyncOfSource } from './run';

const HOUR = 3_600_000;
let feed: FeedServer;

beforeAll(async () => {
  await openTestDatabase();
  feed = await startFeedServer();
});
afterAll(async () => {
  await feed.close();
  await closeTestDatabase();
});
afterEach(() => setClock(null));

const step = fc.record({
  stays: randomStaysArbitrary,
  shape: fc.constantFrom('whole', 'whole', 'whole', 'cut', 'page', 'error'),
  hours: fc.integer({ min: 0, max: 3 }),
  sign: fc.boolean(),
});

const identitiesOf = (stay: RandomStay) => [getStayEventUid(stay), getStayReservationCode(stay)];

/**
 * Formats a change in one line, to compare the dry run with the run: action, reservation, and the
 * new dates.
 */
const line = (what: string, id: string | null, { checkin_date, checkout_date }: Stay) =>
  `${what} ${what === 'create' ? 'new' : id} ${checkin_date} ${checkout_date}`;
type Stay = { checkin_date: string; checkout_date: string };

function expectedOf(said: ResultWithUntranslatedRefusals<SyncDryRunResult>): string[] {
  if (!said.ok || said.asks) return [];
  const done = said.changes.filter(({ what }) => what !== 'miss' && what !== 'adopt');
  return done.map((one) => line(one.what, one.reservation_id, one)).sort();
}

const VERBS = { cancelled: 'cancel', moved: 'move', updated: 'update', restored: 'restore', created: 'create' };

function doneBy(run: SyncRun): string[] {
  return syncRunChangesJsonColumn
    .read(run.changes)
    .filter((one) => one.what !== 'updated' || line('', '', one) !== line('', '', one.was ?? one))
    .map((one) => line(VERBS[one.what], one.reservation_id, one))
    .sort();
}

it('random runs change no signed reservation, cancel or duplicate no listed booking, and match their dry run', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
      await clearDatabase();
      const time = installFakeClock('2026-05-01T10:00:00Z');
      const scope = await insertTeam();
      const property = await createProperty(scope, PropertyCreate.parse({ name: 'Casa Azul' }));
      const { id } = await createSyncSource(scope, {
        property_id: property.id,
        kind: 'channel_a_ical',
        feed_url: feed.url,
      });
      const lastRun = () => systemDb().syncRun.findFirst({ orderBy: { id: 'desc' } });
      const rows = () => systemDb().reservation.findMany({ orderBy: { id: 'asc' } });
      const written = async () =>
        JSON.stringify([await rows(), await systemDb().trailEntry.count(), await systemDb().event.count()]);
      for (const { shape, hours, sign, ...content } of steps) {
        time.advance(hours * HOUR);
        const text = renderRandomCalendar(content.stays);
        if (shape === 'error') feed.serve({ status: 500 });
        else if (shape === 'page') feed.serve('<!doctype html><html></html>');
        else feed.serve(shape === 'cut' ? text.slice(0, -'END:VCALENDAR\r\n'.length) : text);
        const before = await rows();
        const known = (await systemDb().syncSource.findFirstOrThrow()).last_healthy_count ?? 0;
        const untouched = await written();
        const said = await simulateSyncRun(scope, id);
        expect(await written()).toBe(untouched);
        const earlier_run = await lastRun();
        await runSyncOfSource(scope, id, 'schedule');
        const after = await rows();
        const run = await lastRun();
        // A run without changes leaves no record.
        expect(expectedOf(said)).toEqual(run && run.id !== earlier_run?.id ? doneBy(run) : []);
        for (const row of before.filter(({ status }) => status === 'signed')) {
          expect(after.find((other) => other.id === row.id)).toEqual(row);
        }
        const bookings = content.stays.filter(({ words }) => words !== 'Channel (Not available)').length;
        const healthy = shape === 'whole' && content.stays.length > 0 && (known < 2 || bookings * 2 >= known);
        if (!healthy) {
          // In an unhealthy calendar, a missing booking is not cancelled. Only an entry that is
          // marked as cancelled cancels its booking.
          const said = new Set(content.stays.filter((one) => one.cancelled).flatMap(identitiesOf));
          const ignored = (list: typeof after) => list.filter(({ status }) => status === 'ignored');
          const earlier = new Set(ignored(before).map(({ id: row }) => row));
          const newly = ignored(after).filter(({ id: row }) => !earlier.has(row));
          expect(newly.filter((row) => !said.has(row.external_id ?? ''))).toEqual([]);
        }
        for (const stay of content.stays) {
          const isIts = (row: (typeof after)[number]) =>
            identitiesOf(stay).some((id) => id === row.external_id || id === row.external_uid);
          const its = (list: typeof after) => list.filter((row) => isIts(row) && row.status !== 'ignored');
          if (!stay.cancelled && its(before).length > 0) expect(its(after)).not.toEqual([]);
          expect(its(after).length).toBeLessThan(2);
        }
        const live = after.filter(({ status }) => status !== 'ignored').map(({ external_id }) => external_id);
        expect(new Set(live).size).toBe(live.length);
        const settled = await written();
        if (shape === 'whole' || shape === 'cut') {
          await runSyncOfSource(scope, id, 'schedule');
          expect(await written()).toBe(settled);
        }
        const first = after.find(({ status }) => status === 'synced');
        if (sign && first) await markReservationSigned(scope, first.id);
      }
    }),
    { numRuns: 8 },
  );
}, 120_000);
