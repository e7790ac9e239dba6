/** Tests random histories of calendars against an oracle that knows the true bookings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { addDays } from '../feed/calendar-days';
import { type FeedEntry, interpretFeed } from '../feed/reader';
import { splitFeedIntoEvents } from '../feed/text';
import type { StayClassification } from '../json-columns.schemas';
import { applySyncPlanInMemory, buildFeedEntry, HOUR_MS, NOW, TODAY } from '../testing/plans';
import {
  getStayDays,
  getStayEventUid,
  getStayReservationCode,
  isStayRecognizableAsBooking,
  RANDOM_CALENDAR_VARIANTS,
  randomStaysArbitrary,
  renderRandomCalendar,
  selectStaysInCalendar,
} from '../testing/random-calendars';
import { applyHostAnswerAboutCalendar as answerHeld, EMPTY_CALENDAR_QUESTIONS_TO_HOST } from './calendar-question';
import { hasReservationCodeOtherThan } from './guest-identity';
import type { BookingChannel, StoredBooking } from './match-bookings';
import { planSync, type SyncPlan, type SyncPlanInput } from './planner';

describe('random sequences of calendars', () => {
  const stay = fc.record({
    slot: fc.integer({ min: -2, max: 10 }),
    shift: fc.integer({ min: 0, max: 3 }),
    nights: fc.integer({ min: 1, max: 5 }),
    uid: fc.integer({ min: 0, max: 14 }),
    class: fc.constantFrom<FeedEntry['class']>('booking', 'booking', 'booking', 'closure', 'block', 'tentative'),
    cancelled: fc.boolean().map((value) => value),
    name: fc.constantFrom<string | null>(null, null, 'Jane Doe', 'Kim Lee'),
    coded: fc.boolean(),
  });
  const poll = fc.record({
    stays: fc.uniqueArray(stay, { maxLength: 7, selector: (item) => item.uid }),
    whole: fc.boolean().chain((value) => (value ? fc.constant(true) : fc.boolean())),
    hours: fc.constantFrom(0, 0.25, 1, 5, 24),
    /** A change of a reservation between two polls. */
    event: fc.record({
      row: fc.nat(20),
      what: fc.constantFrom('none', 'none', 'sign', 'hold', 'redact', 'ignore', 'send', 'expire'),
    }),
  });
  const WHAT: Record<string, Partial<StoredBooking>> = {
    sign: { status: 'signed', signed: true },
    hold: { legal_hold: true },
    redact: { redacted: true },
    ignore: { status: 'ignored', cancel_reason: 'host' },
    send: { status: 'sent' },
    expire: { status: 'expired' },
  };

  it.each(selectSampledCases<BookingChannel>(['channel_a', 'channel_b', 'channel_c']))(
    'on %s keep every invariant',
    MATRIX_TEST_OPTIONS,
    (channel) => {
      fc.assert(
        fc.property(fc.array(poll, { maxLength: 8 }), (polls) => {
          let known: StoredBooking[] = [];
          let marks: StayClassification[] = [];
          let last_healthy_count: number | null = null;
          let shrunk_since: Date | null = null;
          let held = EMPTY_CALENDAR_QUESTIONS_TO_HOST;
          let now = NOW;
          for (const { stays, whole, hours, event } of polls) {
            now = new Date(now.getTime() + hours * HOUR_MS);
            const today = now.toISOString().slice(0, 10);
            const entries = stays.map((item) => {
              const from = addDays(TODAY, item.slot * 4 + item.shift);
              const code = channel === 'channel_a' && item.coded ? `HMCODE${item.uid}` : null;
              return buildFeedEntry(from, addDays(from, item.nights), {
                uid: `u${item.uid}`,
                reservation_code: code,
                class: item.class,
                cancelled: item.cancelled && item.uid % 4 === 0,
                guest_name: item.name,
              });
            });
            const input: SyncPlanInput = {
              channel,
              known,
              feed: { entries, seen: [], whole, event_count: entries.length },
              last_healthy_count,
              shrunk_since,
              closures_are_blocks: false,
              marks,
              held,
              now,
              today,
            };
            const result = planSync(input);
            checkPlan(input, result);
            known = applySyncPlanInMemory(known, result, now);
            marks = [...marks, ...result.new_marks];
            last_healthy_count = result.health.healthy_count;
            shrunk_since = result.health.shrunk_since;
            held = result.held;

            const again = planSync({ ...input, known, marks, held, last_healthy_count, shrunk_since });
            expect({
              creates: again.creates,
              updates: again.updates,
              moved: again.moved,
              vanished: again.vanished,
              cancels: again.cancels,
              returned: again.returned,
              new_marks: again.new_marks,
            }).toEqual({ creates: [], updates: [], moved: [], vanished: [], cancels: [], returned: [], new_marks: [] });
            expect(again.health).toEqual(result.health);
            expect(again.held).toEqual(held);

            const target = known[event.row];
            if (target && target.status !== 'ignored' && event.what !== 'none') {
              known = known.map((old) => (old === target ? { ...old, ...WHAT[event.what] } : old));
            }
          }
        }),
        { numRuns: Number(process.env.CALENDAR_SEQUENCES ?? 1_500) },
      );
    },
  );

  it('from careless channels lose, duplicate or misdate no booking', () => {
    const step = fc.record({
      stays: randomStaysArbitrary,
      whole: fc.constantFrom(...RANDOM_CALENDAR_VARIANTS),
      hours: fc.constantFrom(0, 1, 5, 24),
      answer: fc.constantFrom<'apply' | 'keep' | null>('apply', 'keep', null),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
        let known: StoredBooking[] = [];
        let held = EMPTY_CALENDAR_QUESTIONS_TO_HOST;
        let [last_healthy_count, shrunk_since]: [number | null, Date | null] = [null, null];
        let now = NOW;
        /** Rows that the host chose to keep, until their bookings are in the calendar again. */
        let left = new Set<string>();
        for (const { whole, hours, answer, ...made } of steps) {
          now = new Date(now.getTime() + hours * HOUR_MS);
          const today = now.toISOString().slice(0, 10);
          const stays = selectStaysInCalendar(made.stays, whole);
          const opened = splitFeedIntoEvents(new TextEncoder().encode(renderRandomCalendar(stays, whole)));
          if (!opened.ok) throw new Error(opened.reason);
          const feed = interpretFeed(opened, { kind: 'channel_a_ical', time_zone: 'UTC', today });
          const run = () => {
            const settings = { closures_are_blocks: false, marks: [], held, now, today };
            const health = { last_healthy_count, shrunk_since };
            const result = planSync({ channel: 'channel_a', known, feed, ...health, ...settings });
            known = applySyncPlanInMemory(known, result, now);
            ({ healthy_count: last_healthy_count, shrunk_since } = result.health);
            held = result.held;
            return result;
          };
          const before = known;
          const confirmed = held.question?.apply ? held.question.would.map(({ reservation_id }) => reservation_id) : [];
          const result = run();

          const isIn = ({ external_id, external_uid }: StoredBooking) =>
            stays.some((one) =>
              [getStayEventUid(one), getStayReservationCode(one)].some(
                (id) => id === external_uid || id === external_id,
              ),
            );
          const isCancelled = ({ external_id, external_uid }: StoredBooking) =>
            feed.entries.some((one) => one.cancelled && [external_id, external_uid].includes(one.uid));
          const ahead = before.filter(({ status, checkin_date }) => status !== 'ignored' && checkin_date > today);
          const at_once = ahead.filter(
            ({ id, feed_misses }) => feed_misses === 0 && !left.has(id) && !confirmed.includes(id),
          );
          if (at_once.length >= 2 && !ahead.some(isIn) && feed.event_count > 0) {
            expect(known).toEqual(before);
            const asked = held.question?.would.filter(({ what }) => what === 'cancel' || what === 'move');
            expect(asked?.map(({ reservation_id }) => reservation_id)).toEqual(
              expect.arrayContaining(at_once.map(({ id }) => id)),
            );
          }
          const isBack = (row: StoredBooking) => row.status !== 'ignored' && isIn(row) && !isCancelled(row);
          if (feed.event_count > 0) {
            left = new Set([...left].filter((id) => !before.some((row) => row.id === id && isBack(row))));
          }
          for (const id of left) {
            const state = (rows: StoredBooking[]) => {
              const row = rows.find((one) => one.id === id || one.external_id === id);
              return row && [row.status, row.checkin_date, row.checkout_date];
            };
            expect(state(known)).toEqual(state(before));
          }

          for (const item of stays) {
            const its = (rows: StoredBooking[]) =>
              rows.filter(
                ({ status, external_id, external_uid }) =>
                  status !== 'ignored' &&
                  (external_uid === getStayEventUid(item) || external_id === getStayReservationCode(item)),
              );
            if (!item.cancelled && its(before).length > 0) expect(its(known)).not.toEqual([]);
            expect(its(known).length).toBeLessThan(2);
            const { from, to } = getStayDays(item);
            const names = [getStayEventUid(item), getStayReservationCode(item)];
            const kept_out =
              names.some((id) => left.has(id)) ||
              before.some(
                ({ id, external_id, external_uid }) =>
                  left.has(id) && names.some((name) => name === external_id || name === external_uid),
              );
            if (
              isStayRecognizableAsBooking(item) &&
              !kept_out &&
              (result.healthy || (its(before).length > 0 && !held.question))
            )
              expect(its(known)).toMatchObject([{ checkin_date: from, checkout_date: to }]);
          }

          const { question } = held;
          if (!question || !answer) continue;
          held = answerHeld(held, answer);
          const asked = known;
          const { cancels, creates } = run();
          if (answer === 'apply' && feed.event_count === 0) {
            // An empty calendar is not healthy, so the host's answer is applied later.
            expect(known).toEqual(asked);
            continue;
          }
          expect(held.question).toBeNull();
          const ids = (what: string) => question.would.filter((one) => one.what === what);
          if (answer === 'apply') {
            expect(cancels.map(({ id }) => id).sort()).toEqual(
              ids('cancel')
                .map((one) => one.reservation_id)
                .sort(),
            );
            expect(creates.map(({ external_id }) => external_id).sort()).toEqual(
              ids('create')
                .map((one) => one.external_ids[0])
                .sort(),
            );
          } else {
            expect(known).toEqual(asked);
            left = new Set(held.kept);
          }
        }
      }),
      { numRuns: Number(process.env.CALENDAR_SEQUENCES ?? 400) },
    );
  });

  function checkPlan(input: SyncPlanInput, result: SyncPlan): void {
    const rows = new Map(input.known.map((item) => [item.id, item]));
    const written = [
      ...result.updates.map((change) => change.id),
      ...result.moved.map((change) => change.id),
      ...result.vanished.map((miss) => miss.id),
      ...result.cancels.map((cancel) => cancel.id),
      ...result.returned.map((change) => change.id),
    ];
    expect(new Set(written).size).toBe(written.length);
    for (const id of written) {
      const target = rows.get(id)!;
      expect(target.signed || target.redacted || target.legal_hold || target.manual_override).toBe(false);
      expect(target.status).not.toBe('signed');
    }
    // An expired stay that continues gets its new dates and no other change.
    const ended = [...result.vanished, ...result.cancels, ...result.returned];
    for (const { id } of ended) expect(rows.get(id)!.status).not.toBe('expired');
    if (!result.healthy) {
      expect(result.cancels).toEqual([]);
      expect(result.vanished).toEqual([]);
      expect(result.moved).toEqual([]);
    }
    for (const cancel of result.cancels.filter((item) => item.because === 'missing_twice')) {
      const target = rows.get(cancel.id)!;
      expect(target.feed_misses).toBe(1);
      expect(input.now.getTime() - target.feed_first_missed_at!.getTime()).toBeGreaterThanOrEqual(HOUR_MS);
      // The booking was first recorded as missing before the check-in day. The second record may be
      // made on that day.
      expect(target.checkin_date >= input.today).toBe(true);
    }
    const lost = result.cancels.map(({ id }) => rows.get(id)!);
    // A reservation code identifies a booking more reliably than a UID. This also holds for
    // cancelled entries.
    const cancelled_codes = new Set(input.feed.entries.map((one) => one.cancelled && one.reservation_code));
    for (const { uid, reservation_code, cancelled } of input.feed.entries) {
      const named = lost.filter(
        (one) =>
          one.external_uid === uid &&
          !hasReservationCodeOtherThan(one, reservation_code) &&
          !cancelled_codes.has(one.external_id ?? ''),
      );
      // An entry with the code of another reservation belongs to that reservation, regardless of
      // its UID.
      const anothers = input.known.some((one) => one.external_id === reservation_code && !named.includes(one));
      if (!cancelled && !anothers) expect(named).toEqual([]);
    }
    const live = applySyncPlanInMemory([...input.known], result, input.now).filter((item) => item.status !== 'ignored');
    const identities = live.map((item) => item.external_id);
    expect(new Set(identities).size).toBe(identities.length);
    const spoken = [...result.creates, ...result.skipped.map((item) => item.entry)].map((item) => item.uid);
    expect(new Set(spoken).size).toBe(spoken.length);
    for (const made of result.creates) expect(made.checkout_date > input.today && !made.cancelled).toBe(true);
  }
});
