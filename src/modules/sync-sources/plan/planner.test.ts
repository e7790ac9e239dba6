import { describe, expect, it } from 'vitest';
import { addDays } from '../feed/calendar-days';
import type { FeedEntry } from '../feed/reader';
import type { StayClassification } from '../json-columns.schemas';
import {
  applySyncPlanInMemory,
  BOOKING_UNRELATED_TO_TESTED_STAY,
  buildFeedEntry,
  buildStoredBooking,
  buildTestSyncPlan,
  FEED_ENTRY_UNRELATED_TO_TESTED_STAY,
  getTimeHoursFromNow,
  NOW,
  TODAY,
} from '../testing/plans';
import { applyHostAnswerAboutCalendar } from './calendar-question';
import { getGuestNameForNewReservation } from './guest-identity';
import type { StoredBooking } from './match-bookings';
import type { SyncPlanInput } from './planner';

describe('new, changed and unchanged stays', () => {
  it('a new stay is created', () => {
    expect(buildTestSyncPlan([], [buildFeedEntry('2026-06-01', '2026-06-05')]).creates).toHaveLength(1);
  });
  it('a stay that is over is not created', () => {
    const result = buildTestSyncPlan([], [buildFeedEntry('2026-05-01', '2026-05-15')]);
    expect(result.creates).toEqual([]);
    expect(result.skipped).toMatchObject([{ reason: 'past' }]);
  });
  it('an unchanged stay changes nothing', () => {
    const result = buildTestSyncPlan(
      [buildStoredBooking('r', '2026-06-01', '2026-06-05')],
      [buildFeedEntry('2026-06-01', '2026-06-05')],
    );
    expect(result).toMatchObject({ unchanged: ['r'], creates: [], updates: [], waiting: false });
  });
  it('new dates under the same identity change only the dates', () => {
    const known = [
      buildStoredBooking('r', '2026-06-01', '2026-06-05', {
        external_id: 'HMCODE',
        external_uid: 'u1',
        status: 'sent',
      }),
    ];
    const moved = buildFeedEntry('2026-06-02', '2026-06-07', {
      uid: 'u1',
      reservation_code: 'HMCODE',
      guest_name: 'Another Name',
    });
    expect(buildTestSyncPlan(known, [moved]).updates).toEqual([
      { id: 'r', checkin_date: '2026-06-02', checkout_date: '2026-06-07' },
    ]);
  });
  it('a booking that reappears after one miss has its miss count reset', () => {
    const missed = buildStoredBooking('r', '2026-06-01', '2026-06-05', {
      feed_misses: 1,
      feed_first_missed_at: getTimeHoursFromNow(-1),
    });
    expect(buildTestSyncPlan([missed], [buildFeedEntry('2026-06-01', '2026-06-05')]).updates).toEqual([
      { id: 'r', feed_misses: 0, feed_first_missed_at: null },
    ]);
  });
  it('a stay without a guest name is named Guest, followed by its code when it has one', () => {
    expect(getGuestNameForNewReservation({ guest_name: null, reservation_code: null })).toBe('Guest');
    expect(getGuestNameForNewReservation({ guest_name: null, reservation_code: 'HM1' })).toBe('Guest HM1');
    expect(getGuestNameForNewReservation({ guest_name: 'Jo', reservation_code: 'HM1' })).toBe('Jo');
  });
});

