import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '@/shared/zoned-time';
import {
  doesStayShareNightsWith,
  findStayOverlaps,
  hasConflictBlockingAutomaticPacketSend,
  hasNoGuestDetails,
  type StayForDoubleBookingCheck,
  sortReservationIdPair,
} from './same-nights.rules';

const stay = (id: string, more: Partial<StayForDoubleBookingCheck> = {}): StayForDoubleBookingCheck => ({
  id,
  guest_name: 'Ana García',
  guest_email: null,
  checkin_date: '2026-06-10',
  checkout_date: '2026-06-14',
  status: 'synced',
  external_source: 'channel_a_ical',
  external_id: 'HMANA00001',
  external_uid: 'ana@a',
  sync_source_id: 'ss_a',
  ...more,
});
const closure = (id: string, more: Partial<StayForDoubleBookingCheck> = {}): StayForDoubleBookingCheck =>
  stay(id, {
    guest_name: 'Guest',
    external_source: 'channel_c_ical',
    external_id: 'c1@c',
    external_uid: 'c1@c',
    sync_source_id: 'ss_c',
    ...more,
  });
const byMail = { external_source: 'forward_email', sync_source_id: 'ss_mail' };
const relations = (one: StayForDoubleBookingCheck, others: StayForDoubleBookingCheck[]) =>
  findStayOverlaps(one, others).map(({ as, other }) => `${as} ${other.id}`);

describe('two bookings of different sources', () => {
  it.each<[string, Partial<StayForDoubleBookingCheck>, boolean]>([
    ['the same nights', {}, true],
    ['one common night', { checkin_date: '2026-06-13', checkout_date: '2026-06-20' }, true],
    ['nights within the other’s', { checkin_date: '2026-06-11', checkout_date: '2026-06-12' }, true],
    ['nights from the other’s check-out on', { checkin_date: '2026-06-14', checkout_date: '2026-06-20' }, false],
    ['nights until the other’s check-in', { checkin_date: '2026-06-01', checkout_date: '2026-06-10' }, false],
    ['the same nights, one cancelled', { status: 'ignored' }, false],
    ['the same nights, one expired', { status: 'expired' }, false],
    ['the same nights in the same calendar', { sync_source_id: 'ss_a' }, false],
    ['the same nights, one created by hand', { sync_source_id: null }, true],
    ['the same nights, one signed', { status: 'signed' }, true],
  ])('that occupy %s conflict: $2', (_what, more, clash) => {
    const other = stay('res_b', { sync_source_id: 'ss_b', ...more });
    expect(relations(stay('res_a'), [other])).toEqual(clash ? ['conflict res_b'] : []);
    expect(relations(other, [stay('res_a')])).toEqual(clash ? ['conflict res_a'] : []);
  });

  it('created by hand or by a partner do not conflict', () => {
    const by_hand = { sync_source_id: null, external_source: null };
    expect(relations(stay('res_a', by_hand), [stay('res_b', by_hand)])).toEqual([]);
  });
});

describe('a closure without a guest', () => {
  it('on a booking’s nights repeats the booking and holds nothing back', () => {
    const booking = stay('res_a');
    expect(relations(closure('res_c'), [booking])).toEqual(['repeats res_a']);
    expect(relations(booking, [closure('res_c')])).toEqual(['repeated_by res_c']);
    expect(hasConflictBlockingAutomaticPacketSend(findStayOverlaps(booking, [closure('res_c')]), new Set())).toBe(
      false,
    );
  });

  it('over two bookings’ nights repeats both', () => {
    const first = stay('res_1');
    const second = stay('res_2', { checkin_date: '2026-06-14', checkout_date: '2026-06-16' });
    const block = closure('res_c', { checkout_date: '2026-06-16' });
    expect(relations(block, [second, first])).toEqual(['repeats res_2', 'repeats res_1']);
    expect(relations(first, [block, second])).toEqual(['repeated_by res_c']);
    // Without the second booking, the last nights of the block may belong to an unknown booking, so
    // the block conflicts.
    expect(relations(first, [block])).toEqual(['conflict res_c']);
  });

  it('with further nights is reported, but holds no packet back', () => {
    const block = closure('res_c', { checkout_date: '2026-06-20' });
    const related = findStayOverlaps(stay('res_a'), [block]);
    expect(related.map(({ as }) => as)).toEqual(['conflict']);
    expect(hasConflictBlockingAutomaticPacketSend(related, new Set())).toBe(false);
  });

  it.each<[string, Partial<StayForDoubleBookingCheck>]>([
    ['an address', { guest_email: 'ana@example.com' }],
    ['a name', { guest_name: 'Jo' }],
    ['a code', { external_id: 'XYZ-12345' }],
    ['a channel that distinguishes bookings from blocks', { external_source: 'channel_a_ical' }],
    ['no external source', { external_source: null }],
    ['a forwarded mail as its source', byMail],
  ])('is a booking like any other with %s', (_what, more) => {
    expect(hasNoGuestDetails(closure('res_c'))).toBe(true);
    expect(hasNoGuestDetails(closure('res_c', more))).toBe(false);
    expect(relations(stay('res_a'), [closure('res_c', more)])).toEqual(['conflict res_c']);
  });

  it('does not conflict with another closure', () => {
    expect(relations(closure('res_c'), [closure('res_d', { sync_source_id: 'ss_d' })])).toEqual([]);
  });
});

