/**
 * Reads one VEVENT and determines its check-in and check-out days. ical.js parses the lines. DTEND
 * is the check-out day.
 */

import ICAL from 'ical.js';
import { createRefusal, type Refusal } from '@/shared/refusals/refusal';
import { toStorableText } from '@/shared/text/storable-text';
import { addDays, getDayInTimeZone, isCalendarDay } from './calendar-days';
import { isEssentialIcalEventLine, repairIcalEventLines } from './repair';

/** A property in jCal format: name, parameters, type, values. */
export type JcalProperty = [string, Record<string, string | string[]>, string, ...unknown[]];

export type CalendarEventProblemReason =
  | 'unreadable'
  | 'missing_start'
  | 'invalid_date'
  | 'no_night'
  | 'too_long'
  | 'unsupported_recurrence'
  | 'recurrence_cut'
  | 'duplicate_uid'
  | 'never_ended';

/**
 * Thrown when an event cannot be used. The reader reports the event and continues with the next.
 */
export class CalendarEventError extends Error {
  constructor(
    readonly reason: CalendarEventProblemReason,
    readonly problem: Refusal,
  ) {
    super(problem.key);
  }
}

export interface RawCalendarEvent {
  readonly uid: string | null;
  readonly summary: string;
  /** The DESCRIPTION, a line feed and the URL. */
  readonly details: string;
  readonly status: string;
  /** Whether the event leaves its owner available. */
  readonly free: boolean;
  readonly sequence: number;
  readonly checkin_date: string;
  readonly checkout_date: string;
  /** The day of the occurrence that this event replaces (RECURRENCE-ID). */
  readonly replaces: string | null;
  readonly properties: readonly JcalProperty[];
}

export const MAX_NIGHTS_PER_CALENDAR_EVENT = 730;

/**
 * Reads one event. Throws a CalendarEventError when its dates cannot be used.
 * @param time_zone the property's zone, in which UTC instants become days
 */
export function parseFeedEvent(lines: readonly string[], time_zone: string): RawCalendarEvent {
  const properties = parse(lines);
  const start = findFirstJcalProperty(properties, 'dtstart');
  if (!start) throw new CalendarEventError('missing_start', createRefusal('calendar_event.missing_start'));
  const checkin_date = dayOf(start, time_zone);
  const checkout_date = endDay(properties, start, checkin_date, time_zone);
  const nights = (Date.parse(checkout_date) - Date.parse(checkin_date)) / 86_400_000;
  if (nights < 1)
    throw new CalendarEventError(
      'no_night',
      createRefusal('calendar_event.no_night', { end: checkout_date, start: checkin_date }),
    );
  if (nights > MAX_NIGHTS_PER_CALENDAR_EVENT)
    throw new CalendarEventError(
      'too_long',
      createRefusal('calendar_event.too_long', { nights, most: MAX_NIGHTS_PER_CALENDAR_EVENT }),
    );
  const replaced = findFirstJcalProperty(properties, 'recurrence-id');
  return {
    uid: toStorableText(textOf(properties, 'uid').trim(), 255) || null,
    summary: textOf(properties, 'summary').trim().slice(0, 300),
    details: `${textOf(properties, 'description').slice(0, 4_000)}\n${textOf(properties, 'url').slice(0, 1_000)}`,
    status: textOf(properties, 'status').trim().toUpperCase(),
    free: isFree(properties),
    sequence: Number.parseInt(textOf(properties, 'sequence'), 10) || 0,
    checkin_date,
    checkout_date,
    replaces: replaced ? dayOf(replaced, time_zone) : null,
    properties,
  };
}

/**
 * Returns whether the event leaves its owner available, as shown by TRANSP or Outlook's busy
 * status.
 */
function isFree(properties: readonly JcalProperty[]): boolean {
  const textValue = (name: string) => textOf(properties, name).trim().toUpperCase();
  return textValue('transp') === 'TRANSPARENT' || textValue('x-microsoft-cdo-busystatus') === 'FREE';
}

/**
 * Returns all values of a property as days. A line with EXDATE or RDATE may have several values.
 */
export function readIcalDateValues(properties: readonly JcalProperty[], name: string, time_zone: string): string[] {
  return properties
    .filter((property) => property[0] === name)
    .flatMap((property) => property.slice(3).map((value) => dayOfValue(value, time_zone)));
}

export function findFirstJcalProperty(properties: readonly JcalProperty[], name: string): JcalProperty | undefined {
  return properties.find((property) => property[0] === name);
}

/**
 * The maximum number of a property's parameters. RFC 5545 defines fewer for every property. Parsing
 * time may grow faster than the number of parameters.
 */
const MAX_PARAMETERS = 100;

/**
 * Returns whether a line has too many parameters. Does not count semicolons in quotes or in the
 * value, where most long lines have them.
 */