describe('a protected reservation', () => {
  const cases: [string, Partial<StoredBooking>, string][] = [
    ['signed', { status: 'signed', signed: true }, 'signed'],
    ['marked as signed by the host', { status: 'signed', manual_override: true }, 'signed'],
    ['redacted', { redacted: true }, 'redacted'],
    ['under legal hold', { legal_hold: true }, 'legal_hold'],
    ['ignored by the host', { status: 'ignored', cancel_reason: 'host' }, 'ignored'],
  ];
  it.each(cases)('(%s) is neither changed nor duplicated by new dates in the feed', (_name, over, reason) => {
    const known = [buildStoredBooking('r', '2026-06-01', '2026-06-05', over)];
    const result = buildTestSyncPlan(known, [buildFeedEntry('2026-06-02', '2026-06-06', { uid: 'uid-2026-06-01' })]);
    expect(result).toMatchObject({ creates: [], updates: [], moved: [], cancels: [], vanished: [] });
    expect(result.skipped).toMatchObject([{ reason, id: 'r' }]);
  });
  it.each(cases.slice(0, 4))(
    '(%s) matches the entry with exactly its dates, not one that shares only its check-in',
    (_name, over) => {
      const known = [
        buildStoredBooking('r', '2026-06-01', '2026-06-05', over),
        buildStoredBooking('other', '2026-06-02', '2026-06-03'),
      ];
      const entries = [
        buildFeedEntry('2026-06-01', '2026-06-03', { uid: 'new-1' }),
        buildFeedEntry('2026-06-01', '2026-06-05', { uid: 'new-2' }),
      ];
      const result = buildTestSyncPlan(known, entries);
      expect(result.skipped).toMatchObject([{ id: 'r', entry: { uid: 'new-2' } }]);
      expect(result.moved).toMatchObject([{ id: 'other', external_uid: 'new-1' }]);
    },
  );
  it.each(cases)('(%s) is not changed by leaving the feed or by STATUS:CANCELLED', (_name, over) => {
    const known = [
      buildStoredBooking('r', '2026-06-01', '2026-06-05', {
        ...over,
        feed_misses: 1,
        feed_first_missed_at: getTimeHoursFromNow(-5),
      }),
    ];
    const gone = buildTestSyncPlan([...known, BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY]);
    const cancelled = buildTestSyncPlan(known, [buildFeedEntry('2026-06-01', '2026-06-05', { cancelled: true })]);
    for (const result of [gone, cancelled]) expect(result).toMatchObject({ cancels: [], vanished: [], updates: [] });
  });
  it.each(cases.slice(0, 4))('(%s) is not duplicated by the same stay under a new UID', (_name, over) => {
    const result = buildTestSyncPlan(
      [buildStoredBooking('r', '2026-06-01', '2026-06-05', over)],
      [buildFeedEntry('2026-06-01', '2026-06-07', { uid: 'new' })],
    );
    expect(result).toMatchObject({ creates: [], updates: [], moved: [] });
  });
  it('does not prevent a new reservation for a new guest on the same dates', () => {
    const signed = buildStoredBooking('r', '2026-06-01', '2026-06-05', {
      status: 'signed',
      signed: true,
      guest_name: 'Jane Doe',
    });
    const result = buildTestSyncPlan(
      [signed],
      [buildFeedEntry('2026-06-01', '2026-06-05', { uid: 'new', guest_name: 'Kim Lee' })],
    );
    expect(result.creates).toHaveLength(1);
  });
});

