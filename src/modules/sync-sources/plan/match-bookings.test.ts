/**
 * Tests the matching of entries with rows, one decision at a time. planner.test.ts tests whole
 * runs.
 */
import { describe, expect, it } from 'vitest';
import type { FeedEntry } from '../feed/reader';
import { buildFeedEntry, buildStoredBooking, TODAY } from '../testing/plans';
import {
  BookingMatcher,
  isBookingProtectedFromSync,
  isBookingReadOnlyForSync,
  isRemainderOfOngoingStay,
  type StoredBooking,
} from './match-bookings';

const matcher = (...rows: StoredBooking[]) => new BookingMatcher(rows, TODAY, 'channel_b');

it.each<[string, Partial<StoredBooking>, boolean, boolean]>([
  ['new', {}, false, false],
  ['clicked', { status: 'clicked' }, false, false],
  ['expired', { status: 'expired' }, false, true],
  ['ignored', { status: 'ignored' }, false, true],
  ['of status signed', { status: 'signed' }, true, true],
  ['signed and expired', { status: 'expired', signed: true }, true, true],
  ['marked as signed by the host', { manual_override: true }, true, true],
  ['redacted', { redacted: true }, true, true],
  ['on legal hold', { legal_hold: true }, true, true],
])('a reservation that is %s is protected: $2, read-only: $3', (_name, over, is_protected, read_only) => {
  const known = buildStoredBooking('r', '2026-06-01', '2026-06-05', over);
  expect([isBookingProtectedFromSync(known), isBookingReadOnlyForSync(known)]).toEqual([is_protected, read_only]);
});

describe('the rest of a running stay', () => {
  it.each([
    ['may begin yesterday', '2026-05-10/2026-05-25', '2026-05-14/2026-05-25', 'channel_b', true],
    ['may begin today', '2026-05-10/2026-05-25', '2026-05-15/2026-05-25', 'channel_b', true],
    ['may begin tomorrow', '2026-05-10/2026-05-25', '2026-05-16/2026-05-25', 'channel_b', true],
    ['may not begin before yesterday', '2026-05-10/2026-05-25', '2026-05-13/2026-05-25', 'channel_b', false],
    ['may not begin after tomorrow', '2026-05-10/2026-05-25', '2026-05-17/2026-05-25', 'channel_b', false],
    ['may not begin together with the stay', '2026-05-14/2026-05-25', '2026-05-14/2026-05-25', 'channel_b', false],
    [
      'is not recognised when the stay begins today',
      '2026-05-15/2026-05-25',
      '2026-05-16/2026-05-25',
      'channel_b',
      false,
    ],
    [
      'is recognised in channel C when the stay begins today',
      '2026-05-15/2026-05-25',
      '2026-05-16/2026-05-25',
      'channel_c',
      true,
    ],
    [
      'is not recognised in channel C when the stay begins tomorrow',
      '2026-05-16/2026-05-25',
      '2026-05-17/2026-05-25',
      'channel_c',
      false,
    ],
    [
      'may be an extension that begins a day after its end',
      '2026-05-10/2026-05-14',
      '2026-05-15/2026-05-20',
      'channel_b',
      true,
    ],
    [
      'may not be an extension that begins two days after its end',
      '2026-05-10/2026-05-13',
      '2026-05-15/2026-05-20',
      'channel_b',
      false,
    ],
  ] as const)('%s', (_name, stay, rest, channel, clips) => {
    const [known, there] = [stay.split('/'), rest.split('/')] as [[string, string], [string, string]];
    expect(isRemainderOfOngoingStay(buildStoredBooking('r', ...known), buildFeedEntry(...there), TODAY, channel)).toBe(
      clips,
    );
  });
});

