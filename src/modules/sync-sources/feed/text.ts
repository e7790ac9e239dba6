/**
 * From a feed's bytes to its events as text lines: size, character set, what is not a calendar, folding, line ends, and
 * a fingerprint of the content. Nothing is interpreted yet, so this is a fraction of what parsing costs: a caller that
 * knows the fingerprint stops here (DESIGN "Calendar sync": an unchanged feed writes nothing but the source's own row).
 */
import { isAscii } from 'node:buffer';
import { sha256Hex } from '@/shared/canonical-json';
import { storableText } from '@/shared/text/storable-text';

export const MAX_FEED_BYTES = 5 * 1024 * 1024;
export const MAX_FEED_EVENTS = 10_000;
/** Of an event no more is read; a stay has a dozen lines. */
const MAX_EVENT_LINES = 5_000;
/** Of an unfolded line no more is read; a description of this length is a file put inside the calendar. */
export const MAX_LINE = 64 * 1024;

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
  /** One sentence or two for a host. */
  readonly message: string;
  /** The first 200 characters of what came, for the run's record. */
  readonly excerpt: string;
}

export interface OpenedFeed {
  readonly ok: true;
  /** One item per VEVENT: its unfolded lines, BEGIN and END included. */
  readonly events: readonly (readonly string[])[];
  /** The lines of events that have no end or no beginning, and cannot be told whole. */
  readonly broken_events: readonly (readonly string[])[];
  /** Every calendar that began also ended. */
  readonly whole: boolean;
  /** An event repeats, so that the same calendar means something else on another day. */
  readonly repeats: boolean;
  /** SHA-256 of the events without DTSTAMP, CREATED, LAST-MODIFIED, and without their order or the calendar's own header. */
  readonly fingerprint: string;
}

const STOPPED =
  'Nothing was changed, and we try again by ourselves. Check that the link is the calendar of one listing.';

/** What a host reads of each. */
export const FAILURES: Record<FeedFailureReason, string> = {
  too_large:
    'The calendar is larger than 5 MB, which is more than we read. Check that the link is the calendar of one listing.',
  too_many_events:
    'The calendar holds more than 10,000 events, which is more than we read. Check that the link is the calendar of one listing.',
  empty_body: 'The calendar’s address answered with nothing. This usually passes; we try again by ourselves.',
  placeholder:
    'The channel answered with a placeholder instead of the calendar. This usually passes; we try again by ourselves.',
  html: 'The link answered with a web page, not a calendar. Copy the calendar’s export link (it usually ends in .ics) from the channel’s settings.',
  not_a_calendar:
    'The link did not answer with a calendar. Copy the calendar’s export link (it usually ends in .ics) from the channel’s settings.',
  took_too_long: `The calendar took too long to read. ${STOPPED}`,
  too_much_memory: `The calendar needed too much memory to read. ${STOPPED}`,
};

/** Opens a feed: decodes it, refuses what is no calendar, and cuts it into events. Never throws. */
export function openFeed(bytes: Uint8Array, content_type: string | null = null): OpenedFeed | FeedFailure {
  if (bytes.byteLength > MAX_FEED_BYTES) return failure('too_large', '');
  const text = decodeFeed(bytes, content_type);
  const reason = whyNoCalendar(text);
  if (reason) return failure(reason, text);
  const cut = cutEvents(unfold(text));
  if (cut.events.length + cut.broken_events.length > MAX_FEED_EVENTS) return failure('too_many_events', text);
  const repeats = cut.events.some((lines) => lines.some(saysRepeats));
  return { ok: true, ...cut, repeats, fingerprint: fingerprintOf(cut.events, cut.whole, cut.broken_events) };
}

/** The failure of a reading that was ended from outside. */
export const feedStopped = (reason: 'took_too_long' | 'too_much_memory'): FeedFailure => failure(reason, '');

/**
 * The text of the bytes. A BOM decides; else valid UTF-8 is UTF-8 whatever was declared (servers often declare
 * latin-1 by habit), also where folds cut its letters apart; else the declared character set, and windows-1252 when that is
 * unknown or was UTF-8.
 */