describe('an expired stay', () => {
  const expired = (over: Partial<StoredBooking> = {}) =>
    buildStoredBooking('r', '2026-05-09', '2026-05-14', { status: 'expired', guest_name: 'Jane Doe', ...over });

  it('that is extended gets its new check-out, whatever check-in the calendar has', () => {
    for (const from of ['2026-05-09', '2026-05-14', TODAY]) {
      const result = buildTestSyncPlan([expired()], [buildFeedEntry(from, '2026-05-20', { uid: 'uid-2026-05-09' })]);
      expect(result).toMatchObject({ updates: [{ id: 'r', checkout_date: '2026-05-20' }], creates: [], skipped: [] });
      expect(result.updates[0]).not.toHaveProperty('checkin_date');
    }
  });
  it('that is extended under a new UID is recognised by its name in a healthy calendar', () => {
    const longer = buildFeedEntry('2026-05-09', '2026-05-20', { uid: 'new', guest_name: 'Jane Doe' });
    expect(buildTestSyncPlan([expired()], [longer]).moved).toMatchObject([{ id: 'r', checkout_date: '2026-05-20' }]);
    const doubted = buildTestSyncPlan([expired()], [longer], { last_healthy_count: 9 });
    expect(doubted).toMatchObject({ moved: [], creates: [], skipped: [{ reason: 'expired', id: 'r' }] });
  });
  it.each([
    ['has ended', expired(), buildFeedEntry('2026-05-09', '2026-05-15', { uid: 'uid-2026-05-09' }), 'expired'],
    [
      'is cancelled',
      expired(),
      buildFeedEntry('2026-05-09', '2026-05-20', { uid: 'uid-2026-05-09', cancelled: true }),
      'expired',
    ],
    [
      'was redacted',
      expired({ redacted: true }),
      buildFeedEntry('2026-05-09', '2026-05-20', { uid: 'uid-2026-05-09' }),
      'redacted',
    ],
  ])('that %s is neither changed nor duplicated', (_what, known, given, reason) => {
    const result = buildTestSyncPlan(
      [known, BOOKING_UNRELATED_TO_TESTED_STAY],
      [given, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
    );
    expect(result).toMatchObject({ creates: [], updates: [], moved: [], cancels: [], vanished: [] });
    expect(result.skipped).toMatchObject([{ reason, id: 'r' }]);
  });
});

describe('stays that vanish', () => {
  const gone = (over: Partial<StoredBooking> = {}, input: Partial<SyncPlanInput> = {}) =>
    buildTestSyncPlan(
      [buildStoredBooking('r', '2026-06-01', '2026-06-05', over), BOOKING_UNRELATED_TO_TESTED_STAY],
      [FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
      input,
    );

  it('the first healthy miss is only recorded', () => {
    expect(gone()).toMatchObject({
      vanished: [{ id: 'r', feed_misses: 1, feed_first_missed_at: NOW }],
      cancels: [],
      waiting: true,
    });
  });
  it('a second miss within the hour writes nothing', () => {
    expect(gone({ feed_misses: 1, feed_first_missed_at: getTimeHoursFromNow(-0.99) })).toMatchObject({
      vanished: [],
      cancels: [],
      waiting: true,
    });
  });
  it('a second miss an hour later cancels the stay', () => {
    expect(gone({ feed_misses: 1, feed_first_missed_at: getTimeHoursFromNow(-1) }).cancels).toEqual([
      { id: 'r', because: 'missing_twice' },
    ]);
  });
  it.each([
    [
      'truncated',
      { feed: { entries: [FEED_ENTRY_UNRELATED_TO_TESTED_STAY], whole: false, event_count: 1, seen: [] } },
      'not_whole',
    ],
    ['without events', { feed: { entries: [], whole: true, event_count: 0, seen: [] } }, 'no_events'],
    ['under half of the last healthy count', { last_healthy_count: 3 }, 'shrunk'],
  ])('a feed %s cancels nothing', (_name, input, reason) => {
    const result = gone({ feed_misses: 1, feed_first_missed_at: getTimeHoursFromNow(-9) }, input);
    expect(result).toMatchObject({ healthy: false, cancels: [], vanished: [], health: { reason }, waiting: true });
  });
  it('a feed of exactly half the last healthy count is healthy', () => {
    expect(gone({}, { last_healthy_count: 2 }).health).toEqual({
      healthy: true,
      reason: null,
      healthy_count: 1,
      shrunk_since: null,
    });
  });
  it('blocks do not count towards a calendar’s size', () => {
    const blocks = [1, 2, 3, 4, 5].map((day) =>
      buildFeedEntry(`2026-11-0${day}`, `2026-11-0${day + 1}`, { class: 'block' }),
    );
    expect(
      buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY, ...blocks]).health,
    ).toMatchObject({
      healthy: true,
      healthy_count: 1,
    });
    expect(
      buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY, ...blocks], {
        last_healthy_count: 4,
      }).health.reason,
    ).toBe('shrunk');
    expect(buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], blocks, { last_healthy_count: 2 }).health.reason).toBe(
      'shrunk',
    );
  });
  it('treating entries as blocks does not make a calendar count as shrunk', () => {
    const closures = [1, 2, 3, 4].map((day) =>
      buildFeedEntry(`2026-11-0${day}`, `2026-11-0${day + 1}`, { class: 'closure' }),
    );
    const { healthy_count } = buildTestSyncPlan([], closures, { channel: 'channel_c' }).health;
    const said = { channel: 'channel_c', last_healthy_count: healthy_count } as const;
    expect(buildTestSyncPlan([], closures, { ...said, closures_are_blocks: true }).health.healthy).toBe(true);
    const marks = closures.map(({ checkin_date, checkout_date }) => ({ checkin_date, checkout_date }));
    expect(buildTestSyncPlan([], closures, { ...said, marks }).health.healthy).toBe(true);
  });
  it('a shrunk calendar is fetched in full again even when nothing is missing', () => {
    expect(
      buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY], {
        last_healthy_count: 9,
      }),
    ).toMatchObject({
      missing: 0,
      waiting: true,
    });
    expect(
      buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY], {
        last_healthy_count: 2,
      }),
    ).toMatchObject({
      missing: 0,
      waiting: false,
    });
  });
  it('a calendar that stays small for a day counts as healthy again', () => {
    const first = gone({}, { last_healthy_count: 9 });
    expect(first.health).toMatchObject({ healthy: false, shrunk_since: NOW, healthy_count: 9 });
    expect(gone({}, { last_healthy_count: 9, shrunk_since: getTimeHoursFromNow(-23.9) }).healthy).toBe(false);
    expect(gone({}, { last_healthy_count: 9, shrunk_since: getTimeHoursFromNow(-24) })).toMatchObject({
      healthy: true,
      cancels: [],
    });
  });
  it('a missing stay whose check-in is today or past is left unchanged', () => {
    const known = [
      buildStoredBooking('past', '2026-05-14', '2026-05-20', {
        feed_misses: 1,
        feed_first_missed_at: getTimeHoursFromNow(-9),
      }),
      buildStoredBooking('today', TODAY, '2026-05-20'),
      BOOKING_UNRELATED_TO_TESTED_STAY,
    ];
    expect(buildTestSyncPlan(known, [FEED_ENTRY_UNRELATED_TO_TESTED_STAY])).toMatchObject({
      cancels: [],
      vanished: [],
      waiting: false,
    });
  });
  it('STATUS:CANCELLED cancels every row under its UID, and the next run finds nothing more to cancel', () => {
    // The codes show that a UID moved from one booking to another.
    const known = [
      buildStoredBooking('a', '2026-06-01', '2026-06-05', { external_id: 'HMONE', external_uid: 'u0' }),
      buildStoredBooking('b', '2026-07-01', '2026-07-05', { external_id: 'HMTWO', external_uid: 'u0' }),
    ];
    const feed = [buildFeedEntry('2026-07-01', '2026-07-05', { uid: 'u0', cancelled: true })];
    const first = buildTestSyncPlan(known, feed, { channel: 'channel_a' });
    expect(first.cancels.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(buildTestSyncPlan(applySyncPlanInMemory(known, first, NOW), feed, { channel: 'channel_a' }).cancels).toEqual(
      [],
    );
  });
  it('STATUS:CANCELLED cancels at once, even while the guest has the link', () => {
    const known = [buildStoredBooking('r', '2026-06-01', '2026-06-05', { status: 'clicked' })];
    const result = buildTestSyncPlan(known, [buildFeedEntry('2026-06-01', '2026-06-05', { cancelled: true })]);
    expect(result.cancels).toEqual([{ id: 'r', because: 'cancelled_in_feed' }]);
  });
  it('STATUS:CANCELLED in a truncated feed waits for a complete feed', () => {
    const cancelled = buildFeedEntry('2026-06-01', '2026-06-05', { cancelled: true });
    const feed = { entries: [cancelled], whole: false, event_count: 1, seen: [] };
    const result = buildTestSyncPlan([buildStoredBooking('r', '2026-06-01', '2026-06-05')], [], { feed });
    expect(result).toMatchObject({ cancels: [], waiting: true, skipped: [{ reason: 'awaiting_healthy_feed' }] });
  });
  it('a booking removed by the feed is restored when it reappears', () => {
    const removed = buildStoredBooking('r', '2026-06-01', '2026-06-05', {
      status: 'ignored',
      cancel_reason: 'feed_removed',
      feed_misses: 1,
    });
    const result = buildTestSyncPlan([removed], [buildFeedEntry('2026-06-01', '2026-06-05')]);
    expect(result).toMatchObject({ creates: [], returned: [{ id: 'r', feed_misses: 0 }] });
  });
  it('another UID on the dates of a removed booking is a new reservation', () => {
    const removed = buildStoredBooking('r', '2026-06-01', '2026-06-05', {
      status: 'ignored',
      cancel_reason: 'feed_removed',
    });
    expect(
      buildTestSyncPlan([removed], [buildFeedEntry('2026-06-01', '2026-06-05', { uid: 'new' })]).creates,
    ).toHaveLength(1);
  });
});

