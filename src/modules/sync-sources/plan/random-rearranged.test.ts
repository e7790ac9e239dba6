/**
 * Tests random histories of a channel that merges and splits its closures and moves stays under new
 * UIDs. The host gives random answers. The oracle knows the true bookings. It does not check stays
 * and nights about which the host has answered.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../feed/calendar-days';
import type { FeedEntry } from '../feed/reader';
import type { CalendarQuestionsAndHostAnswers, StoredStayQuestion } from '../json-columns.schemas';
import { applySyncPlanInMemory, buildFeedEntry, HOUR_MS, NOW } from '../testing/plans';
import { EMPTY_CALENDAR_QUESTIONS_TO_HOST } from './calendar-question';
import type { StoredBooking } from './match-bookings';
import { planSync } from './planner';
import { setHostAnswerToStayQuestion } from './stay-questions';

const BOOKINGS = 5;
/**
 * A booking that is always in the calendar, so that the calendar never appears to belong to another
 * listing.
 */
const ANCHOR = buildFeedEntry('2027-02-01', '2027-02-05', { uid: 'anchor', guest_name: 'Ann Anchor' });
const NAMES = ['Jane Doe', 'Kim Lee', 'Ben Okri', 'Ana Lima', 'Tom Roe'];

interface Booking {
  readonly index: number;
  readonly name: string | null;
  from: string;
  to: string;
  real: boolean;
  /** Whether a run has read the booking with its current dates. */
  shown: boolean;
  moves: number;
}

