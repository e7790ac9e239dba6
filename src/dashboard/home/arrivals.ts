/** The coming arrivals by when they come, each on its own property's calendar. Pure. */
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { dayIn } from '../ui/zone';

export interface Arrival {
  id: string;
  status: (typeof RESERVATION_STATUSES)[number];
  checkin_date: string;
  property_timezone: string | null;
}

export const WHEN = ['today', 'tomorrow', 'week', 'later'] as const;
export type When = (typeof WHEN)[number];

/** By what they are filtered in the page's address. */
export const ARRIVALS_FILTERS = ['status', 'property'] as const;

const WEEK_DAYS = 7;

/** When somebody arrives; null when the day is over where the property is. This week is the seven days from today on. */
export function whenOf({ checkin_date, property_timezone }: Arrival, now: Date): When | null {
  const days = Math.round((Date.parse(checkin_date) - Date.parse(dayIn(now, property_timezone))) / 86_400_000);
  if (days < 0) return null;
  if (days < 2) return days === 0 ? 'today' : 'tomorrow';
  return days < WEEK_DAYS ? 'week' : 'later';
}

/** Every group with its arrivals, the nearest first; cancelled and expired ones left out. */
export function groupArrivals<T extends Arrival>(arrivals: readonly T[], now: Date): { when: When; rows: T[] }[] {
  const coming = arrivals
    .filter(({ status }) => status !== 'ignored' && status !== 'expired')
    .sort((a, b) => a.checkin_date.localeCompare(b.checkin_date) || a.id.localeCompare(b.id));
  return WHEN.map((when) => ({ when, rows: coming.filter((row) => whenOf(row, now) === when) }));
}
