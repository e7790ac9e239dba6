/**
 * Tests the questions that a run asks and the effects of the host's answers. channels.test.ts tests
 * whole runs.
 */
import { describe, expect, it } from 'vitest';
import { addDays } from '../feed/calendar-days';
import type { CalendarQuestionsAndHostAnswers, ProposedSyncChange } from '../json-columns.schemas';
import {
  buildFeedEntry,
  buildStoredBooking,
  buildTestSyncPlan,
  getTimeHoursFromNow,
  NOW,
  TODAY,
} from '../testing/plans';
import {
  applyHostAnswerAboutCalendar,
  EMPTY_CALENDAR_QUESTIONS_TO_HOST,
  getReservationIdsHostConfirmedToCancel,
} from './calendar-question';
import type { StoredBooking } from './match-bookings';

const would = (over: Partial<ProposedSyncChange>): ProposedSyncChange => ({
  what: 'cancel',
  reservation_id: null,
  external_ids: [],
  guest_name: null,
  checkin_date: '2026-06-01',
  checkout_date: '2026-06-05',
  ...over,
});
const ASKED: CalendarQuestionsAndHostAnswers = {
  question: {
    reason: 'another_listing',
    since: NOW.toISOString(),
    apply: false,
    would: [
      would({ reservation_id: 'res_1' }),
      would({ what: 'move', reservation_id: 'res_2', external_ids: ['u2'] }),
      would({ what: 'create', external_ids: ['u3', 'HM3'] }),
    ],
  },
  kept: ['res_0', 'u2'],
};

describe('the host’s answer', () => {
  it('“apply” confirms the cancellations, and nothing else', () => {
    const held = applyHostAnswerAboutCalendar(ASKED, 'apply');
    expect(held).toEqual({ question: { ...ASKED.question, apply: true }, kept: ['res_0', 'u2'] });
    expect([...getReservationIdsHostConfirmedToCancel(held)]).toEqual(['res_1']);
    expect([...getReservationIdsHostConfirmedToCancel(ASKED)]).toEqual([]);
    expect([...getReservationIdsHostConfirmedToCancel(EMPTY_CALENDAR_QUESTIONS_TO_HOST)]).toEqual([]);
  });
  it('“keep” stores every reservation and entry of the question once', () => {
    expect(applyHostAnswerAboutCalendar(ASKED, 'keep')).toEqual({
      question: null,
      kept: ['res_0', 'u2', 'res_1', 'res_2', 'u3', 'HM3'],
    });
  });
  it('“ask_again” clears what was kept', () => {
    expect(applyHostAnswerAboutCalendar(ASKED, 'ask_again')).toEqual({ question: ASKED.question, kept: [] });
  });
  it('without a question changes nothing', () => {
    for (const given of ['apply', 'keep'] as const)
      expect(applyHostAnswerAboutCalendar({ question: null, kept: ['res_0'] }, given)).toEqual({
        question: null,
        kept: ['res_0'],
      });
  });
});