const event = fc.constantFrom('none', 'none', 'none', 'cancel', 'away', 'shift', 'merge', 'merge', 'split');
const step = fc.record({
  hours: fc.constantFrom(1, 2, 6),
  events: fc.array(event, { minLength: BOOKINGS, maxLength: BOOKINGS }),
  answers: fc.array(fc.constantFrom('follow', 'keep', null), { minLength: 4, maxLength: 4 }),
});
const history = fc.record({
  gaps: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: BOOKINGS, maxLength: BOOKINGS }),
  nights: fc.array(fc.integer({ min: 2, max: 5 }), { minLength: BOOKINGS, maxLength: BOOKINGS }),
  named: fc.array(fc.boolean(), { minLength: BOOKINGS, maxLength: BOOKINGS }),
  steps: fc.array(step, { minLength: 2, maxLength: 7 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

function bookingsOf({ gaps, nights, named }: History): Booking[] {
  let from = '2026-06-10';
  return gaps.map((gap, index) => {
    from = addDays(from, gap);
    const to = addDays(from, nights[index]!);
    const booking = { index, name: named[index] ? NAMES[index]! : null, from, to, real: true, shown: false, moves: 0 };
    from = to;
    return booking;
  });
}

/**
 * Returns a calendar entry for unavailable nights. Its UID depends on its first day, as in channel
 * C's calendars.
 */
const closure = (whose: number, from: string, to: string, guest_name: string | null = null): FeedEntry =>
  buildFeedEntry(from, to, { uid: `c${whose}-${from}`, guest_name });
const plain = ({ index, from, to, name }: Booking): FeedEntry => closure(index, from, to, name);

/** Applies events to the bookings, and returns the channel's resulting calendar. */
function poll(bookings: Booking[], events: History['steps'][number]['events']): FeedEntry[] {
  for (const [index, booking] of bookings.entries()) {
    const what = events[index];
    if (!booking.real || !booking.shown) continue;
    if (what === 'cancel') booking.real = false;
    if (what === 'away' && booking.name) {
      booking.moves += 1;
      booking.from = addDays('2026-08-01', booking.moves * 80 + booking.index * 12);
      booking.to = addDays(booking.from, 3);
    }
    const next = bookings.find(
      (one) => one.real && one !== booking && one.from >= booking.to && one.from <= addDays(booking.to, 1),
    );
    if (what === 'shift' && !next) {
      booking.from = addDays(booking.from, 1);
      booking.to = addDays(booking.to, 1);
    }
  }
  const entries: FeedEntry[] = [];
  const real = bookings.filter((one) => one.real).sort((a, b) => (a.from < b.from ? -1 : 1));
  for (let at = 0; at < real.length; at += 1) {
    const [booking, next] = [real[at]!, real[at + 1]];
    const what = events[booking.index];
    if (what === 'merge' && booking.shown && next?.shown && next.from === booking.to) {
      entries.push(closure(booking.index, booking.from, next.to));
      at += 1;
    } else if (what === 'split' && booking.shown) {
      const middle = addDays(booking.from, 1);
      entries.push(closure(booking.index, booking.from, middle), closure(booking.index, middle, booking.to));
    } else {
      entries.push(plain(booking));
    }
  }
  return [...entries, ANCHOR];
}

it('random merges, splits and moves cancel no booking, duplicate no guest and leave no stay on old dates', () => {
  let questions = 0;
  fc.assert(
    fc.property(history, (made) => {
      const bookings = bookingsOf(made);
      let known: StoredBooking[] = [];
      let held: CalendarQuestionsAndHostAnswers = EMPTY_CALENDAR_QUESTIONS_TO_HOST;
      let count: number | null = null;
      let now = NOW;
      /**
       * `truth` maps the id of a row to the booking that the row stands for. `spoken` contains the
       * ids of rows about which the host has decided.
       */
      const truth = new Map<string, Booking>();
      const spoken = new Set<string>();
      const spoken_bookings = new Set<Booking>();

      const run = (entries: FeedEntry[], hours: number) => {
        now = new Date(now.getTime() + hours * HOUR_MS);
        const result = planSync({
          channel: 'channel_c',
          known,
          feed: { entries, seen: [], whole: true, event_count: entries.length },
          last_healthy_count: count,
          shrunk_since: null,
          closures_are_blocks: false,
          marks: [],
          held,
          now,
          today: now.toISOString().slice(0, 10),
        });
        const before = new Set(known.map(({ id }) => id));
        known = applySyncPlanInMemory(known, result, now);
        count = null;
        held = result.held;
        const isAt =
          ({ from, to }: Booking) =>
          (row: StoredBooking) =>
            row.status !== 'ignored' && row.checkin_date === from && row.checkout_date === to;
        for (const booking of bookings) booking.shown = known.some(isAt(booking));
        for (const row of known) {
          if (before.has(row.id)) continue;
          const its = bookings.find(
            ({ from, to, real }) => real && from === row.checkin_date && to === row.checkout_date,
          );
          if (its) truth.set(row.id, its);
          // The row was created from an entry that is not a booking, which only the host's answer
          // can cause.
          else if (row.external_uid !== 'anchor') spoken.add(row.id);
        }
      };
      const mine = () => known.filter(({ id, status }) => status !== 'ignored' && !spoken.has(id));
      const check = () => {
        const live = mine();
        for (const [id, booking] of truth) {
          if (spoken.has(id) || spoken_bookings.has(booking) || !booking.real) continue;
          expect(known.find((row) => row.id === id)?.status, `${JSON.stringify(booking)} is cancelled`).not.toBe(
            'ignored',
          );
        }
        for (const booking of bookings) {
          const its = live.filter(({ id }) => truth.get(id) === booking);
          if (!spoken_bookings.has(booking)) expect(its.length).toBeLessThan(2);
        }
      };
      const speak = (rows: readonly string[], days: readonly { checkin_date: string; checkout_date: string }[]) => {
        const touched = (booking: Booking) =>
          days.some((one) => one.checkin_date < booking.to && booking.from < one.checkout_date);
        for (const booking of bookings.filter(touched)) spoken_bookings.add(booking);
        for (const id of rows) {
          spoken.add(id);
          const booking = truth.get(id);
          if (booking) spoken_bookings.add(booking);
        }
      };

      /**
       * Returns whether the host is asked about a guest whose booking really moved to the dates of
       * the new entry.
       */
      const hasMoved = ({ kind, rows, entries }: StoredStayQuestion) => {
        const booking = truth.get(rows[0] ?? '');
        return kind === 'moved' && booking?.real === true && booking.from === entries[0]?.checkin_date;
      };
      // Records the nights of reservations that the host has decided about. The test does not check
      // a booking that moves to these nights.
      const speakOfNights = () => {
        const theirs = known.filter(({ id, status }) => spoken.has(id) && status !== 'ignored');
        for (const { checkin_date, checkout_date } of theirs) speak([], [{ checkin_date, checkout_date }]);
      };

      for (const { hours, events, answers } of made.steps) {
        const entries = poll(bookings, events);
        speakOfNights();
        run(entries, hours);
        check();
        expect(held.question).toBeNull();
        const open = (held.asked ?? []).filter(({ answer }) => answer === null);
        questions += open.length;
        for (const [index, ask] of open.entries()) {
          const answer = answers[index % answers.length];
          if (!answer) continue;
          if (answer === 'keep' || !hasMoved(ask)) speak(ask.rows, ask.entries);
          held = setHostAnswerToStayQuestion(held, ask.key, answer);
        }
        run(entries, 0);
        check();
      }
      // The last calendar contains each booking correctly, and the host answers truthfully.
      const last = [...bookings.filter(({ real }) => real).map(plain), ANCHOR];
      for (let turn = 0; turn < 5; turn += 1) {
        run(last, 2);
        check();
        for (const ask of held.asked ?? []) {
          if (ask.answer !== null) continue;
          const moved = hasMoved(ask);
          if (!moved) speak(ask.rows, ask.entries);
          held = setHostAnswerToStayQuestion(held, ask.key, moved || ask.kind === 'rearranged' ? 'follow' : 'keep');
        }
      }
      for (const row of mine()) {
        const booking = truth.get(row.id);
        if (!booking || spoken_bookings.has(booking)) continue;
        expect([booking.real, row.checkin_date, row.checkout_date]).toEqual([true, booking.from, booking.to]);
      }
      for (const booking of bookings) {
        if (!booking.real || spoken_bookings.has(booking)) continue;
        expect(mine().filter(({ id }) => truth.get(id) === booking)).toHaveLength(1);
      }
    }),
    { numRuns: Number(process.env.CALENDAR_SEQUENCES ?? 600) },
  );
  expect(questions).toBeGreaterThan(100);
}, 180_000);
