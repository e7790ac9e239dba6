/**
 * Tests two calendars of one property, polled at the same time: the double bookings reported to the
 * host, and the packets sent automatically.
 */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { setConfig } from '@/config';
import type { Reservation } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { updateProperty } from '@/modules/properties/service';
import { detectDoubleBookings } from '@/modules/reservations/double-bookings/detect';
import * as nights from '@/modules/reservations/double-bookings/repository';
import {
  findStayOverlaps,
  hasNoGuestDetails,
  sortReservationIdPair,
} from '@/modules/reservations/double-bookings/same-nights.rules';
import { findDueScheduledActions, performDueScheduledActions } from '@/modules/reservations/timed/due-work';
import { convertDatabaseDateToIsoDay } from '@/shared/calendar-day';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import type { FakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readOutboundMails } from '@/testing/mail';
import { simulateSyncRun } from '../dry-run';
import { createSyncSource } from '../service';
import {
  FEED_STAY_OF_GUEST_ANA,
  FEED_STAY_OF_GUEST_BEN,
  openCalendarTestContext,
} from '../testing/calendar-test-context';
import { type FeedServer, type FeedStay, renderTestCalendarFeed, startFeedServer } from '../testing/feed-server';
import { getStayDays, randomStaysArbitrary, renderRandomCalendar } from '../testing/random-calendars';
import { runSyncOfSource } from './run';

const HOUR = 3_600_000;
let scope: Scope;
let time: FakeClock;
let property_id: string;
let a: { id: string; feed: FeedServer };
let c: { id: string; feed: FeedServer };

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(begin);
afterEach(end);

async function begin() {
  setConfig({ resend_api_key: 're_test' });
  const world = await openCalendarTestContext();
  ({ scope, time, property_id } = world);
  time.set(new Date('2026-06-05T10:00:00Z'));
  await updateProperty(scope, property_id, { auto_send_packet: true, auto_send_offset_hours: 336 }, null);
  const connect = async (kind: 'channel_a_ical' | 'channel_c_ical', feed: FeedServer) => ({
    feed,
    id: (await createSyncSource(scope, { property_id, kind, feed_url: feed.url })).id,
  });
  a = await connect('channel_a_ical', world.feed);
  c = await connect('channel_c_ical', await startFeedServer());
}

async function end() {
  setClock(null);
  await Promise.all([a.feed.close(), c.feed.close()]);
}

const closed = (uid: string, { from, to }: { from: string; to: string }, name = 'Not available'): FeedStay => ({
  uid: `${uid}@c`,
  from,
  to,
  summary: `CLOSED - ${name}`,
});
const pollBoth = () => Promise.all([a, c].map(({ id }) => runSyncOfSource(scope, id, 'schedule')));
const mails = () => readOutboundMails({ template: 'same_nights' });
const rows = () => systemDb().reservation.findMany({ orderBy: { id: 'asc' } });

async function autoSend(): Promise<Set<string>> {
  const due = await findDueScheduledActions(['auto_send']);
  const sent = new Set<string>();
  for (const { reservation_ids } of due)
    for (const id of reservation_ids) if ((await performDueScheduledActions('auto_send', id)) === 'done') sent.add(id);
  return sent;
}

it('a block that mirrors a booking raises no alert, and a separate booking raises one', async () => {
  a.feed.serve(renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA]));
  c.feed.serve(renderTestCalendarFeed([closed('1', FEED_STAY_OF_GUEST_ANA)]));
  await pollBoth();
  expect(await rows()).toHaveLength(2);
  expect(await mails()).toEqual([]);
  c.feed.serve(
    renderTestCalendarFeed([
      closed('1', FEED_STAY_OF_GUEST_ANA),
      closed('2', { from: FEED_STAY_OF_GUEST_ANA.from, to: '2026-06-11' }, 'Jane Doe'),
    ]),
  );
  for (let poll = 0; poll < 3; poll += 1) {
    time.advance(2 * HOUR);
    await pollBoth();
  }
  expect(await mails()).toHaveLength(1);
});

it('double bookings are checked only when another calendar of the property has upcoming nights', async () => {
  const compared = vi.spyOn(nights, 'markAsCheckedForDoubleBookings');
  a.feed.serve(renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA, FEED_STAY_OF_GUEST_BEN]));
  await runSyncOfSource(scope, a.id, 'schedule');
  expect(compared).not.toHaveBeenCalled();
  c.feed.serve(renderTestCalendarFeed([closed('1', FEED_STAY_OF_GUEST_BEN, 'Jane Doe')]));
  await runSyncOfSource(scope, c.id, 'schedule');
  expect(compared).toHaveBeenCalledOnce();
  expect(await mails()).toHaveLength(1);
  expect((await rows()).filter(({ nights_changed }) => nights_changed)).toEqual([]);
});

