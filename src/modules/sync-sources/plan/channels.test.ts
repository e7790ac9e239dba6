import { describe, expect, it } from 'vitest';
import { addDays } from '../feed/calendar-days';
import type { StayClassification } from '../json-columns.schemas';
import {
  applySyncPlanInMemory,
  buildFeedEntry,
  buildStoredBooking,
  buildTestSyncPlan,
  FEED_ENTRY_UNRELATED_TO_TESTED_STAY,
  getTimeHoursFromNow,
  NOW,
  TODAY,
} from '../testing/plans';
import { applyHostAnswerAboutCalendar as answerHeld, EMPTY_CALENDAR_QUESTIONS_TO_HOST } from './calendar-question';
import { decideFeedEntryOutcomes, summarizeUpcomingFeedEntries } from './entries';
import type { StoredBooking } from './match-bookings';
import type { SyncPlanInput } from './planner';

describe('channel C', () => {
  const closure = (from: string, to: string, uid: string) => buildFeedEntry(from, to, { uid, class: 'closure' });
  const options = (over: Partial<SyncPlanInput> = {}): Partial<SyncPlanInput> => ({ channel: 'channel_c', ...over });

  it('turns each closure into a booking', () => {
    expect(buildTestSyncPlan([], [closure('2026-06-01', '2026-06-05', 'c')], options()).creates).toHaveLength(1);
  });
  it('skips closures when the source treats them as blocks, but not named bookings', () => {
    const named = buildFeedEntry('2026-06-10', '2026-06-12', { guest_name: 'Ada' });
    const result = buildTestSyncPlan(
      [],
      [closure('2026-06-01', '2026-06-05', 'c'), named],
      options({ closures_are_blocks: true }),
    );
    expect(result.creates).toEqual([named]);
    expect(result.skipped).toMatchObject([{ reason: 'closures_are_blocks' }]);
  });
  it('recognises a closure marked as a block by its dates while its start moves', () => {
    const marks: StayClassification[] = [{ checkin_date: '2026-05-10', checkout_date: '2026-05-25' }];
    for (const start of ['2026-05-10', TODAY, '2026-05-16']) {
      const result = buildTestSyncPlan([], [closure(start, '2026-05-25', `new ${start}`)], options({ marks }));
      expect(result.skipped).toMatchObject([{ reason: 'marked_as_block' }]);
    }
    expect(buildTestSyncPlan([], [closure('2026-05-20', '2026-05-25', 'c')], options({ marks })).creates).toHaveLength(
      1,
    );
  });
  it('proposes a closure over 60 nights as a block, until the host marks it as a booking', () => {
    const long = closure('2026-06-01', '2026-08-01', 'c');
    const proposed = buildTestSyncPlan([], [long], options());
    expect(proposed).toMatchObject({ creates: [], skipped: [{ reason: 'proposed_as_block' }] });
    expect(proposed.new_marks).toEqual([{ checkin_date: '2026-06-01', checkout_date: '2026-08-01', as: 'proposed' }]);
    expect(buildTestSyncPlan([], [closure('2026-06-01', '2026-07-31', 'c')], options()).creates).toHaveLength(1);
    const marks: StayClassification[] = [{ checkin_date: '2026-06-01', checkout_date: '2026-08-01', as: 'booking' }];
    expect(buildTestSyncPlan([], [long], options({ marks })).creates).toHaveLength(1);
  });
  it('makes one reservation of a closure with a new UID each day, and keeps its check-in', () => {
    let known: StoredBooking[] = [];
    let created = 0;
    for (let day = 0; day < 20; day += 1) {
      const today = addDays('2026-05-10', day);
      const start = today > '2026-05-14' ? today : '2026-05-14';
      const entries =
        start < '2026-05-28'
          ? [closure(start, '2026-05-28', `uid-of-${start}`)]
          : [FEED_ENTRY_UNRELATED_TO_TESTED_STAY];
      const result = buildTestSyncPlan(known, entries, options({ today, now: getTimeHoursFromNow(24 * day) }));
      created += result.creates.filter((made) => made !== FEED_ENTRY_UNRELATED_TO_TESTED_STAY).length;
      expect(result.cancels).toEqual([]);
      known = applySyncPlanInMemory(known, result, getTimeHoursFromNow(24 * day));
    }
    expect(created).toBe(1);
    expect(known[0]).toMatchObject({ checkin_date: '2026-05-14', checkout_date: '2026-05-28', status: 'synced' });
  });
  it.each([
    ['signed', { status: 'signed' as const, signed: true }],
    ['ignored', { status: 'ignored' as const, cancel_reason: 'host' }],
  ])('creates no reservation each night for a current closure over a reservation that is %s', (_name, over) => {
    const known = [buildStoredBooking('r', '2026-05-10', '2026-05-28', over)];
    for (const start of ['2026-05-15', '2026-05-16']) {
      expect(buildTestSyncPlan(known, [closure(start, '2026-05-28', `u${start}`)], options()).creates).toEqual([]);
    }
  });
  it('does not turn a closure proposed as a block into a booking as its remaining nights shrink', () => {
    let marks: StayClassification[] = [];
    for (let day = 0; day < 80; day += 1) {
      const today = addDays(TODAY, day);
      const result = buildTestSyncPlan([], [closure(today, '2026-08-08', `u${day}`)], options({ today, marks }));
      expect(result.creates).toEqual([]);
      marks = [...marks, ...result.new_marks];
    }
    expect(marks).toHaveLength(1);
  });
});

