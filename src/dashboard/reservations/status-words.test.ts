import { describe, expect, it } from 'vitest';
import { createEnglishTranslator } from '@/dashboard/i18n/english-words';
import { RESERVATION_SOURCES, RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { formatTimeSince } from '../ui/since';
import { ORDERED_RESERVATION_STATUSES, RESERVATION_SOURCE_FILTER_VALUES } from './labels';
import { describeReservationProgress, isBookingRepeatedFromOtherCalendar, isReservationUnsigned } from './status-words';

const now = new Date('2026-12-24T12:00:00Z');
const row = {
  status: 'sent',
  sent_at: '2026-12-22T11:00:00Z',
  opened_at: '2026-12-22T13:00:00Z',
  clicked_at: '2026-12-24T11:00:00Z',
  signed_at: null,
  manual_override: false,
} as const;

const ago = (moment: string) => formatTimeSince(moment, now, { formats: 'en-GB', just_now: 'just now' });

describe('the status text', () => {
  it.each([
    [{ status: 'draft' }, 'Not sent'],
    [{ status: 'synced' }, 'Not sent'],
    [{ status: 'sent' }, 'Sent 2 days ago, not opened'],
    [{ status: 'opened' }, 'Sent 2 days ago, email opened 1 day ago'],
    [{ status: 'opened', opened_at: null }, 'Sent 2 days ago, email opened'],
    [{ status: 'clicked' }, 'Sent 2 days ago, page opened 1 hour ago'],
    [{ status: 'signed', signed_at: '2026-12-24T11:59:40Z' }, 'Signed just now'],
    [{ status: 'signed', manual_override: true, signed_at: null }, 'Marked as signed'],
    [{ status: 'expired' }, 'Stay over, never signed'],
    [{ status: 'ignored' }, 'Cancelled'],
  ] as const)('%j: %s', (different, words) => {
    expect(describeReservationProgress({ ...row, ...different }, createEnglishTranslator('reservations'), ago)).toBe(
      words,
    );
  });
});

it('a reservation counts as unsigned until it is signed, over or cancelled', () => {
  expect(RESERVATION_STATUSES.filter((status) => !isReservationUnsigned({ status }))).toEqual([
    'signed',
    'expired',
    'ignored',
  ]);
});

it('a reservation that only repeats another’s nights is recognised', () => {
  expect(isBookingRepeatedFromOtherCalendar({ same_nights: [{ as: 'conflict' }, { as: 'repeats' }] })).toBe(true);
  expect(isBookingRepeatedFromOtherCalendar({ same_nights: [{ as: 'repeated_by' }] })).toBe(false);
});

it('statuses and sources have the order of the API', () => {
  expect(ORDERED_RESERVATION_STATUSES).toEqual(RESERVATION_STATUSES);
  expect(RESERVATION_SOURCE_FILTER_VALUES).toEqual(RESERVATION_SOURCES);
});
