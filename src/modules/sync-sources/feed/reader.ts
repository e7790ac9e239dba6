/**
 * Reads a channel's calendar and returns every event that is a stay, with its identity, days and
 * class. A malformed event is reported and skipped. If the body is not a calendar, the result is a
 * failure with a message for the host (design "Calendar sync"). Pure.
 */

import type { GuestLocale } from '@/shared/guest-text/locale';
import { createRefusal, type RefusalData } from '@/shared/refusals/refusal';
import { toStorableText } from '@/shared/text/storable-text';
import { addDays, countNightsBetween, findIndexOfFirstStayOnOrAfterDay } from './calendar-days';
import {
  type CalendarFeedKind,
  classifyFeedEntry,
  type FeedEntryCategory,
  findReservationCodeInFeedEntry,
} from './classify';
import { CalendarEventError, type CalendarEventProblemReason, parseFeedEvent, type RawCalendarEvent } from './event';
import { expandFeedEventOccurrences, isRecurringFeedEvent, MAX_RECURRENCE_ITERATIONS_PER_FEED } from './recurrence';
import { type DecodedFeed, MAX_FEED_EVENTS } from './text';

export interface FeedEntry {
  /**
   * Identifies a stay across polls: the reservation code, or else the UID, or else
   * `<checkin>/<checkout>`.
   */
  readonly external_id: string;
  readonly uid: string | null;
  readonly reservation_code: string | null;
  readonly checkin_date: string;
  /** The day on which the guest leaves. */
  readonly checkout_date: string;
  readonly nights: number;
  readonly class: FeedEntryCategory;
  /** Whether the event has STATUS:CANCELLED. */
  readonly cancelled: boolean;
  readonly guest_name: string | null;
  readonly phone_last4: string | null;
  readonly guest_language: GuestLocale | null;
  /** The event's SUMMARY, unescaped, at most 300 characters. */
  readonly summary: string;
}

export interface FeedProblem {
  readonly reason: CalendarEventProblemReason;
  readonly message: RefusalData;
  readonly uid: string | null;
  readonly summary: string | null;
}

export interface ParsedFeed {
  readonly ok: true;
  readonly entries: readonly FeedEntry[];
  readonly problems: readonly FeedProblem[];
  /**
   * UIDs and codes of events that could not be read. A booking with one of these ids does not count
   * as missing from the calendar.
   */
  readonly seen: readonly string[];
  /** Whether every calendar that begins in the file also ends. False for a truncated file. */
  readonly whole: boolean;
  /**
   * The number of events that could be read, whether they are bookings, blocks or something else.
   */
  readonly event_count: number;
  /**
   * The fingerprint of the content. The source stores the result of `computeFeedFingerprint`
   * instead.
   */
  readonly fingerprint: string;
}

export interface FeedInterpretationContext {
  readonly kind: CalendarFeedKind;
  /** The property's IANA zone. */
  readonly time_zone: string;
  /** The current day in the property's zone. */
  readonly today: string;
}

const MAX_PROBLEMS = 100;

/**
 * Returns the fingerprint to store with a source. It covers the content and everything else that
 * affects a run's result. If it equals the stored fingerprint, a run has nothing to do, unless a
 * booking was missing once and is cancelled when missing again. `settings` are the source's other
 * relevant settings, as JSON values.
 */
export function computeFeedFingerprint(
  opened: Pick<DecodedFeed, 'fingerprint' | 'repeats'>,
  context: FeedInterpretationContext,
  settings: unknown = null,
): string {
  const parts = [
    READER_VERSION,
    context.kind,
    context.time_zone,
    opened.repeats ? context.today : '',
    JSON.stringify(settings),
  ];
  return `${opened.fingerprint}:${parts.join('|')}`;
}

/**
 * Must be increased when a new version reads the same bytes differently. Every calendar is then
 * read again.
 */
const READER_VERSION = '5';

