import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../feed/calendar-days';
import { type FeedEntry, readOpenedFeed } from '../feed/reader';
import { openFeed } from '../feed/text';
import {
  codeOf,
  daysOf,
  isPlain,
  randomStays,
  staysOf,
  textOf,
  uidOf,
  WHOLE_CALENDARS,
} from '../testing/random-calendars';
import { decideEntries, previewEntries, type StayMark } from './entries';
import { codesConflict, guestNameOf } from './guest-identity';
import { answer as answerHeld, NOTHING_HELD } from './held';
import type { Channel, KnownBooking } from './match-bookings';
import { type PlanInput, planSync, type SyncPlan } from './planner';

const TODAY = '2026-05-15';
const NOW = new Date('2026-05-15T10:00:00Z');
const HOUR = 3_600_000;
const at = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

function entry(checkin_date: string, checkout_date: string, over: Partial<FeedEntry> = {}): FeedEntry {
  const uid = over.uid === undefined ? `uid-${checkin_date}` : over.uid;
  const nights = (Date.parse(checkout_date) - Date.parse(checkin_date)) / 86_400_000;
  return {
    external_id: over.reservation_code ?? uid ?? `${checkin_date}/${checkout_date}`,
    uid,
    reservation_code: null,
    checkin_date,
    checkout_date,
    nights,
    class: 'booking',
    cancelled: false,
    guest_name: null,
    phone_last4: null,
    guest_language: null,
    summary: 'Reserved',
    ...over,
  };
}

function row(id: string, checkin_date: string, checkout_date: string, over: Partial<KnownBooking> = {}): KnownBooking {
  return {
    id,
    owned: true,
    external_id: `uid-${checkin_date}`,
    external_uid: `uid-${checkin_date}`,
    guest_name: 'Guest',
    checkin_date,
    checkout_date,
    status: 'synced',
    cancel_reason: null,
    signed: false,
    manual_override: false,
    redacted: false,
    legal_hold: false,
    feed_misses: 0,
    feed_first_missed_at: null,
    ...over,
  };
}

function plan(known: KnownBooking[], entries: FeedEntry[], over: Partial<PlanInput> = {}): SyncPlan {
  return planSync({
    channel: 'channel_b',
    known,
    feed: { entries, seen: [], whole: true, event_count: entries.length },
    last_healthy_count: null,
    shrunk_since: null,
    closures_are_blocks: false,
    marks: [],
    held: NOTHING_HELD,
    now: NOW,
    today: TODAY,
    ...over,
  });
}

const OTHER = entry('2026-12-01', '2026-12-05', { uid: 'other' });
const OTHER_ROW = row('other', '2026-12-01', '2026-12-05', { external_id: 'other', external_uid: 'other' });

describe('new, changed and unchanged stays', () => {
  it('a new stay is created', () => {
    expect(plan([], [entry('2026-06-01', '2026-06-05')]).creates).toHaveLength(1);
  });
  it('a stay that is over is not created', () => {
    const result = plan([], [entry('2026-05-01', '2026-05-15')]);
    expect(result.creates).toEqual([]);
    expect(result.skipped).toMatchObject([{ reason: 'past' }]);
  });
  it('the same stay again changes nothing', () => {
    const result = plan([row('r', '2026-06-01', '2026-06-05')], [entry('2026-06-01', '2026-06-05')]);
    expect(result).toMatchObject({ unchanged: ['r'], creates: [], updates: [], waiting: false });
  });
  it('new dates under the same identity change the dates alone', () => {
    const known = [row('r', '2026-06-01', '2026-06-05', { external_id: 'HMCODE', external_uid: 'u1', status: 'sent' })];
    const moved = entry('2026-06-02', '2026-06-07', {
      uid: 'u1',
      reservation_code: 'HMCODE',
      guest_name: 'Another Name',
    });
    expect(plan(known, [moved]).updates).toEqual([
      { id: 'r', checkin_date: '2026-06-02', checkout_date: '2026-06-07' },
    ]);
  });
  it('a booking back after one miss loses the miss', () => {
    const missed = row('r', '2026-06-01', '2026-06-05', { feed_misses: 1, feed_first_missed_at: at(-1) });
    expect(plan([missed], [entry('2026-06-01', '2026-06-05')]).updates).toEqual([
      { id: 'r', feed_misses: 0, feed_first_missed_at: null },
    ]);
  });
  it('the name without one is Guest, with the code where there is one', () => {
    expect(guestNameOf({ guest_name: null, reservation_code: null })).toBe('Guest');
    expect(guestNameOf({ guest_name: null, reservation_code: 'HM1' })).toBe('Guest HM1');
    expect(guestNameOf({ guest_name: 'Jo', reservation_code: 'HM1' })).toBe('Jo');
  });
});

