/**
 * Inputs of the queries that the server prefetches for a page and its components repeat. `today` is
 * the reader's day.
 */
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { NOT_SIGNED } from './reservations/status-words';
import { daysLater } from './ui/zone';

type Status = (typeof RESERVATION_STATUSES)[number];

const AHEAD_DAYS = 14;
/** Neither cancelled nor over. */
const COMING: readonly Status[] = [...NOT_SIGNED, 'signed'];
/** Home counts up to as many of each kind of problem. */
const COUNTED = 20;
const soonest = { by: 'checkin', descending: false } as const;

/**
 * Who arrives from today on, wherever the property is: in its zone it may be yesterday or tomorrow
 * here.
 */
export const arrivalsInput = (
  { status, property, days }: { status?: readonly Status[]; property?: string; days?: number },
  today: string,
) => ({
  limit: 100,
  sort: soonest,
  statuses: [...(status ?? COMING)],
  ...(property && { property }),
  'checkin_date.gte': daysLater(today, -1),
  'checkin_date.lte': daysLater(today, days ?? AHEAD_DAYS),
});

export type Waiting = 'guest_replied' | 'address_missing' | 'dates_changed';
export const WAITING: readonly Waiting[] = ['guest_replied', 'address_missing', 'dates_changed'];

/** Reservations that wait for the host, the next arrival first. */
export const waitingInput = (attention: Waiting, today: string) => ({
  limit: COUNTED,
  sort: soonest,
  attention,
  'checkin_date.gte': today,
});

/** Bookings of the same nights; a stay that has begun is one of them. */
export const SAME_NIGHTS_INPUT = { limit: COUNTED, sort: soonest, attention: 'same_nights' } as const;

/** All of a team's properties, to choose one. */
export const PROPERTIES_INPUT = { limit: 100 };

/** All emails about a reservation. */
export const reservationMailsInput = (reservation: string) => ({ reservation, limit: 100 });

export const CALENDARS_INPUT = { limit: 500 };