it('conflicts that the host has confirmed hold nothing back', () => {
  const related = findStayOverlaps(stay('res_a'), [
    stay('res_b', { sync_source_id: 'ss_b' }),
    stay('res_c', { sync_source_id: null }),
  ]);
  expect(hasConflictBlockingAutomaticPacketSend(related, new Set())).toBe(true);
  expect(hasConflictBlockingAutomaticPacketSend(related, new Set(['res_b']))).toBe(true);
  expect(hasConflictBlockingAutomaticPacketSend(related, new Set(['res_b', 'res_c']))).toBe(false);
});

const nights = ({ checkin_date, checkout_date }: StayForDoubleBookingCheck) => {
  const days: string[] = [];
  for (let day = checkin_date; day < checkout_date; day = addDays(day, 1)) days.push(day);
  return days;
};

const anyStay = (id: string): fc.Arbitrary<StayForDoubleBookingCheck> =>
  fc
    .record({
      from: fc.integer({ min: 0, max: 12 }),
      length: fc.integer({ min: 1, max: 6 }),
      status: fc.constantFrom<StayForDoubleBookingCheck['status']>(
        'draft',
        'synced',
        'sent',
        'signed',
        'expired',
        'ignored',
      ),
      source: fc.constantFrom(null, 'ss_a', 'ss_b', 'ss_c'),
      bare: fc.boolean(),
    })
    .map(({ from, length, status, source, bare }) => {
      const dates = { checkin_date: addDays('2026-06-01', from), checkout_date: addDays('2026-06-01', from + length) };
      const made = { ...dates, status, sync_source_id: source };
      return bare && source ? closure(id, made) : stay(id, made);
    });

it('relations cover only shared nights, are symmetric, and a closure repeats exactly what covers it', () => {
  const stays = fc
    .integer({ min: 2, max: 7 })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => anyStay(`res_${index}`))));
  const MIRRORED = { conflict: 'conflict', repeats: 'repeated_by', repeated_by: 'repeats' } as const;
  fc.assert(
    fc.property(stays, (all) => {
      for (const one of all) {
        for (const { as, other } of findStayOverlaps(one, all)) {
          const common = nights(one).filter((night) => nights(other).includes(night));
          expect(common).not.toEqual([]);
          expect(doesStayShareNightsWith(one, other)).toBe(true);
          expect(one.sync_source_id).not.toBe(other.sync_source_id);
          expect(findStayOverlaps(other, all).find((back) => back.other.id === one.id)?.as).toBe(MIRRORED[as]);
        }
        const rivals = all.filter(
          (other) =>
            other.id !== one.id &&
            other.sync_source_id !== one.sync_source_id &&
            ![one, other].some(({ status }) => status === 'ignored' || status === 'expired') &&
            nights(one).some((night) => nights(other).includes(night)) &&
            !(hasNoGuestDetails(one) && hasNoGuestDetails(other)),
        );
        expect(findStayOverlaps(one, all).map(({ other }) => other.id)).toEqual(rivals.map(({ id }) => id));
        if (hasNoGuestDetails(one) && rivals.length > 0) {
          const covered = nights(one).every((night) => rivals.some((rival) => nights(rival).includes(night)));
          expect(findStayOverlaps(one, all).every(({ as }) => as === (covered ? 'repeats' : 'conflict'))).toBe(true);
        }
      }
    }),
    { numRuns: 500 },
  );
});

it('a pair has one canonical order', () => {
  expect(sortReservationIdPair('res_b', 'res_a')).toEqual(sortReservationIdPair('res_a', 'res_b'));
});
