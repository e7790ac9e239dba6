/**
 * Tests stays that were merged, split or moved. The calendar has two plausible readings, so the
 * host is asked.
 */
import { describe, expect, it } from 'vitest';
import type { FeedEntry } from '../feed/reader';
import type { CalendarQuestionsAndHostAnswers } from '../json-columns.schemas';
import {
  applySyncPlanInMemory,
  BOOKING_UNRELATED_TO_TESTED_STAY,
  buildFeedEntry,
  buildStoredBooking,
  buildTestSyncPlan,
  FEED_ENTRY_UNRELATED_TO_TESTED_STAY,
  getTimeHoursFromNow,
  NOW,
} from '../testing/plans';
import type { StoredBooking } from './match-bookings';
import { setHostAnswerToStayQuestion } from './stay-questions';

const FIRST = buildStoredBooking('r1', '2026-06-10', '2026-06-14', { external_id: 'u1', external_uid: 'u1' });
const SECOND = buildStoredBooking('r2', '2026-06-14', '2026-06-18', { external_id: 'u2', external_uid: 'u2' });
const WHOLE = buildStoredBooking('r1', '2026-06-10', '2026-06-18', { external_id: 'u1', external_uid: 'u1' });
const [E1, E2] = [
  buildFeedEntry('2026-06-10', '2026-06-14', { uid: 'u1' }),
  buildFeedEntry('2026-06-14', '2026-06-18', { uid: 'u2' }),
];

/**
 * Runs the planner three times, an hour apart. A booking that is missing in all runs is then
 * cancelled.
 */
function runs(known: StoredBooking[], entries: FeedEntry[], answer: 'follow' | 'keep' | null = null) {
  let rows = known;
  let held: CalendarQuestionsAndHostAnswers = { question: null, kept: [] };
  for (let hour = 0; hour < 4; hour += 1) {
    const result = buildTestSyncPlan(rows, entries, { channel: 'channel_c', held, now: getTimeHoursFromNow(hour) });
    rows = applySyncPlanInMemory(rows, result, getTimeHoursFromNow(hour));
    held = result.held;
    const [open] = held.asked ?? [];
    if (hour === 0 && open && answer) held = setHostAnswerToStayQuestion(held, open.key, answer);
  }
  return {
    held,
    rows: rows.map(({ id, status, checkin_date, checkout_date }) => `${id} ${status} ${checkin_date} ${checkout_date}`),
  };
}

const OTHERS = 'other synced 2026-12-01 2026-12-05';
const UNTOUCHED = ['r1 synced 2026-06-10 2026-06-14', 'r2 synced 2026-06-14 2026-06-18', OTHERS];