export function decodeFeed(bytes: Uint8Array, content_type: string | null): string {
  const decodedAs = (charset: string) => storable(new TextDecoder(charset).decode(bytes));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodedAs('utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodedAs('utf-16be');
  // What is ASCII alone reads the same in every character set a feed may declare, and is read in a tenth of the time.
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

/** Some servers put a second mark before a file that begins with one. */
const storable = (text: string) => storableText(text.replace(/^\ufeff/, ''));

/** Null when it is no UTF-8. */
function fromUtf8(bytes: Uint8Array): string | null {
  try {
    // `stream` keeps a character cut in half at the end of a truncated file from failing the whole text.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** Lines are folded by their bytes, so that a fold may stand inside of a letter (RFC 5545, 3.1). */
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
  return { ok: false, reason, message: FAILURES[reason], excerpt: text.trim().slice(0, 200) };
}

/** The lines, each with those that continue it, as far as they are read. */
function unfold(text: string): string[] {
  // A carriage return before the line feed goes with the line's other trailing space; splitting at a pattern takes thrice as long.
  const lines = text.split(/\r(?!\n)/.test(text) ? /\r\n|\n|\r/ : '\n');
  if (!/[\r\n][ \t]/.test(text)) return lines;
  const unfolded: string[] = [];
  let last = -1;
  for (const line of lines) {
    const piece = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (last < 0 || !(piece.startsWith(' ') || piece.startsWith('\t'))) last = unfolded.push(piece) - 1;
    else if (unfolded[last]!.length < MAX_LINE) unfolded[last] += piece.slice(1);
  }
  return unfolded;
}

/** Most lines are told by their length or first letter, without the pattern. */
const mayBeMarker = (line: string) => line.length < 40 && ' \tBbEe'.includes(line.charAt(0));

/** With a letter or two of VEVENT missing it still says what it says. */
const MARKER = /^\s*(BEGIN|END):\s*(VCALENDAR|(?=\w{4})V?E?V?E?N?T?)$/i;

function cutEvents(lines: readonly string[]): { events: string[][]; broken_events: string[][]; whole: boolean } {
  const events: string[][] = [];
  const broken_events: string[][] = [];
  let open_calendars = 0;
  let current: string[] | null = null;
  /** Lines outside of any event: the calendar's own, or an event's whose first line is broken. */
  let loose: string[] = [];
  /** Ends an event of which one marker is broken: it is whole when it says both its days. */
  const settle = (event: string[]) => {
    if (saysBothDays(event)) events.push(['BEGIN:VEVENT', ...event, 'END:VEVENT']);
    else broken_events.push(event);
  };
  const dropLoose = () => {
    if (loose.some((line) => /^UID[:;]/i.test(line))) broken_events.push(loose);
    loose = [];
  };
  for (const raw of lines) {
    const line = raw.slice(0, MAX_LINE).trimEnd();
    if (line === '') continue;
    const marker = mayBeMarker(line) ? MARKER.exec(line) : null;
    if (!marker) {
      const open: string[] = current ?? loose;
      if (open.length < MAX_EVENT_LINES) open.push(line);
      // A zone or a task is no event.
      if (!current && /^END:/i.test(line) && !/^END:VALARM/i.test(line)) loose = [];
      continue;
    }
    const begins = marker[1]!.toUpperCase() === 'BEGIN';
    if (marker[2]!.toUpperCase() === 'VCALENDAR') {
      if (current) settle(current);
      current = null;
      dropLoose();
      open_calendars = Math.max(0, open_calendars + (begins ? 1 : -1));
    } else if (begins) {
      if (current) settle(current);
      dropLoose();
      current = [];
    } else if (current) {
      events.push(['BEGIN:VEVENT', ...current, 'END:VEVENT']);
      current = null;
    } else {
      const event = loose.slice(1 + loose.findLastIndex(startsAnew));
      if (saysBothDays(event)) settle(event);
      else dropLoose();
      loose = [];
    }
  }
  // The end of a file cut short is an event cut short.
  if (current) broken_events.push(current);
  dropLoose();
  return { events, broken_events, whole: open_calendars === 0 };
}

/** A line that begins another component, or was meant to. */
const startsAnew = (line: string) => /^BEGIN/i.test(line) && !/^BEGIN:VALARM$/i.test(line);

const saysBothDays = (event: readonly string[]) =>
  ['DTSTART', 'DTEND'].every((name) => event.some((line) => line.slice(0, 8).toUpperCase().startsWith(name))) &&
  event.filter((line) => /^UID[:;]/i.test(line)).length === 1 &&
  event.filter((line) => /^DTSTART[:;]/i.test(line)).length === 1;

/** A pattern for lines that begin with one of these letters; the others are told by that letter, in a fraction of its time. */
const linesWith = (letters: string, pattern: RegExp) => (line: string) =>
  letters.includes(line.charAt(0)) && pattern.test(line);

const saysRepeats = linesWith('Rr', /^(?:RRULE|RDATE)[:;]/i);
// Stamped anew at every poll by one channel or another; none of them says anything about a stay.
const isVolatile = linesWith('DCLdcl', /^(?:DTSTAMP|CREATED|LAST-MODIFIED)[:;]/i);

function fingerprintOf(
  events: readonly (readonly string[])[],
  whole: boolean,
  broken: readonly (readonly string[])[],
): string {
  const texts = [...events, ...broken].map((lines) => lines.filter((line) => !isVolatile(line)).join('\n')).sort();
  return sha256Hex(`${whole ? 'whole' : 'cut'} ${broken.length}\n${texts.join('\n')}`);
}
