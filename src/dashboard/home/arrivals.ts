/** Groups arrivals by day, in the time zone of each property. Pure. */
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { getIsoDateInTimeZone } from '../ui/zone';

export interface ArrivingReservation {
  id: string;
  status: (typeof RESERVATION_STATUSES)[number];
  checkin_date: string;
  property_timezone: string | null;
}

export const PERIODS_UNTIL_ARRIVAL = ['today', 'tomorrow', 'week', 'later'] as const;
export type PeriodUntilArrival = (typeof PERIODS_UNTIL_ARRIVAL)[number];

/** The query parameters that filter the arrivals. */
export const ARRIVAL_FILTER_NAMES = ['status', 'property', 'days'] as const;

/**
 * Returns the number of days to show, including today. Undefined means the default of two weeks.
 */
export const parseArrivalDaysFilter = (text: string | undefined): number | undefined => (text === '3' ? 3 : undefined);

const WEEK_DAYS = 7;

const daysUntil = ({ checkin_date, property_timezone }: ArrivingReservation, now: Date): number =>
  Math.round((Date.parse(checkin_date) - Date.parse(getIsoDateInTimeZone(now, property_timezone))) / 86_400_000);

/**
 * Returns the group of an arrival. `week` is the seven days that start today. Returns null when the
 * day of arrival is over in the property's time zone.
 */
export function classifyArrivalByPeriod(arrival: ArrivingReservation, now: Date): PeriodUntilArrival | null {
  const days = daysUntil(arrival, now);
  if (days < 0) return null;
  if (days < 2) return days === 0 ? 'today' : 'tomorrow';
  return days < WEEK_DAYS ? 'week' : 'later';
}

/**
 * Groups the arrivals of the next `days` days by how soon they are, the soonest first. Omits
 * cancelled and expired reservations.
 */
export function groupArrivalsByPeriod<T extends ArrivingReservation>(
  arrivals: readonly T[],
  now: Date,
  days = Number.POSITIVE_INFINITY,
): { when: PeriodUntilArrival; rows: T[] }[] {
  const coming = arrivals
    .filter((row) => row.status !== 'ignored' && row.status !== 'expired' && daysUntil(row, now) < days)
    .sort((a, b) => a.checkin_date.localeCompare(b.checkin_date) || a.id.localeCompare(b.id));
  return PERIODS_UNTIL_ARRIVAL.map((when) => ({
    when,
    rows: coming.filter((row) => classifyArrivalByPeriod(row, now) === when),
  }));
}
