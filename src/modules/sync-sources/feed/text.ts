/**
 * Splits a feed's bytes into events as text lines. Handles size, character set, bodies that are not
 * calendars, folding and line ends, and computes a fingerprint of the content. This takes a
 * fraction of the time of parsing, so callers do not parse a feed whose fingerprint is known
 * (design "Calendar sync": an unchanged feed writes only the source's own row).
 */

import { isAscii } from 'node:buffer';
import { sha256Hex } from '@/shared/canonical-json';
import { createRefusal, type RefusalData } from '@/shared/refusals/refusal';
import { toStorableText } from '@/shared/text/storable-text';

export const MAX_FEED_BYTES = 5 * 1024 * 1024;
export const MAX_FEED_EVENTS = 10_000;
/** The maximum number of lines that are read from one event. A typical stay has a dozen lines. */
const MAX_EVENT_LINES = 5_000;
/**
 * The maximum number of characters that are read from an unfolded line. Longer lines are usually
 * embedded files.
 */
export const MAX_FEED_LINE_CHARACTERS = 64 * 1024;

export type FeedFailureReason =
  | 'too_large'
  | 'too_many_events'
  | 'empty_body'
  | 'placeholder'
  | 'html'
  | 'not_a_calendar'
  | 'took_too_long'
  | 'too_much_memory';

export interface FeedFailure {
  readonly ok: false;
  readonly reason: FeedFailureReason;
  readonly message: RefusalData;
  /** The first 200 characters of the body, for the run's record. */
  readonly excerpt: string;
}

export interface DecodedFeed {
  readonly ok: true;
  /** One item per VEVENT: its unfolded lines, BEGIN and END included. */
  readonly events: readonly (readonly string[])[];
  /** The lines of events without a BEGIN or END marker, which may be incomplete. */
  readonly broken_events: readonly (readonly string[])[];
  /** Whether every calendar that begins in the file also ends. */
  readonly whole: boolean;
  /** Whether any event repeats. The meaning of such a calendar depends on the current day. */
  readonly repeats: boolean;
  /**
   * SHA-256 of the events. Ignores the order of the events, and DTSTAMP, CREATED and LAST-MODIFIED.
   */
  readonly fingerprint: string;
}

/**
 * Decodes a feed, rejects a body that is not a calendar, and splits the text into events. Never
 * throws.
 */
export function splitFeedIntoEvents(bytes: Uint8Array, content_type: string | null = null): DecodedFeed | FeedFailure {
  if (bytes.byteLength > MAX_FEED_BYTES) return failure('too_large', '');
  const text = decodeFeed(bytes, content_type);
  const reason = whyNoCalendar(text);
  if (reason) return failure(reason, text);
  const cut = cutEvents(unfold(text));
  if (cut.events.length + cut.broken_events.length > MAX_FEED_EVENTS) return failure('too_many_events', text);
  const repeats = cut.events.some((lines) => lines.some(saysRepeats));
  return { ok: true, ...cut, repeats, fingerprint: fingerprintOf(cut.events, cut.whole, cut.broken_events) };
}

/** Returns the failure of a parser that was stopped. */
export const createFeedParserStoppedFailure = (reason: 'took_too_long' | 'too_much_memory'): FeedFailure =>
  failure(reason, '');

/**
 * Decodes the bytes. A BOM has priority. Otherwise valid UTF-8 is decoded as UTF-8, regardless of
 * the declared character set (servers often declare latin-1 by default), even if folds split its
 * characters. Otherwise the declared character set applies, or windows-1252 when it is unknown or
 * UTF-8.
 */