describe('matching by identity', () => {
  const days = ['2026-06-01', '2026-06-05'] as const;
  const coded = buildStoredBooking('coded', ...days, { external_id: 'HM1', external_uid: 'u1' });
  const dated = buildStoredBooking('dated', ...days, { external_id: '2026-06-01/2026-06-05', external_uid: null });

  it.each<[string, Partial<FeedEntry>, string | undefined]>([
    ['uses the code despite another UID', { uid: 'other', reservation_code: 'HM1' }, 'coded'],
    ['uses the UID when there is no code', { uid: 'u1' }, 'coded'],
    ['does not use the UID when the code differs', { uid: 'u1', reservation_code: 'HM2' }, undefined],
    ['uses the dates when there is neither code nor UID', { uid: null }, 'dated'],
    ['finds nothing under another UID', { uid: 'other' }, undefined],
  ])('%s', (_name, over, id) => {
    expect(matcher(coded, dated).byIdentity(buildFeedEntry(...days, over))?.id).toBe(id);
  });

  it('uses a reservation once together with its duplicates, the most useful first', () => {
    const twins = [
      buildStoredBooking('d', ...days, { status: 'ignored' }),
      buildStoredBooking('c', ...days, { status: 'expired' }),
      buildStoredBooking('b', ...days, { owned: false }),
      buildStoredBooking('e', ...days),
      buildStoredBooking('a', ...days),
    ];
    const all = matcher(...twins);
    expect(all.allByIdentity(buildFeedEntry(...days)).map(({ id }) => id)).toEqual(['a', 'e', 'b', 'c', 'd']);
    expect(all.allByIdentity(buildFeedEntry(...days))).toEqual([]);
    expect(all.unmatched()).toEqual([]);
    // An ignored row is matched last, even after an expired row that does not belong to this
    // source.
    const ended = [
      buildStoredBooking('a', ...days, { status: 'ignored' }),
      buildStoredBooking('b', ...days, { status: 'expired', owned: false }),
    ];
    expect(matcher(...ended).byIdentity(buildFeedEntry(...days))?.id).toBe('b');
  });

  it.each<[string, Partial<StoredBooking>, Partial<FeedEntry>, boolean]>([
    ['its own and active', {}, {}, true],
    ['of the same code', { external_id: 'HM1' }, { uid: null, reservation_code: 'HM1' }, true],
    ['of another code', { external_id: 'HM1' }, { reservation_code: 'HM2' }, false],
    ['another source’s', { owned: false }, {}, false],
    ['ignored', { status: 'ignored' }, {}, false],
    ['expired', { status: 'expired' }, {}, false],
  ])('of an entry in doubtful words keeps a reservation that is %s: $3', (_name, over, given, kept) => {
    const found = matcher(buildStoredBooking('r', ...days, over)).liveByIdentity(buildFeedEntry(...days, given));
    expect(found?.id).toBe(kept ? 'r' : undefined);
  });

  it('of an unreadable entry keeps its reservation once, and no other entry matches that reservation', () => {
    const rows = matcher(coded, buildStoredBooking('r', '2026-07-01', '2026-07-05'));
    expect(rows.liveNamed(['u1', 'HM1', 'nobody’s']).map(({ id }) => id)).toEqual(['coded']);
    expect(rows.liveNamed(['u1'])).toEqual([]);
    expect(rows.unmatched().map(({ id }) => id)).toEqual(['r']);
  });
});

describe('a reservation created by mail or the API', () => {
  const mailed = (over: Partial<StoredBooking> = {}) =>
    buildStoredBooking('m', '2026-06-01', '2026-06-05', {
      owned: false,
      external_id: 'HM1',
      external_uid: null,
      ...over,
    });

  it.each<[string, Partial<StoredBooking>, Partial<FeedEntry>, boolean]>([
    ['on the same dates', {}, {}, true],
    ['that ends on another day', { checkout_date: '2026-06-06' }, {}, false],
    ['that begins on another day', { checkin_date: '2026-05-31' }, {}, false],
    ['of another code', {}, { reservation_code: 'HM2' }, false],
    ['of another guest', { guest_name: 'Jane Doe' }, { guest_name: 'Kim Lee' }, false],
    ['that belongs to the calendar', { owned: true }, {}, false],
    ['that was ignored', { status: 'ignored' }, {}, false],
    ['that has expired', { status: 'expired' }, {}, false],
  ])('%s matches the entry: $3', (_name, over, given, its) => {
    const found = matcher(mailed(over)).unownedWithSameDates(
      buildFeedEntry('2026-06-01', '2026-06-05', { uid: 'u', ...given }),
    );
    expect(found?.id).toBe(its ? 'm' : undefined);
  });
});