describe('blocks of channel A', () => {
  it('at the booking horizon that move daily create nothing', () => {
    for (let day = 0; day < 5; day += 1) {
      const start = addDays('2027-05-10', day);
      const block = buildFeedEntry(start, addDays(start, 1), { class: 'block' });
      expect(buildTestSyncPlan([], [block], { channel: 'channel_a' }).creates).toEqual([]);
    }
  });
  it('are counted in the preview, with upcoming bookings and the next arrival', () => {
    const entries = [
      buildFeedEntry('2026-05-01', '2026-05-04'),
      buildFeedEntry('2026-05-10', '2026-05-20'),
      buildFeedEntry('2026-06-01', '2026-06-04'),
      buildFeedEntry('2026-07-01', '2026-07-04', { class: 'block' }),
    ];
    const decisions = decideFeedEntryOutcomes({
      feed: { entries },
      closures_are_blocks: false,
      marks: [],
      today: TODAY,
    });
    expect(summarizeUpcomingFeedEntries(decisions, TODAY)).toEqual({
      bookings: 2,
      blocks: 1,
      next_arrival: '2026-06-01',
    });
  });
});

describe('a large calendar', () => {
  it('with thousands of missing reservations and unknown stays creates each stay once', () => {
    const stays = Array.from({ length: 4_000 }, (_, index) => addDays('2026-06-01', index % 700));
    const known = stays.map((day, index) =>
      buildStoredBooking(`r${index}`, day, addDays(day, 2), {
        external_id: `a${index}`,
        external_uid: `a${index}`,
        feed_misses: 1,
        feed_first_missed_at: NOW,
      }),
    );
    const entries = stays.map((day, index) => buildFeedEntry(addDays(day, 1), addDays(day, 4), { uid: `b${index}` }));
    expect(buildTestSyncPlan(known, entries).creates).toHaveLength(4_000);
  });
});