describe('what a run never touches', () => {
  const cases: [string, Partial<KnownBooking>, string][] = [
    ['signed', { status: 'signed', signed: true }, 'signed'],
    ['marked as signed by the host', { status: 'signed', manual_override: true }, 'signed'],
    ['redacted', { redacted: true }, 'redacted'],
    ['under legal hold', { legal_hold: true }, 'legal_hold'],
    ['expired', { status: 'expired' }, 'expired'],
    ['ignored by the host', { status: 'ignored', cancel_reason: 'host' }, 'ignored'],
  ];
  it.each(cases)('%s: dates in the feed change nothing and make no second reservation', (_name, over, reason) => {
    const known = [row('r', '2026-06-01', '2026-06-05', over)];
    const result = plan(known, [entry('2026-06-02', '2026-06-06', { uid: 'uid-2026-06-01' })]);
    expect(result).toMatchObject({ creates: [], updates: [], moved: [], cancels: [], vanished: [] });
    expect(result.skipped).toMatchObject([{ reason, id: 'r' }]);
  });
  it.each(cases)('%s: leaving the feed or STATUS:CANCELLED changes nothing', (_name, over) => {
    const known = [row('r', '2026-06-01', '2026-06-05', { ...over, feed_misses: 1, feed_first_missed_at: at(-5) })];
    const gone = plan([...known, OTHER_ROW], [OTHER]);
    const cancelled = plan(known, [entry('2026-06-01', '2026-06-05', { cancelled: true })]);
    for (const result of [gone, cancelled]) expect(result).toMatchObject({ cancels: [], vanished: [], updates: [] });
  });
  it.each(cases.slice(0, 4))('%s: the same stay under a new UID makes no second reservation', (_name, over) => {
    const result = plan(
      [row('r', '2026-06-01', '2026-06-05', over)],
      [entry('2026-06-01', '2026-06-07', { uid: 'new' })],
    );
    expect(result).toMatchObject({ creates: [], updates: [], moved: [] });
  });
  it('a new guest over a signed guest’s days is a new reservation', () => {
    const signed = row('r', '2026-06-01', '2026-06-05', { status: 'signed', signed: true, guest_name: 'Jane Doe' });
    const result = plan([signed], [entry('2026-06-01', '2026-06-05', { uid: 'new', guest_name: 'Kim Lee' })]);
    expect(result.creates).toHaveLength(1);
  });
});