describe('a question', () => {
  const [ANA, BEN] = [
    buildStoredBooking('ana', '2026-06-01', '2026-06-05'),
    buildStoredBooking('ben', '2026-07-01', '2026-07-05'),
  ];
  const GONE = [buildFeedEntry('2026-12-24', '2026-12-26', { uid: 'block', class: 'block' })];
  const ask = (known: StoredBooking[], entries = GONE, held = EMPTY_CALENDAR_QUESTIONS_TO_HOST) =>
    buildTestSyncPlan(known, entries, { held }).held.question;

  it('lists the intended changes with guests and dates, cancellations first', () => {
    const removed = {
      status: 'ignored',
      cancel_reason: 'feed_removed',
      external_id: 'HMB1',
      external_uid: 'b',
    } as const;
    const back = buildStoredBooking('back', '2026-08-01', '2026-08-05', removed);
    const entries = [
      buildFeedEntry('2026-06-03', '2026-06-08', { uid: 'x', guest_name: 'Kim' }),
      buildFeedEntry('2026-07-01', '2026-07-05', { cancelled: true }),
      buildFeedEntry('2026-08-01', '2026-08-06', { uid: 'b-again', reservation_code: 'HMB1' }),
      buildFeedEntry('2026-09-01', '2026-09-05', { uid: 'y', reservation_code: 'HMY1' }),
    ];
    const cleo = buildStoredBooking('cleo', '2026-10-01', '2026-10-05');
    expect(ask([ANA, BEN, cleo, back], entries)?.would).toEqual([
      would({ reservation_id: 'ben', checkin_date: '2026-07-01', checkout_date: '2026-07-05' }),
      would({ reservation_id: 'cleo', checkin_date: '2026-10-01', checkout_date: '2026-10-05' }),
      would({
        what: 'move',
        reservation_id: 'ana',
        external_ids: ['x', 'x'],
        checkin_date: '2026-06-03',
        checkout_date: '2026-06-08',
      }),
      would({ what: 'restore', reservation_id: 'back', checkin_date: '2026-08-01', checkout_date: '2026-08-06' }),
      would({
        what: 'create',
        external_ids: ['HMY1', 'y'],
        guest_name: 'Guest HMY1',
        checkin_date: '2026-09-01',
        checkout_date: '2026-09-05',
      }),
    ]);
  });
  it('keeps its date while it is open, and is dated anew after an answer', () => {
    const since = getTimeHoursFromNow(-30).toISOString();
    const open: CalendarQuestionsAndHostAnswers = {
      question: { reason: 'all_gone', since, apply: false, would: [] },
      kept: [],
    };
    expect(ask([ANA, BEN], GONE, open)?.since).toBe(since);
    const answered: CalendarQuestionsAndHostAnswers = {
      question: { reason: 'all_gone', since, apply: true, would: [] },
      kept: [],
    };
    expect(ask([ANA, BEN], GONE, answered)?.since).toBe(NOW.toISOString());
  });
  it.each<[string, StoredBooking[], boolean]>([
    ['two missing bookings', [ANA, BEN], true],
    [
      'one missing booking and one missed before',
      [ANA, { ...BEN, feed_misses: 1, feed_first_missed_at: getTimeHoursFromNow(-0.5) }],
      false,
    ],
    ['one missing booking and one that begins today', [ANA, buildStoredBooking('now', TODAY, '2026-05-20')], false],
    ['one missing booking and one that has expired', [ANA, { ...BEN, status: 'expired' }], false],
    [
      'one missing booking and one that was cancelled',
      [ANA, { ...BEN, status: 'ignored', cancel_reason: 'host' }],
      false,
    ],
    ['one missing booking and one of another calendar', [ANA, { ...BEN, owned: false }], false],
    ['two missing bookings, one of them signed', [ANA, { ...BEN, status: 'signed', signed: true }], true],
  ])('is asked about %s: $2', (_name, known, asked) => {
    expect(ask(known) !== null).toBe(asked);
  });
  it('is not asked while the calendar still has an upcoming booking, with any summary', () => {
    const there = buildFeedEntry('2026-08-01', '2026-08-05', { uid: 'uid-2026-08-01', class: 'tentative' });
    const cleo = buildStoredBooking('cleo', '2026-08-01', '2026-08-05');
    expect(ask([ANA, BEN, cleo], [there])).toBeNull();
    expect(ask([ANA, BEN, cleo], [{ ...there, cancelled: true }])).not.toBeNull();
    // An unreadable event shows that its booking still exists.
    const feed = { entries: GONE, seen: ['uid-2026-08-01'], whole: true, event_count: 2 };
    expect(buildTestSyncPlan([ANA, BEN, cleo], [], { feed }).held.question).toBeNull();
  });
  it('is not asked about new entries alone, and lists each booking once', () => {
    const over = buildStoredBooking('over', '2026-05-01', '2026-05-04');
    const strangers = [buildFeedEntry('2026-09-01', '2026-09-03'), buildFeedEntry('2026-10-01', '2026-10-03')];
    expect(ask([over], strangers)).toBeNull();
    const cleo = buildStoredBooking('cleo', '2026-08-01', '2026-08-05', {
      feed_misses: 1,
      feed_first_missed_at: getTimeHoursFromNow(-9),
    });
    expect(ask([ANA, BEN, cleo])?.would.map(({ reservation_id }) => reservation_id)).toEqual(['ana', 'ben', 'cleo']);
  });
  it.each([
    ['truncated', { entries: GONE, seen: [], whole: false, event_count: 1 }],
    ['empty', { entries: [], seen: [], whole: true, event_count: 0 }],
  ])('that was answered waits while the calendar is %s', (_name, feed) => {
    const held = applyHostAnswerAboutCalendar(buildTestSyncPlan([ANA, BEN], GONE).held, 'apply');
    expect(buildTestSyncPlan([ANA, BEN], [], { feed, held })).toMatchObject({ cancels: [], held });
  });
  it('lists at most five hundred changes', () => {
    const many = Array.from({ length: 501 }, (_, nth) =>
      buildStoredBooking(`r${nth}`, addDays('2026-06-01', nth), addDays('2026-06-02', nth)),
    );
    expect(ask(many)?.would).toHaveLength(500);
  });
});

describe('the list of bookings that the host kept', () => {
  const kept = Array.from({ length: 1_001 }, (_, nth) => `old${nth}`);
  it('drops the oldest beyond a thousand, and those that reappear in the calendar', () => {
    const known = [
      buildStoredBooking('r', '2026-06-01', '2026-06-05'),
      buildStoredBooking('gone', '2026-07-01', '2026-07-05'),
    ];
    const there = [buildFeedEntry('2026-06-01', '2026-06-05')];
    expect(buildTestSyncPlan(known, there, { held: { question: null, kept } }).held.kept).toEqual(kept.slice(1));
    expect(buildTestSyncPlan(known, there, { held: { question: null, kept: ['r', 'gone'] } }).held.kept).toEqual([
      'gone',
    ]);
  });
  it('retains a booking whose reservation is ignored', () => {
    const ignored = buildStoredBooking('r', '2026-06-01', '2026-06-05', { status: 'ignored', cancel_reason: 'host' });
    const held = { question: null, kept: ['r'] };
    expect(buildTestSyncPlan([ignored], [buildFeedEntry('2026-06-01', '2026-06-05')], { held }).held.kept).toEqual([
      'r',
    ]);
  });
});