describe('matching under a new UID', () => {
  const SIGNED = { status: 'signed', signed: true } as const;
  const NAMED = { guest_name: 'Jane Doe' };

  it.each<[string, [string, string], Partial<StoredBooking>, Partial<FeedEntry>, boolean, boolean]>([
    ['the same dates', ['2026-06-01', '2026-06-05'], {}, {}, true, true],
    ['the same dates in an unhealthy calendar', ['2026-06-01', '2026-06-05'], {}, {}, false, false],
    ['the same dates as a signed stay in an unhealthy calendar', ['2026-06-01', '2026-06-05'], SIGNED, {}, false, true],
    ['overlapping dates with the same name', ['2026-06-04', '2026-06-08'], NAMED, { guest_name: 'J Doe' }, true, true],
    ['overlapping dates without a name', ['2026-06-04', '2026-06-08'], NAMED, {}, true, false],
    ['the same dates with another name', ['2026-06-01', '2026-06-05'], NAMED, { guest_name: 'Kim' }, true, false],
    ['the same name on the nights after the stay', ['2026-06-05', '2026-06-08'], NAMED, NAMED, true, false],
    ['the same name on the nights before the stay', ['2026-05-30', '2026-06-01'], NAMED, NAMED, true, false],
    ['the check-in of a signed stay', ['2026-06-01', '2026-06-08'], SIGNED, {}, true, true],
    ['the check-out of a signed stay', ['2026-06-03', '2026-06-05'], SIGNED, {}, true, true],
    ['neither date of a signed stay', ['2026-06-02', '2026-06-04'], SIGNED, {}, true, false],
    ['the check-in of an unsigned stay', ['2026-06-01', '2026-06-08'], {}, {}, true, false],
    ['the same dates as another source’s reservation', ['2026-06-01', '2026-06-05'], { owned: false }, {}, true, false],
    [
      'the same dates as a booking removed by the calendar',
      ['2026-06-01', '2026-06-05'],
      { status: 'ignored', cancel_reason: 'feed_removed' },
      {},
      true,
      false,
    ],
    [
      'the same dates as a booking cancelled by the host',
      ['2026-06-01', '2026-06-05'],
      { status: 'ignored', cancel_reason: 'host' },
      {},
      true,
      true,
    ],
  ])('by %s: $5', (_name, stay, over, given, healthy, same) => {
    const known = buildStoredBooking('r', '2026-06-01', '2026-06-05', over);
    const found = matcher(known).sameStay(buildFeedEntry(...stay, { uid: 'new', ...given }), healthy);
    expect(found?.id).toBe(same ? 'r' : undefined);
  });

  it('accepts the rest of a running stay when both end on the same day', () => {
    const known = buildStoredBooking('r', '2026-05-10', '2026-05-25');
    expect(matcher(known).sameStay(buildFeedEntry('2026-05-15', '2026-05-25', { uid: 'new' }), true)?.id).toBe('r');
    expect(matcher(known).sameStay(buildFeedEntry('2026-05-15', '2026-05-24', { uid: 'new' }), true)).toBeNull();
    expect(matcher(known).sameStay(buildFeedEntry('2026-05-18', '2026-05-25', { uid: 'new' }), true)).toBeNull();
  });

  it('moves the newly missing reservation with the most nights in common', () => {
    const rows = [
      buildStoredBooking('a', '2026-06-01', '2026-06-04'),
      buildStoredBooking('b', '2026-06-04', '2026-06-10'),
    ];
    const moved = buildFeedEntry('2026-06-03', '2026-06-08', { uid: 'new' });
    expect(matcher(...rows).overlappingVanished(moved, new Set())?.id).toBe('b');
    expect(matcher(...rows).overlappingVanished(moved, new Set(['b']))?.id).toBe('a');
    // If the number of shared nights is equal, the lowest id is chosen, whatever the order of the
    // rows.
    const alike = [
      buildStoredBooking('d', '2026-06-05', '2026-06-09'),
      buildStoredBooking('c', '2026-06-01', '2026-06-05'),
    ];
    expect(matcher(...alike).overlappingVanished(buildFeedEntry('2026-06-03', '2026-06-07'), new Set())?.id).toBe('c');
  });

  it.each<[string, Partial<StoredBooking>, boolean]>([
    ['is newly missing', {}, true],
    ['was missed before', { feed_misses: 1 }, false],
    ['is signed', SIGNED, false],
    ['has expired', { status: 'expired' }, false],
    ['belongs to another source', { owned: false }, false],
  ])('can move a reservation that %s: $2', (_name, over, can) => {
    const found = matcher(buildStoredBooking('r', '2026-06-01', '2026-06-05', over)).overlappingVanished(
      buildFeedEntry('2026-06-03', '2026-06-08', { uid: 'new' }),
      new Set(),
    );
    expect(found?.id).toBe(can ? 'r' : undefined);
  });

  it.each<[string, Partial<StoredBooking>, [string, string], boolean]>([
    ['it overlaps', {}, ['2026-06-03', '2026-06-08'], true],
    ['it overlaps and was missed before', { feed_misses: 1 }, ['2026-06-03', '2026-06-08'], true],
    ['it overlaps, but is signed', SIGNED, ['2026-06-03', '2026-06-08'], false],
    ['it only adjoins', {}, ['2026-06-05', '2026-06-08'], false],
  ])('treats an entry as a possibly moved reservation when %s: $3', (_name, over, stay, may) => {
    expect(
      matcher(buildStoredBooking('r', '2026-06-01', '2026-06-05', over)).mayBeMoved(
        buildFeedEntry(...stay, { uid: 'new' }),
      ),
    ).toBe(may);
  });
});

describe('a stay across months and years', () => {
  it.each([
    ['2026-12-20/2027-01-10', '2027-01-05/2027-01-20'],
    ['2026-10-01/2027-03-01', '2027-02-20/2027-02-22'],
    ['2026-12-31/2027-01-02', '2026-12-20/2027-01-01'],
    ['2027-01-01/2027-02-01', '2027-01-31/2027-02-02'],
    // Check-out is on the first of a month, so all nights are in the month before.
    ['2026-06-20/2026-07-01', '2026-06-30/2026-07-05'],
  ])('on %s is found by an overlapping entry on %s', (stay, other) => {
    const [known, there] = [stay.split('/'), other.split('/')] as [[string, string], [string, string]];
    const found = matcher(buildStoredBooking('r', ...known)).overlappingVanished(
      buildFeedEntry(...there, { uid: 'new' }),
      new Set(),
    );
    expect(found?.id).toBe('r');
  });
});
