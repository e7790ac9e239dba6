/**
 * Calendar dates seen from a property's time zone. A date ('YYYY-MM-DD') has no moment of its own: it gets one only
 * here, with the zone's rules, so that a day of 23 or 25 hours is neither lost nor counted twice. A zone that is
 * absent or that this runtime does not know is UTC.
 */
import { Temporal } from 'temporal-polyfill';

/** The hour of check-in on the property's clock when nothing else is known. */
export const DEFAULT_CHECK_IN_HOUR = 15;

const HOUR_MS = 3_600_000;
// Only known zones are kept, so the set is bounded by what the runtime knows.
const knownZones = new Set<string>(['UTC']);

/** Whether the runtime knows the IANA zone: for what is shown, and for what is calculated, which is stricter (no `PST`). */
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

/** The zone to calculate in: the one given, or UTC when it is null or unknown. */
export function zoneOrUtc(timezone: string | null | undefined): string {
  return timezone && isTimeZone(timezone) ? timezone : 'UTC';
}

/** The calendar date ('YYYY-MM-DD') that the zone's wall shows at an instant. */
export function localDate(now: Date, timezone: string | null): string {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(zoneOrUtc(timezone))
    .toPlainDate()
    .toString();
}

/** The first instant of a calendar date in the zone; where midnight is skipped by a clock change, the instant after it. */
export function startOfDay(date: string, timezone: string | null): Date {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(zoneOrUtc(timezone));
  return new Date(start.epochMilliseconds);
}

/** The instant at which a calendar date is over in the zone: the start of the next one. */
export function endOfDay(date: string, timezone: string | null): Date {
  return startOfDay(addDays(date, 1), timezone);
}

/** The calendar date some days later (or earlier, when negative). */
export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** Whether the check-out day has ended on the property's clock (DESIGN "Reservation status"). */
export function isStayOver(checkout_date: string, timezone: string | null, now: Date): boolean {
  return now.getTime() >= endOfDay(checkout_date, timezone).getTime();
}

/**
 * Whether the check-in day has not begun yet on the property's clock. Feeds drop a booking from its first day on, so
 * only before that day does its absence say anything.
 */
export function isCheckinAhead(checkin_date: string, timezone: string | null, now: Date): boolean {
  return now.getTime() < startOfDay(checkin_date, timezone).getTime();
}

/**
 * The instant of check-in: `check_in_hour` (0 to 23) on the property's clock. An hour that a clock change skips is
 * the same length of time later; an hour that occurs twice is its first occurrence.
 */
export function checkinMoment(
  checkin_date: string,
  timezone: string | null,
  check_in_hour: number = DEFAULT_CHECK_IN_HOUR,
): Date {
  const moment = Temporal.PlainDate.from(checkin_date).toZonedDateTime({
    timeZone: zoneOrUtc(timezone),
    plainTime: Temporal.PlainTime.from({ hour: check_in_hour }),
  });
  return new Date(moment.epochMilliseconds);
}

/**
 * The instant a number of elapsed hours before another. Elapsed, not on the wall: "24 hours before" a check-in on the
 * day after a clock change is 24 real hours, whatever the clock then shows.
 */
export function hoursBefore(moment: Date, hours: number): Date {
  return new Date(moment.getTime() - hours * HOUR_MS);
}
