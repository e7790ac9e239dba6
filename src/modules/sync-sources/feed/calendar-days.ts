/** Calendar days as `YYYY-MM-DD`. Only `getDayInTimeZone` involves a time zone. */
import { getValidTimeZoneOrUtc } from '@/shared/zoned-time';

const DAY_MS = 86_400_000;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Returns whether the text is a date that exists, unlike 30 February. */
export function isCalendarDay(text: string): boolean {
  const match = DAY.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || month < 1 || month > 12 || day < 1) return false;
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Returns the number of days since 1970-01-01. */
export function toEpochDayNumber(day: string): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / DAY_MS);
}

/** Returns the day `days` after a day, or before it when negative. */
export function addDays(day: string, days: number): string {
  return new Date((toEpochDayNumber(day) + days) * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the number of nights between two days, negative when `checkout` is before `checkin`. */
export function countNightsBetween(checkin: string, checkout: string): number {
  return toEpochDayNumber(checkout) - toEpochDayNumber(checkin);
}

/**
 * Returns the number of nights that two stays share. If one stay ends on the day the other begins,
 * they share none.
 */
export function countSharedNights(
  a: { checkin_date: string; checkout_date: string },
  b: { checkin_date: string; checkout_date: string },
): number {
  const from = Math.max(toEpochDayNumber(a.checkin_date), toEpochDayNumber(b.checkin_date));
  const to = Math.min(toEpochDayNumber(a.checkout_date), toEpochDayNumber(b.checkout_date));
  return Math.max(0, to - from);
}

/**
 * Returns the index of the first stay that begins on the day or later, in a list sorted by
 * check-in.
 */
export function findIndexOfFirstStayOnOrAfterDay(
  sorted: readonly { readonly checkin_date: string }[],
  day: string,
): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (sorted[middle]!.checkin_date < day) from = middle + 1;
    else to = middle;
  }
  return from;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the calendar day of an instant in an IANA zone. An unknown zone counts as UTC. */
export function getDayInTimeZone(instant: Date, time_zone: string): string {
  let formatter = formatters.get(time_zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone: getValidTimeZoneOrUtc(time_zone), dateStyle: 'short' });
    // Zones come from properties, not from feeds, so the cache is small.
    formatters.set(time_zone, formatter);
  }
  return formatter.format(instant);
}
