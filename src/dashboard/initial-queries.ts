/**
 * Inputs of the queries that the server prefetches for a page. The components must use the same
 * inputs. `today` is the reader's day.
 */
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { UNSIGNED_STATUSES } from './reservations/status-words';
import { addCalendarDays } from './ui/zone';

type Status = (typeof RESERVATION_STATUSES)[number];

const AHEAD_DAYS = 14;
/** Statuses of reservations that are neither cancelled nor over. */
const COMING: readonly Status[] = [...UNSIGNED_STATUSES, 'signed'];
/** The home page lists at most this many rows of each kind of problem. */
const COUNTED = 20;
const soonest = { by: 'checkin', descending: false } as const;

/**
 * Returns the input for arrivals from today on. The range has an extra day at both ends, because
 * the property's date may differ from the reader's.
 */
export const buildArrivalListInput = (
  { status, property, days }: { status?: readonly Status[]; property?: string; days?: number },
  today: string,
) => ({
  limit: 100,
  sort: soonest,
  statuses: [...(status ?? COMING)],
  ...(property && { property }),
  'checkin_date.gte': addCalendarDays(today, -1),
  'checkin_date.lte': addCalendarDays(today, days ?? AHEAD_DAYS),
});

export type ReservationAttentionReason = 'guest_replied' | 'address_missing' | 'dates_changed';
export const RESERVATION_ATTENTION_REASONS: readonly ReservationAttentionReason[] = [
  'guest_replied',
  'address_missing',
  'dates_changed',
];

/** Returns the input for reservations that need the host, next arrival first. */
export const buildAttentionReservationListInput = (attention: ReservationAttentionReason, today: string) => ({
  limit: COUNTED,
  sort: soonest,
  attention,
  'checkin_date.gte': today,
});

/** The input for the list of double bookings, including stays that have begun. */
export const DOUBLE_BOOKINGS_INPUT = { limit: COUNTED, sort: soonest, attention: 'same_nights' } as const;

/** The input for all of a team's properties, for lists from which the user chooses one. */
export const PROPERTIES_INPUT = { limit: 100 };

/** Returns the input for all emails about a reservation. */
export const buildReservationMailsInput = (reservation: string) => ({ reservation, limit: 100 });

export const CALENDARS_INPUT = { limit: 500 };