describe.each([
  ['under a new UID', 'merged'],
  ['under the UID of the first', 'u1'],
  ['under the UID of the second', 'u2'],
])('two stays merged into one entry %s', (_name, uid) => {
  const merged = [buildFeedEntry('2026-06-10', '2026-06-18', { uid }), FEED_ENTRY_UNRELATED_TO_TESTED_STAY];
  it('raise a question and stay unchanged', () => {
    const { held, rows } = runs([FIRST, SECOND, BOOKING_UNRELATED_TO_TESTED_STAY], merged);
    expect(rows).toEqual(UNTOUCHED);
    expect(held.asked).toMatchObject([
      {
        kind: 'rearranged',
        since: NOW.toISOString(),
        answer: null,
        rows: ['r1', 'r2'],
        entries: [{ checkin_date: '2026-06-10', checkout_date: '2026-06-18' }],
      },
    ]);
  });
  it('stay two after the answer “keep”, and raise no new question', () => {
    const { held, rows } = runs([FIRST, SECOND, BOOKING_UNRELATED_TO_TESTED_STAY], merged, 'keep');
    expect(rows).toEqual(UNTOUCHED);
    expect(held.asked).toMatchObject([{ answer: 'keep' }]);
  });
  it('become one reservation after the answer “follow”', () => {
    const { held, rows } = runs([FIRST, SECOND, BOOKING_UNRELATED_TO_TESTED_STAY], merged, 'follow');
    expect(rows.filter((line) => line.includes('synced'))).toEqual(
      expect.arrayContaining([expect.stringContaining('2026-06-10 2026-06-18'), OTHERS]),
    );
    expect(rows.filter((line) => line.includes('ignored'))).toHaveLength(1);
    expect(held.asked).toBeUndefined();
  });
  it('stay unchanged when both entries reappear', () => {
    const asked = buildTestSyncPlan([FIRST, SECOND, BOOKING_UNRELATED_TO_TESTED_STAY], merged, {
      channel: 'channel_c',
    });
    const back = buildTestSyncPlan(
      [FIRST, SECOND, BOOKING_UNRELATED_TO_TESTED_STAY],
      [E1, E2, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
      {
        channel: 'channel_c',
        held: asked.held,
        now: getTimeHoursFromNow(1),
      },
    );
    expect(back).toMatchObject({ updates: [], moved: [], vanished: [], cancels: [], creates: [] });
    expect(back.held.asked).toBeUndefined();
  });
});

describe.each([
  ['under new UIDs', 'a', 'b'],
  ['of which one keeps its UID', 'u1', 'b'],
])('a stay split into two entries %s', (_name, first, second) => {
  const split = [
    { ...E1, uid: first, external_id: first },
    { ...E2, uid: second, external_id: second },
    FEED_ENTRY_UNRELATED_TO_TESTED_STAY,
  ];
  it('raises a question and stays unchanged', () => {
    const { held, rows } = runs([WHOLE, BOOKING_UNRELATED_TO_TESTED_STAY], split);
    expect(rows).toEqual(['r1 synced 2026-06-10 2026-06-18', OTHERS]);
    expect(held.asked).toMatchObject([{ kind: 'rearranged', rows: ['r1'] }]);
    expect(runs([WHOLE, BOOKING_UNRELATED_TO_TESTED_STAY], split, 'keep').rows).toEqual(rows);
  });
  it('becomes two reservations after the answer “follow”', () => {
    const { rows } = runs([WHOLE, BOOKING_UNRELATED_TO_TESTED_STAY], split, 'follow');
    expect(rows.filter((line) => line.includes('synced'))).toHaveLength(3);
  });
});

it('a reservation code or a guest name identifies a longer entry without a question', () => {
  const coded = [FIRST, SECOND].map((one, at) => ({ ...one, external_id: `HMCODE000${at}` }));
  const longer = buildFeedEntry('2026-06-10', '2026-06-18', { uid: 'u1', reservation_code: 'HMCODE0000' });
  expect(
    buildTestSyncPlan([...coded, BOOKING_UNRELATED_TO_TESTED_STAY], [longer, FEED_ENTRY_UNRELATED_TO_TESTED_STAY], {
      channel: 'channel_a',
    }),
  ).toMatchObject({
    updates: [{ id: 'r1', checkout_date: '2026-06-18' }],
    vanished: [{ id: 'r2' }],
  });
  const named = [
    { ...FIRST, guest_name: 'Jane Doe' },
    { ...SECOND, guest_name: 'Kim Lee' },
  ];
  const hers = buildFeedEntry('2026-06-10', '2026-06-18', { uid: 'new', guest_name: 'Jane Doe' });
  expect(
    buildTestSyncPlan([...named, BOOKING_UNRELATED_TO_TESTED_STAY], [hers, FEED_ENTRY_UNRELATED_TO_TESTED_STAY]).moved,
  ).toMatchObject([{ id: 'r1', checkout_date: '2026-06-18' }]);
});

it('merging a signed stay with its neighbour neither duplicates nor cancels a reservation', () => {
  const signed = { ...FIRST, signed: true, status: 'signed' as const };
  const { rows } = runs(
    [signed, SECOND, BOOKING_UNRELATED_TO_TESTED_STAY],
    [buildFeedEntry('2026-06-10', '2026-06-18', { uid: 'merged' }), FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
  );
  expect(rows).toEqual(['r1 signed 2026-06-10 2026-06-14', UNTOUCHED[1], OTHERS]);
});

it('the next run repeats the same question after an entry moved one stay to the days of another', () => {
  const known = [
    buildStoredBooking('a', '2026-06-10', '2026-06-15', { external_uid: 'ua' }),
    buildStoredBooking('b', '2026-06-11', '2026-06-12', { external_uid: 'ub' }),
    buildStoredBooking('c', '2026-06-20', '2026-06-21', { external_uid: 'uc', guest_name: 'Jane Doe' }),
  ];
  const entries = [
    buildFeedEntry('2026-06-10', '2026-06-12', { uid: 'new' }),
    buildFeedEntry('2026-06-11', '2026-06-13', { uid: 'ub', guest_name: 'Jane Doe' }),
    buildFeedEntry('2026-06-10', '2026-06-15', { uid: 'uc' }),
  ];
  const first = buildTestSyncPlan(known, entries);
  const second = buildTestSyncPlan(applySyncPlanInMemory(known, first, NOW), entries, { held: first.held });
  expect(first.held.asked).toHaveLength(1);
  expect(second.held).toEqual(first.held);
});

describe('a stay found on other days under a new UID and the same name', () => {
  const JANE = { ...FIRST, guest_name: 'Jane Doe', status: 'sent' as const };
  const moved = buildFeedEntry('2026-07-20', '2026-07-24', { uid: 'new', guest_name: 'Doe, Jane' });
  it('is not given to a nameless new entry on its old nights', () => {
    const nameless = buildFeedEntry('2026-06-10', '2026-06-14', { uid: 'next', guest_name: null });
    const result = buildTestSyncPlan(
      [JANE, BOOKING_UNRELATED_TO_TESTED_STAY],
      [moved, nameless, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
    );
    expect(result.moved).toEqual([]);
    expect(result.creates.map(({ uid }) => uid)).toEqual(['next']);
    expect(result.held.asked).toMatchObject([{ kind: 'moved', rows: ['r1'] }]);
  });
  it('stays unchanged until the host answers', () => {
    const { held, rows } = runs([JANE, BOOKING_UNRELATED_TO_TESTED_STAY], [moved, FEED_ENTRY_UNRELATED_TO_TESTED_STAY]);
    expect(rows).toEqual(['r1 sent 2026-06-10 2026-06-14', OTHERS]);
    expect(held.asked).toMatchObject([{ kind: 'moved', rows: ['r1'], entries: [{ checkin_date: '2026-07-20' }] }]);
  });
  it('moves to the new dates when the host confirms the same guest', () => {
    const { held, rows } = runs(
      [JANE, BOOKING_UNRELATED_TO_TESTED_STAY],
      [moved, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
      'follow',
    );
    expect(rows).toEqual(['r1 sent 2026-07-20 2026-07-24', OTHERS]);
    expect(held.asked).toBeUndefined();
  });
  it('is cancelled, and the new entry created, when the host says it is another booking', () => {
    const { rows } = runs(
      [JANE, BOOKING_UNRELATED_TO_TESTED_STAY],
      [moved, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
      'keep',
    );
    expect(rows).toEqual(['r1 ignored 2026-06-10 2026-06-14', OTHERS, 'new-2 synced 2026-07-20 2026-07-24']);
  });
  it.each([
    ['another name', { guest_name: 'Jane Roe' }],
    ['no name', { guest_name: null }],
    ['another code', { guest_name: 'Jane Doe', reservation_code: 'HMCODE0002', external_id: 'HMCODE0002' }],
  ])('is not recognised under %s', (_name, over) => {
    const coded = { ...JANE, external_id: 'HMCODE0001' };
    const result = buildTestSyncPlan(
      [coded, BOOKING_UNRELATED_TO_TESTED_STAY],
      [{ ...moved, ...over }, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
    );
    expect(result.creates).toHaveLength(1);
    expect(result.held.asked).toBeUndefined();
  });
  it('no longer delays the new booking on its check-in day', () => {
    const today = '2026-06-10';
    const result = buildTestSyncPlan(
      [JANE, BOOKING_UNRELATED_TO_TESTED_STAY],
      [moved, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
      {
        today,
        now: new Date('2026-06-10T10:00:00Z'),
      },
    );
    expect(result.creates).toHaveLength(1);
  });
});

it('a named guest listed under two UIDs gets one reservation', () => {
  const twice = ['a', 'b'].map((uid) => buildFeedEntry('2026-06-10', '2026-06-14', { uid, guest_name: 'Jane Doe' }));
  const result = buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [...twice, FEED_ENTRY_UNRELATED_TO_TESTED_STAY]);
  expect(result.creates).toHaveLength(1);
  expect(result.skipped).toMatchObject([{ reason: 'same_stay_twice' }]);
  // Only entries with the same name are merged. Entries without a name may be different bookings.
  const nameless = twice.map((one) => ({ ...one, guest_name: null }));
  expect(
    buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [...nameless, FEED_ENTRY_UNRELATED_TO_TESTED_STAY]).creates,
  ).toHaveLength(2);
  const known = applySyncPlanInMemory([BOOKING_UNRELATED_TO_TESTED_STAY], result, NOW);
  const later = buildTestSyncPlan(known, [twice[1]!, FEED_ENTRY_UNRELATED_TO_TESTED_STAY], {
    now: getTimeHoursFromNow(2),
  });
  expect(later).toMatchObject({ creates: [], vanished: [], cancels: [] });
});

it('a booking first missed the evening before check-in is cancelled by its second miss after midnight', () => {
  const stay = buildStoredBooking('r', '2026-05-16', '2026-05-20', { feed_misses: 1, feed_first_missed_at: NOW });
  const night = { now: new Date('2026-05-16T00:30:00Z'), today: '2026-05-16' };
  expect(
    buildTestSyncPlan([stay, BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY], night).cancels,
  ).toEqual([{ id: 'r', because: 'missing_twice' }]);
  expect(
    buildTestSyncPlan(
      [{ ...stay, feed_misses: 0, feed_first_missed_at: null }, BOOKING_UNRELATED_TO_TESTED_STAY],
      [FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
      night,
    ).cancels,
  ).toEqual([]);
  expect(
    buildTestSyncPlan([stay, BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY], {
      ...night,
      today: '2026-05-17',
    }).cancels,
  ).toEqual([]);
});