it('the dry run of a calendar that is not connected yet lists conflicts with existing reservations', async () => {
  a.feed.serve(renderTestCalendarFeed([FEED_STAY_OF_GUEST_ANA]));
  await runSyncOfSource(scope, a.id, 'forced');
  const { id } = await systemDb().reservation.findFirstOrThrow();
  c.feed.serve(
    renderTestCalendarFeed([
      closed('1', FEED_STAY_OF_GUEST_ANA),
      closed('2', { from: '2026-06-13', to: '2026-06-20' }, 'Jo Doe'),
    ]),
  );
  expect(await simulateSyncRun(scope, c.id)).toMatchObject({
    changes: [
      { what: 'create', same_nights: [{ as: 'repeats', reservation_id: id }] },
      { what: 'create', guest_name: 'Jo Doe', same_nights: [{ as: 'conflict', reservation_id: id }] },
    ],
  });
});

const stayOf = (row: Reservation) => ({
  ...row,
  checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
  checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
});

/** Returns every pair of bookings for the same nights, computed from the rules alone. */
const clashesAmong = (all: readonly Reservation[]) => {
  const stays = all.map(stayOf);
  const pairs = stays.flatMap((one) =>
    findStayOverlaps(one, stays).flatMap(({ as, other }) =>
      as === 'conflict' ? sortReservationIdPair(one.id, other.id).join(' ') : [],
    ),
  );
  return [...new Set(pairs)].sort();
};

const step = fc.record({
  of_a: randomStaysArbitrary,
  of_c: randomStaysArbitrary,
  hours: fc.integer({ min: 0, max: 3 }),
  address: fc.boolean(),
});

it('in random histories of two calendars each double booking is reported once and none is sent', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
        let known: string[] = [];
        for (const { of_a, of_c, hours, address } of steps) {
          time.advance(hours * HOUR);
          a.feed.serve(renderRandomCalendar(of_a));
          const name = (words: string) => (words.includes('Jane') ? 'Kim Lee' : 'Not available');
          c.feed.serve(
            renderTestCalendarFeed(
              of_c.map((stay) => closed(String(stay.number), getStayDays(stay), name(stay.words))),
            ),
          );
          const told = (await mails()).length;
          await pollBoth();
          if (address) {
            const some = (await rows()).filter((_, index) => index % 2 === 0).map(({ id }) => id);
            await systemDb().reservation.updateMany({
              where: { id: { in: some } },
              data: { guest_email: 'guest@example.com', nights_changed: true },
            });
          }
          await Promise.all([detectDoubleBookings(), detectDoubleBookings()]);
          const all = await rows();
          const clashes = clashesAmong(all);
          const stored = await systemDb().sameNights.findMany();
          expect(stored.map(({ reservation_id, other_id }) => `${reservation_id} ${other_id}`).sort()).toEqual(clashes);
          expect(all.filter(({ nights_changed }) => nights_changed)).toEqual([]);
          const fresh = clashes.filter((pair) => !known.includes(pair)).length;
          const mailed = (await mails()).length - told;
          expect(mailed).toBeGreaterThanOrEqual(fresh > 0 ? 1 : 0);
          // The number of mails is not exact, because one mail can list several pairs of double
          // bookings. If there was no pair before or after this step, no mail is sent.
          if (clashes.length === 0 && known.length === 0) expect(mailed).toBe(0);
          known = clashes;
          const settled = (await mails()).length;
          await pollBoth();
          await detectDoubleBookings();
          expect((await mails()).length).toBe(settled);
          const sent = await autoSend();
          const stays = (await rows()).map(stayOf);
          for (const one of stays.filter(({ id }) => sent.has(id))) {
            const others = findStayOverlaps(one, stays).filter(
              ({ as, other }) => as === 'conflict' && !hasNoGuestDetails(other),
            );
            expect(others).toEqual([]);
          }
        }
      })
      .beforeEach(async () => {
        await end();
        await begin();
      }),
    { numRuns: Number(process.env.CALENDAR_SEQUENCES ?? 10) },
  );
}, 600_000);