describe('a booking whose event is still in the calendar', () => {
  const missed = (over: Partial<StoredBooking> = {}) =>
    buildStoredBooking('r', '2026-06-01', '2026-06-05', {
      feed_misses: 1,
      feed_first_missed_at: getTimeHoursFromNow(-9),
      ...over,
    });
  const CLASSES: FeedEntry['class'][] = ['unknown', 'tentative', 'block'];

  it.each(CLASSES)('but classified as %s stays a booking with the event’s dates', (entry_class) => {
    const there = buildFeedEntry('2026-06-02', '2026-06-07', { uid: 'uid-2026-06-01', class: entry_class });
    const result = buildTestSyncPlan(
      [missed(), BOOKING_UNRELATED_TO_TESTED_STAY],
      [there, FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
    );
    expect(result).toMatchObject({ cancels: [], vanished: [], creates: [], skipped: [] });
    expect(result.updates).toMatchObject([{ id: 'r', checkin_date: '2026-06-02', feed_misses: 0 }]);
  });
  it.each(CLASSES)('but classified as %s is cancelled by STATUS:CANCELLED', (entry_class) => {
    const there = buildFeedEntry('2026-06-01', '2026-06-05', { class: entry_class, cancelled: true });
    expect(buildTestSyncPlan([missed()], [there]).cancels).toEqual([{ id: 'r', because: 'cancelled_in_feed' }]);
  });
  it.each([
    ['UID', 'uid-2026-06-01'],
    ['code', 'HMAAAA1111'],
  ])('but unreadable is recognised by its %s', (_what, identity) => {
    const feed = { entries: [FEED_ENTRY_UNRELATED_TO_TESTED_STAY], seen: [identity], whole: true, event_count: 1 };
    const coded = missed({ external_id: 'HMAAAA1111' });
    const result = buildTestSyncPlan([coded, BOOKING_UNRELATED_TO_TESTED_STAY], [], { feed });
    expect(result).toMatchObject({ cancels: [], vanished: [] });
    expect(result.updates).toEqual([{ id: 'r', feed_misses: 0, feed_first_missed_at: null }]);
    // A row that an unreadable event identifies must not be matched with another entry.
    const near = buildFeedEntry('2026-06-03', '2026-06-08', { uid: 'new' });
    expect(buildTestSyncPlan([coded], [], { feed: { ...feed, entries: [near] } })).toMatchObject({
      moved: [],
      creates: [near],
    });
  });
  it('but unreadable stays unchanged if it was not missing or is under legal hold', () => {
    const feed = {
      entries: [FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
      seen: ['uid-2026-06-01'],
      whole: true,
      event_count: 1,
    };
    for (const known of [missed({ feed_misses: 0, feed_first_missed_at: null }), missed({ legal_hold: true })])
      expect(buildTestSyncPlan([known, BOOKING_UNRELATED_TO_TESTED_STAY], [], { feed })).toMatchObject({
        updates: [],
        unchanged: ['other', 'r'],
      });
  });
  it('is cancelled when the host marks it as a block', () => {
    const marks: StayClassification[] = [{ checkin_date: '2026-06-01', checkout_date: '2026-06-05' }];
    const result = buildTestSyncPlan([missed()], [buildFeedEntry('2026-06-01', '2026-06-05')], { marks });
    expect(result.cancels).toEqual([{ id: 'r', because: 'missing_twice' }]);
  });
  it('but as a block is neither restored after its cancellation nor created again', () => {
    const there = buildFeedEntry('2026-06-01', '2026-06-05', { class: 'block' });
    const gone = buildStoredBooking('r', '2026-06-01', '2026-06-05', {
      status: 'ignored',
      cancel_reason: 'feed_removed',
    });
    expect(buildTestSyncPlan([gone], [there])).toMatchObject({
      returned: [],
      creates: [],
      skipped: [{ reason: 'block' }],
    });
  });
});

describe('a new UID', () => {
  it('whose stay overlaps a newly missing booking moves that booking', () => {
    const result = buildTestSyncPlan(
      [buildStoredBooking('r', '2026-06-01', '2026-06-05')],
      [buildFeedEntry('2026-06-03', '2026-06-08', { uid: 'new' })],
    );
    expect(result).toMatchObject({ creates: [], vanished: [] });
    expect(result.moved).toEqual([
      { id: 'r', checkin_date: '2026-06-03', checkout_date: '2026-06-08', external_id: 'new', external_uid: 'new' },
    ]);
  });
  it('whose stay only adjoins a missing booking is a new booking', () => {
    const result = buildTestSyncPlan(
      [buildStoredBooking('r', '2026-06-01', '2026-06-05')],
      [buildFeedEntry('2026-06-05', '2026-06-08', { uid: 'new' })],
    );
    expect(result.creates).toHaveLength(1);
    expect(result.vanished).toHaveLength(1);
  });
  it('with another guest’s name or another code is a new booking', () => {
    const named = buildStoredBooking('r', '2026-06-01', '2026-06-05', { guest_name: 'Jane Doe' });
    const coded = buildStoredBooking('r', '2026-06-01', '2026-06-05', { external_id: 'HMAAAA1111' });
    const days = ['2026-06-01', '2026-06-05'] as const;
    expect(
      buildTestSyncPlan([named], [buildFeedEntry(...days, { uid: 'new', guest_name: 'Kim Lee' })]).creates,
    ).toHaveLength(1);
    expect(
      buildTestSyncPlan([named], [buildFeedEntry(...days, { uid: 'new', guest_name: 'Doe, J.' })]).moved,
    ).toHaveLength(1);
    expect(
      buildTestSyncPlan([coded], [buildFeedEntry(...days, { uid: 'new', reservation_code: 'HMBBBB2222' })]).creates,
    ).toHaveLength(1);
  });
  it('with the reservation’s code wins over an entry with the reservation’s UID', () => {
    const known = buildStoredBooking('r', '2026-06-01', '2026-06-05', {
      external_id: 'HMAAAA1111',
      external_uid: 'u8',
    });
    const uid_only = buildFeedEntry('2026-06-01', '2026-06-05', { uid: 'u8' });
    const coded = buildFeedEntry('2026-07-01', '2026-07-05', { uid: 'u9', reservation_code: 'HMAAAA1111' });
    const result = buildTestSyncPlan([known], [uid_only, coded], { channel: 'channel_a' });
    expect(result.updates).toMatchObject([{ id: 'r', checkin_date: '2026-07-01', external_uid: 'u9' }]);
    expect(result.creates).toEqual([uid_only]);
  });
  it('in an incomplete feed is neither created nor moved', () => {
    const moved = buildFeedEntry('2026-06-03', '2026-06-08', { uid: 'new' });
    const feed = { entries: [moved], whole: false, event_count: 1, seen: [] };
    const result = buildTestSyncPlan([buildStoredBooking('r', '2026-06-01', '2026-06-05')], [], { feed });
    expect(result).toMatchObject({ creates: [], moved: [], skipped: [{ reason: 'awaiting_healthy_feed' }] });
  });
  it('on the dates of a reservation created by mail adopts that reservation, which keeps its code', () => {
    const mailed = buildStoredBooking('m', '2026-06-01', '2026-06-05', {
      owned: false,
      external_id: 'CODE9999',
      external_uid: null,
    });
    expect(buildTestSyncPlan([mailed], [buildFeedEntry('2026-06-01', '2026-06-05', { uid: 'u' })])).toMatchObject({
      creates: [],
      updates: [{ id: 'm', adopt: true, external_uid: 'u' }],
    });
    expect(
      buildTestSyncPlan([mailed, BOOKING_UNRELATED_TO_TESTED_STAY], [FEED_ENTRY_UNRELATED_TO_TESTED_STAY]).vanished,
    ).toEqual([]);
  });
});

describe('a reservation takes over from its entry', () => {
  const days = ['2026-06-01', '2026-06-05'] as const;
  it.each<[string, Partial<StoredBooking>, Partial<FeedEntry>, object]>([
    ['nothing when all is the same', {}, {}, {}],
    ['the check-out', { checkout_date: '2026-06-06' }, {}, { checkout_date: '2026-06-05' }],
    ['the check-in', { checkin_date: '2026-06-02' }, {}, { checkin_date: '2026-06-01' }],
    [
      'a code in place of a UID as external id',
      { external_id: 'u', external_uid: 'u' },
      { uid: 'u', reservation_code: 'HM1' },
      { external_id: 'HM1' },
    ],
    [
      'a code as external id when it had none',
      { external_id: null, external_uid: 'u' },
      { uid: 'u', reservation_code: 'HM1' },
      { external_id: 'HM1' },
    ],
    [
      'a UID as external id when it had none',
      { external_id: null, external_uid: 'u' },
      { uid: 'u' },
      { external_id: 'u' },
    ],
    [
      'a code in place of dates as external id',
      { external_id: '2026-06-01/2026-06-05', external_uid: 'u' },
      { uid: 'u', reservation_code: 'HM1' },
      { external_id: 'HM1' },
    ],
    [
      'a new UID under the same code',
      { external_id: 'HM1', external_uid: 'u' },
      { uid: 'v', reservation_code: 'HM1' },
      { external_uid: 'v' },
    ],
    ['no UID in place of its code', { external_id: 'HM1', external_uid: 'u' }, { uid: 'u' }, {}],
    [
      'the reset of its miss count',
      { feed_first_missed_at: getTimeHoursFromNow(-1) },
      {},
      { feed_misses: 0, feed_first_missed_at: null },
    ],
  ])('%s', (_name, over, given, change) => {
    const known = buildStoredBooking('r', ...days, over);
    const { updates, unchanged } = buildTestSyncPlan([known], [buildFeedEntry(...days, given)]);
    const changes = Object.keys(change).length > 0;
    expect([updates, unchanged]).toEqual(changes ? [[{ id: 'r', ...change }], []] : [[], ['r']]);
  });
  it('no later check-in while the stay is running', () => {
    const known = buildStoredBooking('r', '2026-05-10', '2026-05-20', { external_id: 'u', external_uid: 'u' });
    expect(buildTestSyncPlan([known], [buildFeedEntry(TODAY, '2026-05-21', { uid: 'u' })]).updates).toEqual([
      { id: 'r', checkout_date: '2026-05-21' },
    ]);
  });
});

describe('a booking removed by the calendar', () => {
  const removed = (over: Partial<StoredBooking> = {}) =>
    buildStoredBooking('r', '2026-05-10', '2026-05-20', { status: 'ignored', cancel_reason: 'feed_removed', ...over });
  const there = (checkout_date: string, over: Partial<FeedEntry> = {}) =>
    buildFeedEntry('2026-05-10', checkout_date, { uid: 'uid-2026-05-10', ...over });

  it('is restored with its new dates, unless the stay is over', () => {
    expect(buildTestSyncPlan([removed()], [there('2026-05-16')]).returned).toEqual([
      { id: 'r', checkout_date: '2026-05-16' },
    ]);
    expect(buildTestSyncPlan([removed()], [there(TODAY)])).toMatchObject({
      returned: [],
      unchanged: ['r'],
      creates: [],
    });
  });
  it('stays removed when the host kept it out or marked it as signed', () => {
    const kept = { question: null, kept: ['r'] };
    expect(buildTestSyncPlan([removed()], [there('2026-05-20')], { held: kept })).toMatchObject({
      returned: [],
      skipped: [{ reason: 'kept_out', id: 'r' }],
    });
    expect(buildTestSyncPlan([removed({ manual_override: true })], [there('2026-05-20')])).toMatchObject({
      returned: [],
      skipped: [{ reason: 'ignored', id: 'r' }],
    });
  });
  it('is not cancelled again', () => {
    expect(buildTestSyncPlan([removed()], [there('2026-05-20', { cancelled: true })])).toMatchObject({
      cancels: [],
      skipped: [{ reason: 'cancelled', id: 'r' }],
    });
  });
});

describe('a cancelled entry', () => {
  const cancelled = buildFeedEntry('2026-06-01', '2026-06-05', { cancelled: true });
  const cancel = (over: Partial<StoredBooking>, input: Partial<SyncPlanInput> = {}, given = cancelled) =>
    buildTestSyncPlan([buildStoredBooking('r', given.checkin_date, given.checkout_date, over)], [given], input);

  it.each<[string, Partial<StoredBooking>, string]>([
    ['signed', { status: 'signed', signed: true }, 'signed'],
    ['on legal hold', { legal_hold: true }, 'legal_hold'],
    ['redacted', { redacted: true }, 'redacted'],
    ['expired', { status: 'expired' }, 'expired'],
    ['ignored', { status: 'ignored', cancel_reason: 'host' }, 'cancelled'],
  ])('of a reservation that is %s cancels nothing', (_name, over, reason) => {
    expect(cancel(over)).toMatchObject({ cancels: [], waiting: false, skipped: [{ reason, id: 'r' }] });
  });
  it('without a reservation is reported without an id', () => {
    expect(buildTestSyncPlan([], [cancelled])).toMatchObject({
      creates: [],
      skipped: [{ reason: 'cancelled', id: null }],
    });
  });
  it.each([TODAY, '2026-05-10'])('of a stay that began on %s leaves the reservation to the host', (from) => {
    const given = buildFeedEntry(from, '2026-05-20', { cancelled: true });
    expect(cancel({}, {}, given)).toMatchObject({ cancels: [], waiting: false, skipped: [{ reason: 'past' }] });
  });
  it('of a stay that begins tomorrow cancels it', () => {
    expect(cancel({}, {}, buildFeedEntry('2026-05-16', '2026-05-20', { cancelled: true })).cancels).toHaveLength(1);
  });
  it('of a booking that the host kept is skipped', () => {
    const held = { question: null, kept: ['r'] };
    expect(cancel({}, { held })).toMatchObject({ cancels: [], missing: 0, skipped: [{ reason: 'kept_out', id: 'r' }] });
  });
});

describe('an entry without a reservation', () => {
  const kept = { question: null, kept: ['uid-2026-06-01'] };
  it('that the host kept out creates nothing, even if it overlaps a newly missing booking', () => {
    const known = buildStoredBooking('r', '2026-06-03', '2026-06-08');
    expect(
      buildTestSyncPlan(
        [known, BOOKING_UNRELATED_TO_TESTED_STAY],
        [buildFeedEntry('2026-06-01', '2026-06-05'), FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
        {
          held: kept,
        },
      ),
    ).toMatchObject({
      creates: [],
      moved: [],
      vanished: [{ id: 'r' }],
      skipped: [{ reason: 'kept_out', id: null }],
    });
  });
  it('is skipped when its UID or its code was kept out', () => {
    const coded = buildFeedEntry('2026-06-01', '2026-06-05', { uid: 'new', reservation_code: 'HM9' });
    const held = { question: null, kept: ['HM9'] };
    expect(
      buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [coded, FEED_ENTRY_UNRELATED_TO_TESTED_STAY], { held }),
    ).toMatchObject({
      creates: [],
      skipped: [{ reason: 'kept_out' }],
    });
  });
  it('is created even from an incomplete calendar if it cannot be a missing booking', () => {
    const feed = {
      entries: [FEED_ENTRY_UNRELATED_TO_TESTED_STAY, buildFeedEntry('2026-06-01', '2026-06-05')],
      seen: [],
      whole: false,
      event_count: 2,
    };
    expect(buildTestSyncPlan([BOOKING_UNRELATED_TO_TESTED_STAY], [], { feed })).toMatchObject({
      creates: [{ checkin_date: '2026-06-01' }],
      waiting: false,
    });
  });
  it('that ends tomorrow is created', () => {
    expect(buildTestSyncPlan([], [buildFeedEntry('2026-05-10', '2026-05-16')]).creates).toHaveLength(1);
  });
});

describe('many missing bookings', () => {
  const many = (over: Partial<StoredBooking>) =>
    Array.from({ length: 101 }, (_, nth) =>
      buildStoredBooking(`r${nth}`, addDays('2026-06-01', nth), addDays('2026-06-02', nth), over),
    );

  it('are cancelled a hundred at a time', () => {
    const result = buildTestSyncPlan(
      [...many({ feed_misses: 1, feed_first_missed_at: getTimeHoursFromNow(-2) }), BOOKING_UNRELATED_TO_TESTED_STAY],
      [FEED_ENTRY_UNRELATED_TO_TESTED_STAY],
    );
    expect([result.cancels.length, result.missing, result.waiting]).toEqual([100, 101, true]);
  });
  it('are all cancelled over several runs after the answer “apply”', () => {
    const known = many({});
    const block = [buildFeedEntry('2026-12-24', '2026-12-26', { uid: 'block', class: 'block' })];
    const asked = buildTestSyncPlan(known, block).held;
    const first = buildTestSyncPlan(known, block, { held: applyHostAnswerAboutCalendar(asked, 'apply') });
    expect([first.cancels.length, first.held.question?.apply]).toEqual([100, true]);
    const second = buildTestSyncPlan(applySyncPlanInMemory(known, first, NOW), block, { held: first.held });
    expect([second.cancels.length, second.held.question]).toEqual([1, null]);
  });
  it('exclude those that have begun, were kept by the host or belong to another source', () => {
    const known = [
      buildStoredBooking('begun', TODAY, '2026-05-20'),
      buildStoredBooking('kept', '2026-06-01', '2026-06-05'),
      buildStoredBooking('mail', '2026-07-01', '2026-07-05', { owned: false }),
      buildStoredBooking('over', '2026-08-01', '2026-08-05', { status: 'expired' }),
      buildStoredBooking('tomorrow', '2026-05-16', '2026-05-20'),
      BOOKING_UNRELATED_TO_TESTED_STAY,
    ];
    const result = buildTestSyncPlan(known, [FEED_ENTRY_UNRELATED_TO_TESTED_STAY], {
      held: { question: null, kept: ['kept'] },
    });
    expect([result.missing, result.vanished.map(({ id }) => id)]).toEqual([1, ['tomorrow']]);
  });
});