function hasTooManyParameters(line: string): boolean {
  let parameters = 0;
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charCodeAt(at);
    if (letter === 0x22) quoted = !quoted;
    else if (quoted) continue;
    else if (letter === 0x3a) return false;
    else if (letter === 0x3b && ++parameters > MAX_PARAMETERS) return true;
  }
  return false;
}

function parse(event: readonly string[]): JcalProperty[] {
  const lines = repairIcalEventLines(event).filter((line) => {
    if (line.length <= 2 * MAX_PARAMETERS || !hasTooManyParameters(line)) return true;
    if (isEssentialIcalEventLine(line))
      throw new CalendarEventError(
        'unreadable',
        createRefusal('calendar_event.too_many_parameters', { most: MAX_PARAMETERS }),
      );
    return false;
  });
  try {
    return propertiesOf(lines);
  } catch {
    return readableProperties(lines);
  }
}

const propertiesOf = (lines: readonly string[]) =>
  (ICAL.parse(lines.join('\n')) as unknown as [string, JcalProperty[], unknown[]])[1];

/**
 * Parses the lines one by one, after parsing them together has failed. Skips malformed lines that
 * do not affect the stay.
 */
function readableProperties(lines: readonly string[]): JcalProperty[] {
  const properties: JcalProperty[] = [];
  let depth = 0;
  for (const line of lines.slice(1, -1)) {
    // Alarms and other components inside the event are skipped, because they do not describe the
    // stay.
    if (/^BEGIN:/i.test(line)) depth += 1;
    else if (/^END:/i.test(line)) depth = Math.max(0, depth - 1);
    else if (depth === 0 || isEssentialIcalEventLine(line)) {
      try {
        properties.push(...propertiesOf(['BEGIN:VEVENT', line, 'END:VEVENT']));
      } catch (error) {
        if (!isEssentialIcalEventLine(line)) continue;
        const message = error instanceof Error ? error.message : String(error);
        throw new CalendarEventError(
          'unreadable',
          createRefusal('calendar_event.unreadable_because', { why: toStorableText(message.slice(0, 160)) }),
        );
      }
    }
  }
  return properties;
}

function textOf(properties: readonly JcalProperty[], name: string): string {
  const value = findFirstJcalProperty(properties, name)?.[3];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function dayOf(property: JcalProperty, time_zone: string): string {
  return dayOfValue(property[3], time_zone);
}

/**
 * Returns the day of a DATE or DATE-TIME. Floating values and values with a TZID are in the event's
 * own zone, so their day is used as written. Only UTC instants are converted to the property's
 * zone.
 */
function dayOfValue(value: unknown, time_zone: string): string {
  const text = typeof value === 'string' ? value : '';
  const day = text.slice(0, 10);
  if (!isCalendarDay(day)) throw invalidDate('invalid_date', text);
  if (text.length === 10) return day;
  if (!/^T\d{2}:\d{2}:\d{2}Z?$/.test(text.slice(10))) throw invalidDate('invalid_time', text);
  if (!text.endsWith('Z')) return day;
  const instant = new Date(text);
  if (Number.isNaN(instant.getTime())) throw invalidDate('invalid_instant', text);
  return getDayInTimeZone(instant, time_zone);
}

const invalidDate = (key: 'invalid_date' | 'invalid_time' | 'invalid_instant' | 'invalid_duration', text: string) =>
  new CalendarEventError(
    'invalid_date',
    createRefusal(`calendar_event.${key}`, { text: toStorableText(text.slice(0, 40)) }),
  );

function endDay(
  properties: readonly JcalProperty[],
  start: JcalProperty,
  checkin_date: string,
  time_zone: string,
): string {
  const end = findFirstJcalProperty(properties, 'dtend');
  if (end) return dayOf(end, time_zone);
  const timed = typeof start[3] === 'string' && start[3].length > 10;
  const duration = findFirstJcalProperty(properties, 'duration')?.[3];
  // RFC 5545: without an end, an all-day event is one day long and a timed one has no length.
  if (duration === undefined) return timed ? checkin_date : addDays(checkin_date, 1);
  if (typeof duration !== 'string' || !ICAL.Duration.isValueString(duration))
    throw invalidDate('invalid_duration', String(duration));
  const seconds = ICAL.Duration.fromString(duration).toSeconds();
  if (!timed) return addDays(checkin_date, Math.ceil(seconds / 86_400));
  const wall = String(start[3]);
  const end_instant = new Date(Date.parse(wall.endsWith('Z') ? wall : `${wall}Z`) + seconds * 1_000);
  if (Number.isNaN(end_instant.getTime()))
    throw new CalendarEventError('invalid_date', createRefusal('calendar_event.duration_too_long'));
  // The sum of a local start time and a duration is a local end time. UTC is used only for the
  // calculation.
  return wall.endsWith('Z') ? getDayInTimeZone(end_instant, time_zone) : end_instant.toISOString().slice(0, 10);
}