export function decodeFeed(bytes: Uint8Array, content_type: string | null): string {
  const decodedAs = (charset: string) => storable(new TextDecoder(charset).decode(bytes));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodedAs('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodedAs('utf-16be');
  // ASCII is the same in every character set that a feed may declare, and decodes ten times faster.
  if (isAscii(bytes)) return storable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
  const utf8 = fromUtf8(bytes) ?? fromUtf8(unfoldedBytes(bytes));
  if (utf8 !== null) return storable(utf8);
  const declared = /charset\s*=\s*"?([\w.:-]+)/i.exec(content_type ?? '')?.[1]?.toLowerCase();
  const charset = !declared || declared === 'utf-8' || declared === 'utf8' ? 'windows-1252' : declared;
  try {
    return decodedAs(charset);
  } catch {
    return decodedAs('windows-1252');
  }
}

/**
 * Removes a second byte order mark, which some servers add, and makes the text storable in the
 * database.
 */
const storable = (text: string) => toStorableText(text.replace(/^\ufeff/, ''));

/** Decodes UTF-8. Returns null for other bytes. */
function fromUtf8(bytes: Uint8Array): string | null {
  try {
    // With `stream`, an incomplete character at the end of a truncated file is not an error.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Unfolds bytes, because a fold may be inside a character (RFC 5545, 3.1). */
const unfoldedBytes = (bytes: Uint8Array): Uint8Array =>
  Buffer.from(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString('latin1')
      .replace(/\r?\n[ \t]/g, ''),
    'latin1',
  );

function whyNoCalendar(text: string): FeedFailureReason | null {
  if (/^[ \t]*BEGIN:VCALENDAR[ \t]*\r?$/im.test(text)) return null;
  const start = text.slice(0, 2_000).trim();
  if (start.length <= 1) return 'empty_body';
  if (/^["']?placeholder["']?\.?$/i.test(start)) return 'placeholder';
  if (/^<(!doctype\s+html|html|head|body|\?xml|!--)/i.test(start)) return 'html';
  return 'not_a_calendar';
}

function failure(reason: FeedFailureReason, text: string): FeedFailure {
  return { ok: false, reason, message: createRefusal(`calendar.${reason}`), excerpt: text.trim().slice(0, 200) };
}

/** Returns the lines, each with its continuation lines, up to MAX_FEED_LINE_CHARACTERS. */
function unfold(text: string): string[] {
  // Splits at a line feed if possible, because splitting at a pattern is slower. Carriage returns
  // are trimmed later with other trailing space.
  const lines = text.split(/\r(?!\n)/.test(text) ? /\r\n|\n|\r/ : '\n');
  if (!/[\r\n][ \t]/.test(text)) return lines;
  const unfolded: string[] = [];
  let last = -1;
  for (const line of lines) {
    const piece = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (last < 0 || !(piece.startsWith(' ') || piece.startsWith('\t'))) last = unfolded.push(piece) - 1;
    else if (unfolded[last]!.length < MAX_FEED_LINE_CHARACTERS) unfolded[last] += piece.slice(1);
  }
  return unfolded;
}

/** Excludes most lines by length or first letter, which is faster than matching the pattern. */
const mayBeMarker = (line: string) => line.length < 40 && ' \tBbEe'.includes(line.charAt(0));

/** Accepts VEVENT with one or two letters missing. */
const MARKER = /^\s*(BEGIN|END):\s*(VCALENDAR|(?=\w{4})V?E?V?E?N?T?)$/i;

function cutEvents(lines: readonly string[]): { events: string[][]; broken_events: string[][]; whole: boolean } {
  const events: string[][] = [];
  const broken_events: string[][] = [];
  let open_calendars = 0;
  let current: string[] | null = null;
  /**
   * Lines outside of any event: the calendar's own lines, or the lines of an event whose first line
   * is malformed.
   */
  let loose: string[] = [];
  /**
   * Ends an event in which the BEGIN or END line is malformed. The event counts as complete when it
   * has a check-in day and a check-out day.
   */
  const settle = (event: string[]) => {
    if (saysBothDays(event)) events.push(['BEGIN:VEVENT', ...event, 'END:VEVENT']);
    else broken_events.push(event);
  };
  const closeLoose = () => {
    if (loose.some((line) => /^UID[:;]/i.test(line))) broken_events.push(loose);
    loose = [];
  };
  for (const raw of lines) {
    const line = raw.slice(0, MAX_FEED_LINE_CHARACTERS).trimEnd();
    if (line === '') continue;
    const marker = mayBeMarker(line) ? MARKER.exec(line) : null;
    if (!marker) {
      const open: string[] = current ?? loose;
      if (open.length < MAX_EVENT_LINES) open.push(line);
      // Discards the lines of other components, such as time zones and tasks.
      if (!current && /^END:/i.test(line) && !/^END:VALARM/i.test(line)) loose = [];
      continue;
    }
    const begins = marker[1]!.toUpperCase() === 'BEGIN';
    if (marker[2]!.toUpperCase() === 'VCALENDAR') {
      if (current) settle(current);
      current = null;
      closeLoose();
      open_calendars = Math.max(0, open_calendars + (begins ? 1 : -1));
    } else if (begins) {
      if (current) settle(current);
      closeLoose();
      current = [];
    } else if (current) {
      events.push(['BEGIN:VEVENT', ...current, 'END:VEVENT']);
      current = null;
    } else {
      const event = loose.slice(1 + loose.findLastIndex(startsAnew));
      if (saysBothDays(event)) settle(event);
      else closeLoose();
      loose = [];
    }
  }
  // The file was truncated inside the event.
  if (current) broken_events.push(current);
  closeLoose();
  return { events, broken_events, whole: open_calendars === 0 };
}

/** Returns whether a line begins another component. The BEGIN line may be malformed. */
const startsAnew = (line: string) => /^BEGIN/i.test(line) && !/^BEGIN:VALARM$/i.test(line);

const saysBothDays = (event: readonly string[]) =>
  ['DTSTART', 'DTEND'].every((name) => event.some((line) => line.slice(0, 8).toUpperCase().startsWith(name))) &&
  event.filter((line) => /^UID[:;]/i.test(line)).length === 1 &&
  event.filter((line) => /^DTSTART[:;]/i.test(line)).length === 1;

/**
 * Returns a test for lines that match a pattern. Compares the first letter before matching the
 * pattern, which is faster.
 */
const linesWith = (letters: string, pattern: RegExp) => (line: string) =>
  letters.includes(line.charAt(0)) && pattern.test(line);

const saysRepeats = linesWith('Rr', /^(?:RRULE|RDATE)[:;]/i);
// Some channels change these properties at every poll. None of them describes a stay.
const isVolatile = linesWith('DCLdcl', /^(?:DTSTAMP|CREATED|LAST-MODIFIED)[:;]/i);

function fingerprintOf(
  events: readonly (readonly string[])[],
  whole: boolean,
  broken: readonly (readonly string[])[],
): string {
  const texts = [...events, ...broken].map((lines) => lines.filter((line) => !isVolatile(line)).join('\n')).sort();
  return sha256Hex(`${whole ? 'whole' : 'cut'} ${broken.length}\n${texts.join('\n')}`);
}
