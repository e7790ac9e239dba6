/**
 * Computes the occurrences of a repeating event (RRULE, RDATE, EXDATE) within a window. Booking
 * channels do not repeat events, but hosts also connect other calendars. Occurrences and accepted
 * rules are limited, because searching for a day that never occurs would block the process.
 */

import ICAL from 'ical.js';
import { createRefusal } from '@/shared/refusals/refusal';
import { addDays, countNightsBetween } from './calendar-days';
import { CalendarEventError, type RawCalendarEvent, readIcalDateValues } from './event';

export const MAX_OCCURRENCES_PER_CALENDAR_EVENT = 1_000;
const MAX_ITERATIONS_PER_EVENT = 5_000;
/**
 * The iteration limit for a whole feed. Without it, 10,000 rules that each begin in 1900 would
 * block the process.
 */
export const MAX_RECURRENCE_ITERATIONS_PER_FEED = 20_000;
/** How far ahead of today occurrences are computed. */
export const RECURRENCE_HORIZON_DAYS = 730;

export function isRecurringFeedEvent(event: RawCalendarEvent): boolean {
  return event.properties.some((property) => property[0] === 'rrule' || property[0] === 'rdate');
}

/**
 * Returns the check-in days, oldest first, of occurrences that are not over at `today` and start
 * within the horizon. Sets `cut` when a limit was reached before the rule ended. `budget` belongs
 * to the whole feed and is decremented. Throws a CalendarEventError for unsupported rules.
 */
export function expandFeedEventOccurrences(
  event: RawCalendarEvent,
  today: string,
  time_zone: string,
  budget: { iterations: number },
) {
  const nights = countNightsBetween(event.checkin_date, event.checkout_date);
  const last = addDays(today, RECURRENCE_HORIZON_DAYS);
  const excluded = new Set(readIcalDateValues(event.properties, 'exdate', time_zone));
  const days = new Set<string>();
  const take = (day: string) => {
    if (!excluded.has(day) && day <= last && addDays(day, nights) > today) days.add(day);
  };
  take(event.checkin_date);
  for (const day of readIcalDateValues(event.properties, 'rdate', time_zone)) take(day);
  let cut = false;
  for (const property of event.properties) {
    if (property[0] !== 'rrule') continue;
    const iterator = followable(property[3]).iterator(ICAL.Time.fromDateString(event.checkin_date));
    let steps = 0;
    for (let next = iterator.next(); next; next = iterator.next()) {
      const day = next.toString().slice(0, 10);
      if (day > last) break;
      take(day);
      steps += 1;
      budget.iterations -= 1;
      if (
        budget.iterations <= 0 ||
        steps >= MAX_ITERATIONS_PER_EVENT ||
        days.size >= MAX_OCCURRENCES_PER_CALENDAR_EVENT
      ) {
        cut = true;
        break;
      }
    }
  }
  return { days: [...days].sort(), cut };
}

const PARTS = new Set(['freq', 'interval', 'count', 'until', 'byday', 'bymonthday', 'bymonth', 'wkst']);
const FREQUENCIES = new Set(['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']);

function followable(value: unknown): ICAL.Recur {
  const data = (value ?? {}) as Record<string, unknown>;
  const refuse = (): never => {
    throw new CalendarEventError('unsupported_recurrence', createRefusal('calendar_event.unsupported_recurrence'));
  };
  if (!FREQUENCIES.has(String(data.freq))) refuse();
  if (Object.keys(data).some((key) => !PARTS.has(key))) refuse();
  const interval = Number(data.interval ?? 1);
  if (interval > 1_000) refuse();
  const every_month = interval === 1 && data.bymonth === undefined;
  const days = [data.bymonthday ?? []].flat().map(Number);
  const ordinals = [data.byday ?? []].flat().map((day) => Math.abs(Number.parseInt(String(day), 10) || 0));
  // A 31st or a fifth Monday may never occur in the rule's months. The iterator would then never
  // end.
  if (days.some((day) => day === 0 || Math.abs(day) > (every_month ? 31 : 28))) refuse();
  if (ordinals.some((ordinal) => ordinal > (every_month ? 5 : 4))) refuse();
  if (days.length > 0 && ordinals.length > 0) refuse();
  try {
    return ICAL.Recur.fromData(data as never);
  } catch {
    return refuse();
  }
}