/** Interprets an opened feed. Never throws. */
export function interpretFeed(opened: DecodedFeed, context: FeedInterpretationContext): ParsedFeed {
  const problems: FeedProblem[] = [];
  const report = (problem: FeedProblem) => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem);
  };
  const seen = new Set<string>();
  const broken = opened.broken_events.length;
  if (broken > 0) {
    const message = createRefusal('calendar_event.not_whole', { count: broken });
    report({ reason: 'never_ended', message, uid: null, summary: null });
    for (const lines of opened.broken_events) rememberIdentities(lines, seen);
  }
  const events: RawCalendarEvent[] = [];
  for (const lines of opened.events) {
    try {
      const event = parseFeedEvent(lines, context.time_zone);
      events.push(event);
      // An event with two UIDs is really two events. The END and BEGIN lines between them are
      // malformed.
      if (event.properties.filter(([name]) => name === 'uid').length > 1) rememberIdentities(lines, seen);
    } catch (error) {
      rememberIdentities(lines, seen);
      report(problemOf(error, rawValue(lines, 'UID'), rawValue(lines, 'SUMMARY')));
    }
  }
  const entries = withUniqueIds(expand(events, context, report), context.kind, report);
  return {
    ok: true,
    entries: entries.sort(byDates),
    problems,
    seen: [...seen],
    whole: opened.whole,
    event_count: events.length,
    fingerprint: opened.fingerprint,
  };
}

/** An occurrence of an event, without an identity yet. */
interface Stay
  extends Pick<
    RawCalendarEvent,
    'uid' | 'summary' | 'details' | 'status' | 'free' | 'sequence' | 'checkin_date' | 'checkout_date'
  > {
  /**
   * Whether other stays may have the same UID, because this stay is an occurrence of a repeating
   * event or replaces an occurrence.
   */
  readonly repeated: boolean;
}

function expand(
  events: RawCalendarEvent[],
  context: FeedInterpretationContext,
  report: (problem: FeedProblem) => void,
): Stay[] {
  const replaced = new Map<string, Set<string>>();
  for (const event of events) {
    if (!event.replaces || !event.uid) continue;
    const days = replaced.get(event.uid) ?? new Set();
    replaced.set(event.uid, days.add(event.replaces));
  }
  const stays: Stay[] = [];
  const iterations = { iterations: MAX_RECURRENCE_ITERATIONS_PER_FEED };
  for (const event of events) {
    if (!isRecurringFeedEvent(event)) {
      stays.push({ ...event, repeated: event.replaces !== null });
      continue;
    }
    try {
      const { days, cut } = expandFeedEventOccurrences(event, context.today, context.time_zone, iterations);
      const nights = countNightsBetween(event.checkin_date, event.checkout_date);
      const budget = MAX_FEED_EVENTS - stays.length;
      for (const day of days.slice(0, budget)) {
        if (event.uid && replaced.get(event.uid)?.has(day)) continue;
        stays.push({ ...event, checkin_date: day, checkout_date: addDays(day, nights), repeated: true });
      }
      if (cut || days.length > budget) {
        const message = createRefusal('calendar_event.recurrence_cut');
        report({ reason: 'recurrence_cut', message, uid: event.uid, summary: event.summary });
      }
    } catch (error) {
      report(problemOf(error, event.uid, event.summary));
      stays.push({ ...event, repeated: false });
    }
  }
  return stays;
}

