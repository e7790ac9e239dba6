/**
 * Calculates with calendar dates in a property's time zone. Only this file converts a date
 * ('YYYY-MM-DD') to a moment. It uses the zone's rules, so that days of 23 or 25 hours are counted
 * correctly. A missing or unknown zone means UTC.
 */
import { Temporal } from 'temporal-polyfill';

/** The default check-in hour, in the property's time zone. */
export const DEFAULT_CHECK_IN_HOUR = 15;

const HOUR_MS = 3_600_000;
// Only known zones are added, so the size of the set is limited by the runtime's data.
const knownZones = new Set<string>(['UTC']);

/** Returns whether both `Intl` and Temporal know the IANA zone. Temporal is stricter (no `PST`). */
export function isTimeZone(name: string): boolean {
  if (knownZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
  } catch {
    return false;
  }
  knownZones.add(name);
  return true;
}

/** Returns the zone for calculations. A missing or unknown zone becomes UTC. */
export function getValidTimeZoneOrUtc(timezone: string | null | undefined): string {
  return timezone && isTimeZone(timezone) ? timezone : 'UTC';
}

/** Returns the local calendar date ('YYYY-MM-DD') in the zone at a moment. */
export function getLocalDate(now: Date, timezone: string | null): string {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(getValidTimeZoneOrUtc(timezone))
    .toPlainDate()
    .toString();
}

/** Returns the local date and minute ('YYYY-MM-DD HH:MM') in the zone at a moment. */
export function getLocalDateTime(time: Date, timezone: string | null): string {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime())
    .toZonedDateTimeISO(getValidTimeZoneOrUtc(timezone))
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
}

/**
 * Returns the first moment of a calendar date in the zone. Where a clock change skips midnight,
 * that is the moment after the change.
 */
export function getStartOfDay(date: string, timezone: string | null): Date {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(getValidTimeZoneOrUtc(timezone));
  return new Date(start.epochMilliseconds);
}

/** Returns the moment at which a calendar date ends in the zone: the start of the next one. */
export function getEndOfDay(date: string, timezone: string | null): Date {
  return getStartOfDay(addDays(date, 1), timezone);
}

/** Returns the calendar date some days later, or earlier for a negative number. */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/**
 * Returns whether the check-out day has ended in the property's time zone (design "Reservation
 * status").
 */
export function hasCheckoutDayEnded(checkout_date: string, timezone: string | null, now: Date): boolean {
  return now.getTime() >= getEndOfDay(checkout_date, timezone).getTime();
}

/**
 * Returns whether the check-in day is still ahead in the property's time zone. Feeds omit a booking
 * from its first day on. Only before that day does a missing booking mean a cancellation.
 */
export function isCheckinAhead(checkin_date: string, timezone: string | null, now: Date): boolean {
  return now.getTime() < getStartOfDay(checkin_date, timezone).getTime();
}

/**
 * Returns the moment of check-in: `check_in_hour` (0 to 23) in the property's time zone. An hour
 * that a clock change skips is moved later by the skipped time. An hour that occurs twice means its
 * first occurrence.
 */
export function getCheckinMoment(
  checkin_date: string,
  timezone: string | null,
  check_in_hour: number = DEFAULT_CHECK_IN_HOUR,
): Date {
  const moment = Temporal.PlainDate.from(checkin_date).toZonedDateTime({
    timeZone: getValidTimeZoneOrUtc(timezone),
    plainTime: Temporal.PlainTime.from({ hour: check_in_hour }),
  });
  return new Date(moment.epochMilliseconds);
}

/**
 * Returns the moment a number of elapsed hours earlier. After a clock change, 24 hours before 15:00
 * may be 14:00 or 16:00 local time.
 */
export function subtractHours(moment: Date, hours: number): Date {
  return new Date(moment.getTime() - hours * HOUR_MS);
}