describe('stays that vanish', () => {
  const gone = (over: Partial<KnownBooking> = {}, input: Partial<PlanInput> = {}) =>
    plan([row('r', '2026-06-01', '2026-06-05', over), OTHER_ROW], [OTHER], input);

  it('the first healthy miss is only remembered', () => {
    expect(gone()).toMatchObject({
      vanished: [{ id: 'r', feed_misses: 1, feed_first_missed_at: NOW }],
      cancels: [],
      waiting: true,
    });
  });
  it('a second miss within the hour writes nothing', () => {
    expect(gone({ feed_misses: 1, feed_first_missed_at: at(-0.99) })).toMatchObject({
      vanished: [],
      cancels: [],
      waiting: true,
    });
  });
  it('a second miss an hour later cancels', () => {
    expect(gone({ feed_misses: 1, feed_first_missed_at: at(-1) }).cancels).toEqual([
      { id: 'r', because: 'missing_twice' },
    ]);
  });
  it.each([
    ['truncated', { feed: { entries: [OTHER], whole: false, event_count: 1, seen: [] } }, 'not_whole'],
    ['without events', { feed: { entries: [], whole: true, event_count: 0, seen: [] } }, 'no_events'],
    ['under half of the last healthy count', { last_healthy_count: 3 }, 'shrunk'],
  ])('a feed %s cancels nothing', (_name, input, reason) => {
    const result = gone({ feed_misses: 1, feed_first_missed_at: at(-9) }, input);
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
  it('a calendar that stays small for a day is believed again', () => {
    const first = gone({}, { last_healthy_count: 9 });
    expect(first.health).toMatchObject({ healthy: false, shrunk_since: NOW, healthy_count: 9 });
    expect(gone({}, { last_healthy_count: 9, shrunk_since: at(-23.9) }).healthy).toBe(false);
    expect(gone({}, { last_healthy_count: 9, shrunk_since: at(-24) })).toMatchObject({ healthy: true, cancels: [] });
  });
  it('a stay whose check-in is today or past is left alone', () => {
    const known = [row('r', TODAY, '2026-05-20', { feed_misses: 1, feed_first_missed_at: at(-9) }), OTHER_ROW];
    expect(plan(known, [OTHER])).toMatchObject({ cancels: [], vanished: [], waiting: false });
  });
  it('STATUS:CANCELLED cancels every row under its UID, and the next run finds nothing more to cancel', () => {
    // A UID went from one booking to another, as the codes tell.
    const known = [
      row('a', '2026-06-01', '2026-06-05', { external_id: 'HMONE', external_uid: 'u0' }),
      row('b', '2026-07-01', '2026-07-05', { external_id: 'HMTWO', external_uid: 'u0' }),
    ];
    const feed = [entry('2026-07-01', '2026-07-05', { uid: 'u0', cancelled: true })];
    const first = plan(known, feed, { channel: 'channel_a' });
    expect(first.cancels.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(plan(apply(known, first, NOW), feed, { channel: 'channel_a' }).cancels).toEqual([]);
  });
  it('STATUS:CANCELLED cancels at once, even while the guest has the link', () => {
    const known = [row('r', '2026-06-01', '2026-06-05', { status: 'clicked' })];
    const result = plan(known, [entry('2026-06-01', '2026-06-05', { cancelled: true })]);
    expect(result.cancels).toEqual([{ id: 'r', because: 'cancelled_in_feed' }]);
  });
  it('STATUS:CANCELLED in a truncated feed waits for a whole one', () => {
    const cancelled = entry('2026-06-01', '2026-06-05', { cancelled: true });
    const feed = { entries: [cancelled], whole: false, event_count: 1, seen: [] };
    const result = plan([row('r', '2026-06-01', '2026-06-05')], [], { feed });
    expect(result).toMatchObject({ cancels: [], waiting: true, skipped: [{ reason: 'awaiting_healthy_feed' }] });
  });
  it('a booking the feed had removed comes back as itself', () => {
    const removed = row('r', '2026-06-01', '2026-06-05', {
      status: 'ignored',
      cancel_reason: 'feed_removed',
      feed_misses: 1,
    });
    const result = plan([removed], [entry('2026-06-01', '2026-06-05')]);
    expect(result).toMatchObject({ creates: [], returned: [{ id: 'r', feed_misses: 0 }] });
  });
  it('another UID on the days of a removed booking is another guest', () => {
    const removed = row('r', '2026-06-01', '2026-06-05', { status: 'ignored', cancel_reason: 'feed_removed' });
    expect(plan([removed], [entry('2026-06-01', '2026-06-05', { uid: 'new' })]).creates).toHaveLength(1);
  });
});

describe('a booking whose event is still there', () => {
  const missed = (over: Partial<KnownBooking> = {}) =>
    row('r', '2026-06-01', '2026-06-05', { feed_misses: 1, feed_first_missed_at: at(-9), ...over });
  const CLASSES: FeedEntry['class'][] = ['unknown', 'tentative', 'block'];

  it.each(CLASSES)('in words that say %s stays a booking, and follows its days', (entry_class) => {
    const there = entry('2026-06-02', '2026-06-07', { uid: 'uid-2026-06-01', class: entry_class });
    const result = plan([missed(), OTHER_ROW], [there, OTHER]);
    expect(result).toMatchObject({ cancels: [], vanished: [], creates: [], skipped: [] });
    expect(result.updates).toMatchObject([{ id: 'r', checkin_date: '2026-06-02', feed_misses: 0 }]);
  });
  it.each(CLASSES)('in words that say %s is cancelled by STATUS:CANCELLED', (entry_class) => {
    const there = entry('2026-06-01', '2026-06-05', { class: entry_class, cancelled: true });
    expect(plan([missed()], [there]).cancels).toEqual([{ id: 'r', because: 'cancelled_in_feed' }]);
  });
  it.each([
    ['UID', 'uid-2026-06-01'],
    ['code', 'HMAAAA1111'],
  ])('and cannot be read is seen by its %s', (_what, identity) => {
    const feed = { entries: [OTHER], seen: [identity], whole: true, event_count: 1 };
    const coded = missed({ external_id: 'HMAAAA1111' });
    const result = plan([coded, OTHER_ROW], [], { feed });
    expect(result).toMatchObject({ cancels: [], vanished: [] });
    expect(result.updates).toEqual([{ id: 'r', feed_misses: 0, feed_first_missed_at: null }]);
    // What is seen is not taken for another entry's, either.
    const near = entry('2026-06-03', '2026-06-08', { uid: 'new' });
    expect(plan([coded], [], { feed: { ...feed, entries: [near] } })).toMatchObject({ moved: [], creates: [near] });
  });
  it('goes when the host calls it a block', () => {
    const marks: StayMark[] = [{ checkin_date: '2026-06-01', checkout_date: '2026-06-05' }];
    const result = plan([missed()], [entry('2026-06-01', '2026-06-05')], { marks });
    expect(result.cancels).toEqual([{ id: 'r', because: 'missing_twice' }]);
  });
  it('does not bring back what was cancelled, and makes no booking of a block', () => {
    const there = entry('2026-06-01', '2026-06-05', { class: 'block' });
    const gone = row('r', '2026-06-01', '2026-06-05', { status: 'ignored', cancel_reason: 'feed_removed' });
    expect(plan([gone], [there])).toMatchObject({ returned: [], creates: [], skipped: [{ reason: 'block' }] });
  });
});

describe('a new UID', () => {
  it('whose stay overlaps one that vanished in the same run is that booking moved', () => {
    const result = plan([row('r', '2026-06-01', '2026-06-05')], [entry('2026-06-03', '2026-06-08', { uid: 'new' })]);
    expect(result).toMatchObject({ creates: [], vanished: [] });
    expect(result.moved).toEqual([
      { id: 'r', checkin_date: '2026-06-03', checkout_date: '2026-06-08', external_id: 'new', external_uid: 'new' },
    ]);
  });
  it('whose stay only touches it is a new booking', () => {
    const result = plan([row('r', '2026-06-01', '2026-06-05')], [entry('2026-06-05', '2026-06-08', { uid: 'new' })]);
    expect(result.creates).toHaveLength(1);
    expect(result.vanished).toHaveLength(1);
  });
  it('with another guest’s name or another code is a new booking', () => {
    const named = row('r', '2026-06-01', '2026-06-05', { guest_name: 'Jane Doe' });
    const coded = row('r', '2026-06-01', '2026-06-05', { external_id: 'HMAAAA1111' });
    const days = ['2026-06-01', '2026-06-05'] as const;
    expect(plan([named], [entry(...days, { uid: 'new', guest_name: 'Kim Lee' })]).creates).toHaveLength(1);
    expect(plan([named], [entry(...days, { uid: 'new', guest_name: 'Doe, J.' })]).moved).toHaveLength(1);
    expect(plan([coded], [entry(...days, { uid: 'new', reservation_code: 'HMBBBB2222' })]).creates).toHaveLength(1);
  });
  it('of an entry with the row’s code wins over an entry with the row’s UID', () => {
    const known = row('r', '2026-06-01', '2026-06-05', { external_id: 'HMAAAA1111', external_uid: 'u8' });
    const uid_only = entry('2026-06-01', '2026-06-05', { uid: 'u8' });
    const coded = entry('2026-07-01', '2026-07-05', { uid: 'u9', reservation_code: 'HMAAAA1111' });
    const result = plan([known], [uid_only, coded], { channel: 'channel_a' });
    expect(result.updates).toMatchObject([{ id: 'r', checkin_date: '2026-07-01', external_uid: 'u9' }]);
    expect(result.creates).toEqual([uid_only]);
  });
  it('in a feed that is not whole is neither created nor moved', () => {
    const moved = entry('2026-06-03', '2026-06-08', { uid: 'new' });
    const feed = { entries: [moved], whole: false, event_count: 1, seen: [] };
    const result = plan([row('r', '2026-06-01', '2026-06-05')], [], { feed });
    expect(result).toMatchObject({ creates: [], moved: [], skipped: [{ reason: 'awaiting_healthy_feed' }] });
  });
  it('a reservation that mail made for the same days is adopted, keeping its code', () => {
    const mailed = row('m', '2026-06-01', '2026-06-05', { owned: false, external_id: 'CODE9999', external_uid: null });
    expect(plan([mailed], [entry('2026-06-01', '2026-06-05', { uid: 'u' })])).toMatchObject({
      creates: [],
      updates: [{ id: 'm', adopt: true, external_uid: 'u' }],
    });
    expect(plan([mailed, OTHER_ROW], [OTHER]).vanished).toEqual([]);
  });
});

describe('channel C', () => {
  const closure = (from: string, to: string, uid: string) => entry(from, to, { uid, class: 'closure' });
  const options = (over: Partial<PlanInput> = {}): Partial<PlanInput> => ({ channel: 'channel_c', ...over });

  it('each closure is a booking', () => {
    expect(plan([], [closure('2026-06-01', '2026-06-05', 'c')], options()).creates).toHaveLength(1);
  });
  it('unless the source treats closures as blocks, which named bookings stay out of', () => {
    const named = entry('2026-06-10', '2026-06-12', { guest_name: 'Ada' });
    const result = plan([], [closure('2026-06-01', '2026-06-05', 'c'), named], options({ closures_are_blocks: true }));
    expect(result.creates).toEqual([named]);
    expect(result.skipped).toMatchObject([{ reason: 'closures_are_blocks' }]);
  });
  it('unless the host marked it, remembered by its dates while its start moves', () => {
    const marks: StayMark[] = [{ checkin_date: '2026-05-10', checkout_date: '2026-05-25' }];
    for (const start of ['2026-05-10', TODAY, '2026-05-16']) {
      const result = plan([], [closure(start, '2026-05-25', `new ${start}`)], options({ marks }));
      expect(result.skipped).toMatchObject([{ reason: 'marked_as_block' }]);
    }
    expect(plan([], [closure('2026-05-20', '2026-05-25', 'c')], options({ marks })).creates).toHaveLength(1);
  });
  it('over 60 nights is proposed as a block, until the host says it is a booking', () => {
    const long = closure('2026-06-01', '2026-08-01', 'c');
    const proposed = plan([], [long], options());
    expect(proposed).toMatchObject({ creates: [], skipped: [{ reason: 'proposed_as_block' }] });
    expect(proposed.new_marks).toEqual([{ checkin_date: '2026-06-01', checkout_date: '2026-08-01', as: 'proposed' }]);
    expect(plan([], [closure('2026-06-01', '2026-07-31', 'c')], options()).creates).toHaveLength(1);
    const marks: StayMark[] = [{ checkin_date: '2026-06-01', checkout_date: '2026-08-01', as: 'booking' }];
    expect(plan([], [long], options({ marks })).creates).toHaveLength(1);
  });
  it('one closed block polled on many days with a UID each makes one reservation, whose check-in stays', () => {
    let known: KnownBooking[] = [];
    let created = 0;
    for (let day = 0; day < 20; day += 1) {
      const today = addDays('2026-05-10', day);
      const start = today > '2026-05-14' ? today : '2026-05-14';
      const entries = start < '2026-05-28' ? [closure(start, '2026-05-28', `uid-of-${start}`)] : [OTHER];
      const result = plan(known, entries, options({ today, now: at(24 * day) }));
      created += result.creates.filter((made) => made !== OTHER).length;
      expect(result.cancels).toEqual([]);
      known = apply(known, result, at(24 * day));
    }
    expect(created).toBe(1);
    expect(known[0]).toMatchObject({ checkin_date: '2026-05-14', checkout_date: '2026-05-28', status: 'synced' });
  });
  it.each([
    ['signed', { status: 'signed' as const, signed: true }],
    ['ignored', { status: 'ignored' as const, cancel_reason: 'host' }],
  ])('a running block over a row that is %s makes no reservation a night', (_name, over) => {
    const known = [row('r', '2026-05-10', '2026-05-28', over)];
    for (const start of ['2026-05-15', '2026-05-16']) {
      expect(plan(known, [closure(start, '2026-05-28', `u${start}`)], options()).creates).toEqual([]);
    }
  });
  it('a long proposed closure does not turn into a booking when its rest is short', () => {
    let marks: StayMark[] = [];
    for (let day = 0; day < 80; day += 1) {
      const today = addDays(TODAY, day);
      const result = plan([], [closure(today, '2026-08-08', `u${day}`)], options({ today, marks }));
      expect(result.creates).toEqual([]);
      marks = [...marks, ...result.new_marks];
    }
    expect(marks).toHaveLength(1);
  });
});

describe('blocks of channel A', () => {
  it('a window at the horizon that moves daily creates nothing', () => {
    for (let day = 0; day < 5; day += 1) {
      const start = addDays('2027-05-10', day);
      const block = entry(start, addDays(start, 1), { class: 'block' });
      expect(plan([], [block], { channel: 'channel_a' }).creates).toEqual([]);
    }
  });
  it('the preview counts bookings and blocks ahead and names the next arrival', () => {
    const entries = [
      entry('2026-05-01', '2026-05-04'),
      entry('2026-05-10', '2026-05-20'),
      entry('2026-06-01', '2026-06-04'),
      entry('2026-07-01', '2026-07-04', { class: 'block' }),
    ];
    const decisions = decideEntries({ feed: { entries }, closures_are_blocks: false, marks: [], today: TODAY });
    expect(previewEntries(decisions, TODAY)).toEqual({ bookings: 2, blocks: 1, next_arrival: '2026-06-01' });
  });
});

describe('size', () => {
  it('thousands of rows and as many strange stays are planned, each stay once', () => {
    const stays = Array.from({ length: 4_000 }, (_, index) => addDays('2026-06-01', index % 700));
    const known = stays.map((day, index) =>
      row(`r${index}`, day, addDays(day, 2), {
        external_id: `a${index}`,
        external_uid: `a${index}`,
        feed_misses: 1,
        feed_first_missed_at: NOW,
      }),
    );
    const entries = stays.map((day, index) => entry(addDays(day, 1), addDays(day, 4), { uid: `b${index}` }));
    expect(plan(known, entries).creates).toHaveLength(4_000);
  });
});

/** What the service does with a plan, on rows in memory. */
function apply(known: KnownBooking[], result: SyncPlan, _now: Date): KnownBooking[] {
  const changes = new Map(
    [...result.updates, ...result.moved, ...result.returned].map((change) => [change.id, change]),
  );
  const restored = new Set(result.returned.map((change) => change.id));
  const missed = new Map(result.vanished.map((miss) => [miss.id, miss]));
  const cancelled = new Set(result.cancels.map((cancel) => cancel.id));
  const rows = known.map((old): KnownBooking => {
    const { adopt, ...change } = changes.get(old.id) ?? { id: old.id };
    return {
      ...old,
      ...change,
      ...missed.get(old.id),
      ...(adopt && { owned: true }),
      ...(restored.has(old.id) && { status: 'synced' as const, cancel_reason: null }),
      ...(cancelled.has(old.id) && { status: 'ignored' as const, cancel_reason: 'feed_removed' }),
    };
  });
  const made = result.creates.map((source, index) =>
    row(`new-${known.length + index}`, source.checkin_date, source.checkout_date, {
      external_id: source.external_id,
      external_uid: source.uid,
      guest_name: guestNameOf(source),
    }),
  );
  return [...rows, ...made];
}

describe('bookings that vanish at once', () => {
  const [ANA, BEN] = [row('ana', '2026-06-01', '2026-06-05'), row('ben', '2026-07-01', '2026-07-05')];
  const BLOCK = entry('2026-12-24', '2026-12-26', { uid: 'block', class: 'block' });
  const OTHERS = [
    entry('2026-06-03', '2026-06-08', { uid: 'x', guest_name: 'Kim' }),
    entry('2026-08-01', '2026-08-03', { uid: 'y' }),
  ];
  const IDLE = { creates: [], updates: [], moved: [], vanished: [], cancels: [], returned: [] };

  it('change nothing, and are named with what else would have been done', () => {
    const result = plan([ANA, BEN], [BLOCK]);
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
  it('with others instead are another listing’s, whose days are nobody’s new ones', () => {
    const { held, ...result } = plan([ANA, BEN], OTHERS);
    expect(result).toMatchObject(IDLE);
    expect(held.question?.reason).toBe('another_listing');
    expect(held.question?.would.map(({ what }) => what)).toEqual(['cancel', 'move', 'create']);
  });
  it('one that is gone is a cancellation, also the only one there was', () => {
    expect(plan([ANA, BEN], [entry('2026-07-01', '2026-07-05')]).vanished).toMatchObject([{ id: 'ana' }]);
    expect(plan([ANA], [BLOCK]).vanished).toMatchObject([{ id: 'ana' }]);
  });
  it('the only one, with several strangers instead, is another listing’s calendar', () => {
    const strangers = [entry('2026-09-01', '2026-09-03'), entry('2026-10-01', '2026-10-03')];
    expect(plan([ANA], strangers).held.question?.reason).toBe('another_listing');
    // Unless the calendar knows anything else of ours.
    const over = row('over', '2026-05-01', '2026-05-04');
    expect(plan([ANA, over], [...strangers, entry('2026-05-01', '2026-05-04')]).held.question).toBeNull();
  });
  it('are asked about when the calendar has shrunk too, and at once', () => {
    expect(plan([ANA, BEN], [BLOCK], { last_healthy_count: 40 }).held.question).not.toBeNull();
  });
  it.each([
    ['cut', { feed: { entries: [BLOCK], seen: [], whole: false, event_count: 1 } }],
    ['empty', { feed: { entries: [], seen: [], whole: true, event_count: 0 } }],
  ])('in a calendar that is %s are asked about by nobody', (_name, over) => {
    expect(plan([ANA, BEN], [], over)).toMatchObject({ ...IDLE, waiting: true, held: NOTHING_HELD });
  });
  it('by the host’s own word are gone: he said that they are blocks', () => {
    const closures = [
      entry('2026-06-01', '2026-06-05', { class: 'closure' }),
      entry('2026-07-01', '2026-07-05', { class: 'closure' }),
    ];
    const result = plan([ANA, BEN], closures, { channel: 'channel_c', closures_are_blocks: true });
    expect(result.vanished).toHaveLength(2);
  });
  it('are cancelled at once when the host says so, and what is new is made', () => {
    const asked = plan([ANA, BEN], OTHERS).held;
    const result = plan([ANA, BEN], OTHERS, { held: answerHeld(asked, 'apply') });
    expect(result.cancels.map(({ id }) => id)).toEqual(['ben']);
    expect(result.moved.map(({ id }) => id)).toEqual(['ana']);
    expect(result.creates.map(({ uid }) => uid)).toEqual(['y']);
    expect(result.held).toEqual(NOTHING_HELD);
  });
  it('stay when the host says so, and what comes with the strangers he left out is asked about anew', () => {
    const held = answerHeld(plan([ANA, BEN], OTHERS).held, 'keep');
    expect(plan([ANA, BEN], OTHERS, { held })).toMatchObject({ ...IDLE, held: { question: null } });
    const more = [...OTHERS, entry('2026-11-01', '2026-11-04', { uid: 'z' })];
    const again = plan([ANA, BEN], more, { held });
    expect(again.held.question?.would).toMatchObject([{ what: 'create', external_ids: ['z'] }]);
    // Back in the calendar they are as any other.
    const back = plan([ANA, BEN], [entry('2026-06-01', '2026-06-05'), entry('2026-07-01', '2026-07-05')], { held });
    expect(back.unchanged).toEqual(['ana', 'ben']);
    expect(back.held.kept).not.toContain('ana');
  });
  it('and were kept leave a calendar that is small and believed', () => {
    const small = { last_healthy_count: 40 };
    const held = answerHeld(plan([ANA, BEN], [BLOCK], small).held, 'keep');
    expect(plan([ANA, BEN], [BLOCK], { ...small, held }).health).toMatchObject({ healthy: true, healthy_count: 1 });
    // Unless something is missing that he was not asked about.
    const known = [ANA, BEN, row('cleo', '2026-08-01', '2026-08-05', { feed_misses: 1, feed_first_missed_at: at(-9) })];
    expect(plan(known, [BLOCK], { ...small, held }).health).toMatchObject({ healthy: false, reason: 'shrunk' });
  });
  it('the question goes when they are back', () => {
    const { held } = plan([ANA, BEN], [BLOCK]);
    const back = plan([ANA, BEN], [entry('2026-06-01', '2026-06-05'), entry('2026-07-01', '2026-07-05')], { held });
    expect(back.held).toEqual(NOTHING_HELD);
  });
});

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
    /** What befalls a row between two polls. */
    event: fc.record({
      row: fc.nat(20),
      what: fc.constantFrom('none', 'none', 'sign', 'hold', 'redact', 'ignore', 'send'),
    }),
  });
  const WHAT: Record<string, Partial<KnownBooking>> = {
    sign: { status: 'signed', signed: true },
    hold: { legal_hold: true },
    redact: { redacted: true },
    ignore: { status: 'ignored', cancel_reason: 'host' },
    send: { status: 'sent' },
  };

  it.each<Channel>(['channel_a', 'channel_b', 'channel_c'])('%s keeps every invariant', (channel) => {
    fc.assert(
      fc.property(fc.array(poll, { maxLength: 8 }), (polls) => {
        let known: KnownBooking[] = [];
        let marks: StayMark[] = [];
        let last_healthy_count: number | null = null;
        let shrunk_since: Date | null = null;
        let held = NOTHING_HELD;
        let now = NOW;
        for (const { stays, whole, hours, event } of polls) {
          now = new Date(now.getTime() + hours * HOUR);
          const today = now.toISOString().slice(0, 10);
          const entries = stays.map((item) => {
            const from = addDays(TODAY, item.slot * 4 + item.shift);
            const code = channel === 'channel_a' && item.coded ? `HMCODE${item.uid}` : null;
            return entry(from, addDays(from, item.nights), {
              uid: `u${item.uid}`,
              reservation_code: code,
              class: item.class,
              cancelled: item.cancelled && item.uid % 4 === 0,
              guest_name: item.name,
            });
          });
          const input: PlanInput = {
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
          known = apply(known, result, now);
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
      { numRuns: 1_500 },
    );
  });

  it('of careless channels lose, double and misdate no true booking', () => {
    const step = fc.record({
      stays: randomStays,
      whole: fc.constantFrom(...WHOLE_CALENDARS),
      hours: fc.constantFrom(0, 1, 5, 24),
      answer: fc.constantFrom<'apply' | 'keep' | null>('apply', 'keep', null),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 8 }), (steps) => {
        let known: KnownBooking[] = [];
        let held = NOTHING_HELD;
        let [last_healthy_count, shrunk_since]: [number | null, Date | null] = [null, null];
        let now = NOW;
        /** What the host said to leave, as long as the calendar does not say otherwise. */
        let left = new Set<string>();
        for (const { whole, hours, answer, ...made } of steps) {
          now = new Date(now.getTime() + hours * HOUR);
          const today = now.toISOString().slice(0, 10);
          const stays = staysOf(made.stays, whole);
          const opened = openFeed(new TextEncoder().encode(textOf(stays, whole)));
          if (!opened.ok) throw new Error(opened.message);
          const feed = readOpenedFeed(opened, { kind: 'channel_a_ical', time_zone: 'UTC', today });
          const run = () => {
            const settings = { closures_are_blocks: false, marks: [], held, now, today };
            const health = { last_healthy_count, shrunk_since };
            const result = planSync({ channel: 'channel_a', known, feed, ...health, ...settings });
            known = apply(known, result, now);
            ({ healthy_count: last_healthy_count, shrunk_since } = result.health);
            held = result.held;
            return result;
          };
          const before = known;
          const confirmed = held.question?.apply ? held.question.would.map(({ reservation_id }) => reservation_id) : [];
          const result = run();

          const isIn = ({ external_id, external_uid }: KnownBooking) =>
            stays.some((one) => [uidOf(one), codeOf(one)].some((id) => id === external_uid || id === external_id));
          const isCancelled = ({ external_id, external_uid }: KnownBooking) =>
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
          const isBack = (row: KnownBooking) => row.status !== 'ignored' && isIn(row) && !isCancelled(row);
          if (feed.event_count > 0) {
            left = new Set([...left].filter((id) => !before.some((row) => row.id === id && isBack(row))));
          }
          for (const id of left) {
            const state = (rows: KnownBooking[]) => {
              const row = rows.find((one) => one.id === id || one.external_id === id);
              return row && [row.status, row.checkin_date, row.checkout_date];
            };
            expect(state(known)).toEqual(state(before));
          }

          for (const item of stays) {
            const its = (rows: KnownBooking[]) =>
              rows.filter(
                ({ status, external_id, external_uid }) =>
                  status !== 'ignored' && (external_uid === uidOf(item) || external_id === codeOf(item)),
              );
            if (!item.cancelled && its(before).length > 0) expect(its(known)).not.toEqual([]);
            expect(its(known).length).toBeLessThan(2);
            const { from, to } = daysOf(item);
            const names = [uidOf(item), codeOf(item)];
            const kept_out =
              names.some((id) => left.has(id)) ||
              before.some(
                ({ id, external_id, external_uid }) =>
                  left.has(id) && names.some((name) => name === external_id || name === external_uid),
              );
            if (isPlain(item) && !kept_out && (result.healthy || (its(before).length > 0 && !held.question)))
              expect(its(known)).toMatchObject([{ checkin_date: from, checkout_date: to }]);
          }

          const { question } = held;
          if (!question || !answer) continue;
          held = answerHeld(held, answer);
          const asked = known;
          const { cancels, creates } = run();
          if (answer === 'apply' && feed.event_count === 0) {
            // An empty calendar is the word of nobody: the answer waits.
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

  function checkPlan(input: PlanInput, result: SyncPlan): void {
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
      expect(['signed', 'expired']).not.toContain(target.status);
    }
    if (!result.healthy) {
      expect(result.cancels).toEqual([]);
      expect(result.vanished).toEqual([]);
      expect(result.moved).toEqual([]);
    }
    for (const cancel of result.cancels.filter((item) => item.because === 'missing_twice')) {
      const target = rows.get(cancel.id)!;
      expect(target.feed_misses).toBe(1);
      expect(input.now.getTime() - target.feed_first_missed_at!.getTime()).toBeGreaterThanOrEqual(HOUR);
      expect(target.checkin_date > input.today).toBe(true);
    }
    const lost = result.cancels.map(({ id }) => rows.get(id)!);
    for (const { uid, reservation_code, cancelled } of input.feed.entries) {
      const named = lost.filter((one) => one.external_uid === uid && !codesConflict(one, reservation_code));
      if (!cancelled) expect(named).toEqual([]);
    }
    const live = apply([...input.known], result, input.now).filter((item) => item.status !== 'ignored');
    const identities = live.map((item) => item.external_id);
    expect(new Set(identities).size).toBe(identities.length);
    const spoken = [...result.creates, ...result.skipped.map((item) => item.entry)].map((item) => item.uid);
    expect(new Set(spoken).size).toBe(spoken.length);
    for (const made of result.creates) expect(made.checkout_date > input.today && !made.cancelled).toBe(true);
  }
});