function withUniqueIds(stays: Stay[], kind: CalendarFeedKind, report: (problem: FeedProblem) => void): FeedEntry[] {
  const groups = new Map<string, { stay: Stay; entry: FeedEntry }[]>();
  for (const stay of stays) {
    const entry = entryOf(stay, kind);
    const group = groups.get(entry.external_id);
    if (group) group.push({ stay, entry });
    else groups.set(entry.external_id, [{ stay, entry }]);
  }
  const entries: FeedEntry[] = [];
  for (const group of groups.values()) {
    // Sorts the newest revision first. The other criteria only make the result independent of the
    // order in the file.
    group.sort(
      (a, b) =>
        b.stay.sequence - a.stay.sequence ||
        Number(a.entry.cancelled) - Number(b.entry.cancelled) ||
        byDates(a.entry, b.entry) ||
        compare(a.entry.summary, b.entry.summary),
    );
    const kept: FeedEntry[] = [];
    let coded = false;
    for (const { entry } of group) {
      // `kept` is sorted and without overlaps, so only the neighbours can overlap this entry.
      const at = findIndexOfFirstStayOnOrAfterDay(kept, entry.checkin_date);
      const taken = [kept[at - 1], kept[at]].some((other) => other && overlaps(other, entry));
      if (coded || taken) {
        const message = createRefusal('calendar_event.duplicate_uid');
        report({ reason: 'duplicate_uid', message, uid: entry.uid, summary: entry.summary });
      } else kept.splice(at, 0, entry);
      coded ||= kept[0]!.reservation_code !== null;
    }
    // Some exporters give all events the same UID. Stays that do not overlap are then distinguished
    // by their dates.
    entries.push(...(kept.length === 1 ? kept : kept.map((entry) => dated(entry, `${entry.uid ?? ''}`))));
  }
  return entries;
}

function entryOf(stay: Stay, kind: CalendarFeedKind): FeedEntry {
  const classified = classifyFeedEntry(kind, stay.summary, stay.details, {
    tentative: stay.status === 'TENTATIVE',
    free: stay.free,
  });
  const { checkin_date, checkout_date } = stay;
  const entry: FeedEntry = {
    external_id: classified.reservation_code ?? stay.uid ?? `${checkin_date}/${checkout_date}`,
    uid: stay.uid,
    reservation_code: classified.reservation_code,
    checkin_date,
    checkout_date,
    nights: countNightsBetween(checkin_date, checkout_date),
    class: classified.class,
    cancelled: stay.status === 'CANCELLED' || stay.status === 'CANCELED',
    guest_name: classified.guest_name,
    phone_last4: classified.phone_last4,
    guest_language: classified.guest_language,
    summary: stay.summary,
  };
  return stay.repeated && stay.uid && !entry.reservation_code ? dated(entry, stay.uid) : entry;
}

function dated(entry: FeedEntry, uid: string): FeedEntry {
  const identity = `${uid}/${entry.checkin_date}`;
  return { ...entry, external_id: identity, uid: identity };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byDates = (a: FeedEntry, b: FeedEntry) =>
  compare(a.checkin_date, b.checkin_date) ||
  compare(a.checkout_date, b.checkout_date) ||
  compare(a.external_id, b.external_id);
const overlaps = (a: FeedEntry, b: FeedEntry) => a.checkin_date < b.checkout_date && b.checkin_date < a.checkout_date;

function problemOf(error: unknown, uid: string | null, summary: string | null): FeedProblem {
  const reason = error instanceof CalendarEventError ? error.reason : 'unreadable';
  const message = error instanceof CalendarEventError ? error.problem : createRefusal('calendar_event.unreadable');
  return { reason, message, uid, summary };
}

/** Stores every UID and code in the lines of an event, even if other lines are malformed. */
function rememberIdentities(lines: readonly string[], seen: Set<string>): void {
  for (const line of lines) {
    const uid = rawValue([line], 'UID');
    if (uid) seen.add(uid);
  }
  const code = findReservationCodeInFeedEntry(
    rawValue(lines, 'SUMMARY') ?? '',
    lines.join('\n').slice(0, 8_000).replace(/\\n/gi, '\n'),
  );
  if (code) seen.add(code);
}

/** Returns a property's value from the raw lines of an event that ical.js could not read. */
function rawValue(lines: readonly string[], name: string): string | null {
  for (const line of lines) {
    if (line.slice(0, name.length).toUpperCase() !== name || !';:'.includes(line.charAt(name.length))) continue;
    const value = line.slice(line.indexOf(':') + 1).trim();
    if (value) return toStorableText(value, 255);
  }
  return null;
}