describe('bookings that all vanish at once', () => {
  const [ANA, BEN] = [
    buildStoredBooking('ana', '2026-06-01', '2026-06-05'),
    buildStoredBooking('ben', '2026-07-01', '2026-07-05'),
  ];
  const BLOCK = buildFeedEntry('2026-12-24', '2026-12-26', { uid: 'block', class: 'block' });
  const OTHERS = [
    buildFeedEntry('2026-06-03', '2026-06-08', { uid: 'x', guest_name: 'Kim' }),
    buildFeedEntry('2026-08-01', '2026-08-03', { uid: 'y' }),
  ];
  const IDLE = { creates: [], updates: [], moved: [], vanished: [], cancels: [], returned: [] };

  it('change nothing and raise a question that lists them', () => {
    const result = buildTestSyncPlan([ANA, BEN], [BLOCK]);
    expect(result).toMatchObject({ ...IDLE, healthy: false, waiting: true, health: { reason: 'asks' } });
    expect(result.held.question).toMatchObject({
      reason: 'all_gone',
      since: NOW.toISOString(),
      would: [
        { what: 'cancel', reservation_id: 'ana' },
        { what: 'cancel', reservation_id: 'ben' },
      ],
    });
  });
  it('replaced by others raise the question of another listing, and nothing is created or moved', () => {
    const { held, ...result } = buildTestSyncPlan([ANA, BEN], OTHERS);
    expect(result).toMatchObject(IDLE);
    expect(held.question?.reason).toBe('another_listing');
    expect(held.question?.would.map(({ what }) => what)).toEqual(['cancel', 'move', 'create']);
  });
  it('raise no question when only one booking is missing, even if it was the only one', () => {
    expect(buildTestSyncPlan([ANA, BEN], [buildFeedEntry('2026-07-01', '2026-07-05')]).vanished).toMatchObject([
      { id: 'ana' },
    ]);
    expect(buildTestSyncPlan([ANA], [BLOCK]).vanished).toMatchObject([{ id: 'ana' }]);
    expect(buildTestSyncPlan([ANA], [BLOCK], { last_healthy_count: 1 }).vanished).toMatchObject([{ id: 'ana' }]);
  });
  it('raise the question of another listing when several unknown stays replace the only one', () => {
    const strangers = [buildFeedEntry('2026-09-01', '2026-09-03'), buildFeedEntry('2026-10-01', '2026-10-03')];
    expect(buildTestSyncPlan([ANA], strangers).held.question?.reason).toBe('another_listing');
    // If the calendar contains another known booking, there is no question.
    const over = buildStoredBooking('over', '2026-05-01', '2026-05-04');
    expect(
      buildTestSyncPlan([ANA, over], [...strangers, buildFeedEntry('2026-05-01', '2026-05-04')]).held.question,
    ).toBeNull();
  });
  it('raise the question at once even when the calendar has shrunk', () => {
    expect(buildTestSyncPlan([ANA, BEN], [BLOCK], { last_healthy_count: 40 }).held.question).not.toBeNull();
  });
  it.each([
    ['truncated', { feed: { entries: [BLOCK], seen: [], whole: false, event_count: 1 } }],
    ['empty', { feed: { entries: [], seen: [], whole: true, event_count: 0 } }],
  ])('in a calendar that is %s raise no question', (_name, over) => {
    expect(buildTestSyncPlan([ANA, BEN], [], over)).toMatchObject({
      ...IDLE,
      waiting: true,
      held: EMPTY_CALENDAR_QUESTIONS_TO_HOST,
    });
  });
  it('raise no question when the host treats closures as blocks', () => {
    const closures = [
      buildFeedEntry('2026-06-01', '2026-06-05', { class: 'closure' }),
      buildFeedEntry('2026-07-01', '2026-07-05', { class: 'closure' }),
    ];
    const result = buildTestSyncPlan([ANA, BEN], closures, { channel: 'channel_c', closures_are_blocks: true });
    expect(result.vanished).toHaveLength(2);
  });
  it('are cancelled at once after the answer “apply”, and new entries are created', () => {
    const asked = buildTestSyncPlan([ANA, BEN], OTHERS).held;
    const result = buildTestSyncPlan([ANA, BEN], OTHERS, { held: answerHeld(asked, 'apply') });
    expect(result.cancels.map(({ id }) => id)).toEqual(['ben']);
    expect(result.moved.map(({ id }) => id)).toEqual(['ana']);
    expect(result.creates.map(({ uid }) => uid)).toEqual(['y']);
    expect(result.held).toEqual(EMPTY_CALENDAR_QUESTIONS_TO_HOST);
  });
  it('stay after the answer “keep”, and only later new entries raise a question', () => {
    const held = answerHeld(buildTestSyncPlan([ANA, BEN], OTHERS).held, 'keep');
    expect(buildTestSyncPlan([ANA, BEN], OTHERS, { held })).toMatchObject({ ...IDLE, held: { question: null } });
    const more = [...OTHERS, buildFeedEntry('2026-11-01', '2026-11-04', { uid: 'z' })];
    const again = buildTestSyncPlan([ANA, BEN], more, { held });
    expect(again.held.question?.would).toMatchObject([{ what: 'create', external_ids: ['z'] }]);
    // When the bookings are in the calendar again, they are treated like any other bookings.
    const back = buildTestSyncPlan(
      [ANA, BEN],
      [buildFeedEntry('2026-06-01', '2026-06-05'), buildFeedEntry('2026-07-01', '2026-07-05')],
      { held },
    );
    expect(back.unchanged).toEqual(['ana', 'ben']);
    expect(back.held.kept).not.toContain('ana');
  });
  it('that the host kept do not make the smaller calendar unhealthy', () => {
    const small = { last_healthy_count: 40 };
    const held = answerHeld(buildTestSyncPlan([ANA, BEN], [BLOCK], small).held, 'keep');
    expect(buildTestSyncPlan([ANA, BEN], [BLOCK], { ...small, held }).health).toMatchObject({
      healthy: true,
      healthy_count: 0,
    });
    // If another booking is missing about which the host was not asked, the calendar remains
    // unhealthy.
    const known = [
      ANA,
      BEN,
      buildStoredBooking('cleo', '2026-08-01', '2026-08-05', {
        feed_misses: 1,
        feed_first_missed_at: getTimeHoursFromNow(-9),
      }),
    ];
    expect(buildTestSyncPlan(known, [BLOCK], { ...small, held }).health).toMatchObject({
      healthy: false,
      reason: 'shrunk',
    });
  });
  it('raise a question that is withdrawn when they reappear', () => {
    const { held } = buildTestSyncPlan([ANA, BEN], [BLOCK]);
    const back = buildTestSyncPlan(
      [ANA, BEN],
      [buildFeedEntry('2026-06-01', '2026-06-05'), buildFeedEntry('2026-07-01', '2026-07-05')],
      { held },
    );
    expect(back.held).toEqual(EMPTY_CALENDAR_QUESTIONS_TO_HOST);
  });
});
