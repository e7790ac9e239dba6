/** Which entries of a feed are bookings: the channel's words, the host's marks and the source's setting, in that order. */
import { addDays } from '../feed/calendar-days';
import { foldWords } from '../feed/classify';
import type { FeedEntry } from '../feed/reader';
import { nameKey } from './guest-identity';

/** Closures longer than this are proposed as a block: a season's end, not a guest. */
export const LONG_CLOSURE_NIGHTS = 60;

/** Proposals remembered from one run, so that no feed can fill a source's row with them. */
const MAX_NEW_MARKS = 200;

/** What is remembered of a stay, by its dates because its UID does not last. */
export interface StayMark {
  readonly checkin_date: string;
  readonly checkout_date: string;
  /**
   * `block`, or absent: the host said it is one. `booking`: the host said it is none. `proposed`: nobody said, but it
   * was too long for a guest when it was first seen, and stays so while its start moves along with the days.
   */
  readonly as?: 'block' | 'booking' | 'proposed';
}

/** What the host said about entries by their words, and what becomes of those that no channel's words explain. */
export interface Reading {
  readonly otherwise: 'skip' | 'booking';
  /** What entries are that may be a block or a guest. Until the host says so, they are neither. */
  readonly doubtful?: 'block' | 'booking' | undefined;
  readonly rules: readonly WordRule[];
}

export interface WordRule {
  readonly words: string;
  /** All that the entry says, or a part of it. */
  readonly match: 'whole' | 'contains';
  readonly as: 'booking' | 'block';
}

export const CHANNELS_WORDS: Reading = { otherwise: 'skip', rules: [] };

export type EntrySkipReason =
  | 'block'
  | 'marked_as_block'
  | 'ruled_as_block'
  | 'closures_are_blocks'
  | 'proposed_as_block'
  | 'tentative'
  | 'unknown_words'
  | 'looks_like_block'
  | 'same_stay_twice'
  | 'cancelled';

export interface EntryDecisions {
  readonly bookings: readonly FeedEntry[];
  readonly skipped: readonly { readonly entry: FeedEntry; readonly reason: EntrySkipReason }[];
  /** STATUS:CANCELLED, of whatever class. */
  readonly cancelled: readonly FeedEntry[];
  /** Those of `skipped` that the feed's words alone keep out: what was a booking under their identity stays one. */
  readonly doubtful: ReadonlySet<FeedEntry>;
  /** Marks to remember with the source's others. */
  readonly new_marks: readonly StayMark[];
}

export interface DecideInput {
  readonly feed: { readonly entries: readonly FeedEntry[] };
  readonly closures_are_blocks: boolean;
  readonly marks: readonly StayMark[];
  readonly reading?: Reading;
  readonly today: string;
}

/** Sorts a feed's entries into bookings, cancelled ones and those that create nothing, with the reason. */
export function decideEntries(input: DecideInput): EntryDecisions {
  const bookings: FeedEntry[] = [];
  const cancelled: FeedEntry[] = [];
  const skipped: { entry: FeedEntry; reason: EntrySkipReason }[] = [];
  const doubtful = new Set<FeedEntry>();
  const new_marks: StayMark[] = [];
  const seen = new Set<string>();
  const ruled_as = rulesOf(input.reading ?? CHANNELS_WORDS);
  for (const entry of input.feed.entries) {
    const reason = whySkipped(entry, input, ruled_as);
    if (reason !== null) {
      skipped.push({ entry, reason });
      if (DOUBTFUL.has(reason)) doubtful.add(entry);
      if (reason === 'proposed_as_block' && new_marks.length < MAX_NEW_MARKS && !findMark(entry, input)) {
        new_marks.push({ checkin_date: entry.checkin_date, checkout_date: entry.checkout_date, as: 'proposed' });
      }
    } else if (entry.cancelled) cancelled.push(entry);
    else if (isTwice(entry, seen)) {
      skipped.push({ entry, reason: 'same_stay_twice' });
      doubtful.add(entry);
    } else bookings.push(entry);
  }
  return { bookings, skipped, cancelled, doubtful, new_marks };
}

/** Whether an entry without a code has the name and the nights of one before it: one guest under two UIDs. */
function isTwice({ guest_name, reservation_code, checkin_date, checkout_date }: FeedEntry, seen: Set<string>): boolean {
  const name = nameKey(guest_name);
  if (name === '' || reservation_code !== null) return false;
  const key = `${name} ${checkin_date}/${checkout_date}`;
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

/** The marks whose stays are not over, for storing. */
export function currentMarks(marks: readonly StayMark[], today: string): StayMark[] {
  return marks.filter((mark) => mark.checkout_date > today);
}

/** Reasons that keep guests out of the nights, and not only the reservation out of the list. */
const BLOCKS: ReadonlySet<string> = new Set<EntrySkipReason>([
  'block',
  'marked_as_block',
  'ruled_as_block',
  'closures_are_blocks',
  'proposed_as_block',
]);

/** Nights in which a calendar lets nobody in, and what it says of them. */
export interface BlockedNights {
  readonly checkin_date: string;
  readonly checkout_date: string;
  readonly words: string;
}

const MAX_BLOCKED = 200;
const MAX_WORDS = 80;

/** Those that are not over, the next first, at most so many. */
export function blockedNights(
  skipped: readonly { readonly entry: FeedEntry; readonly reason: string }[],
  today: string,
): BlockedNights[] {
  return skipped
    .filter(({ reason, entry }) => BLOCKS.has(reason) && entry.checkout_date > today)
    .map(({ entry: { checkin_date, checkout_date, summary } }) => ({
      checkin_date,
      checkout_date,
      words: summary.slice(0, MAX_WORDS).trim(),
    }))
    .sort((a, b) => (a.checkin_date < b.checkin_date ? -1 : 1))
    .slice(0, MAX_BLOCKED);
}

export interface FeedPreview {
  readonly bookings: number;
  readonly blocks: number;
  /** The first check-in from today on. */
  readonly next_arrival: string | null;
}

/** What a host sees before a feed is saved: "14 bookings, 3 blocks, next arrival 12 May". Stays that are over do not count. */
export function previewEntries(decisions: EntryDecisions, today: string): FeedPreview {
  const ahead = decisions.bookings.filter((entry) => entry.checkout_date > today);
  const arrivals = ahead.map((entry) => entry.checkin_date).filter((day) => day >= today);
  return {
    bookings: ahead.length,
    blocks: decisions.skipped.filter(({ reason, entry }) => BLOCKS.has(reason) && entry.checkout_date > today).length,
    next_arrival: arrivals.sort()[0] ?? null,
  };
}

/** Neither the host's mark nor the source's setting is among them: what a host calls a block is none of the guests'. */
const DOUBTFUL: ReadonlySet<EntrySkipReason> = new Set([
  'block',
  'tentative',
  'unknown_words',
  'looks_like_block',
  'same_stay_twice',
  'proposed_as_block',
]);

function whySkipped(
  entry: FeedEntry,
  input: DecideInput,
  ruled_as: ReturnType<typeof rulesOf>,
): EntrySkipReason | null {
  const mark = findMark(entry, input);
  const marked = mark ? (mark.as ?? 'block') : null;
  if (marked === 'block') return 'marked_as_block';
  // What was said of this stay holds before what was said of its words.
  const ruled = marked === 'booking' ? null : ruled_as(entry);
  if (ruled === 'block') return 'ruled_as_block';
  // Cancelled in whatever words: a booking under its identity is cancelled with it.
  if (entry.cancelled || ruled === 'booking') return null;
  if (entry.class === 'tentative' || entry.class === 'block') return entry.class;
  if (marked === 'booking') return null;
  if (entry.class === 'unknown') return input.reading?.otherwise === 'booking' ? null : 'unknown_words';
  if (entry.class === 'doubtful') return skipDoubtful(input.reading?.doubtful);
  if (entry.class !== 'closure') return null;
  if (input.closures_are_blocks) return 'closures_are_blocks';
  return marked === 'proposed' || entry.nights > LONG_CLOSURE_NIGHTS ? 'proposed_as_block' : null;
}

function skipDoubtful(said: Reading['doubtful']): EntrySkipReason | null {
  if (said === 'booking') return null;
  return said === 'block' ? 'ruled_as_block' : 'looks_like_block';
}

/** The rules, folded once a run and not once an entry. The whole of an entry's words says more than a part of them. */
function rulesOf({ rules }: Reading): (entry: FeedEntry) => WordRule['as'] | null {
  if (rules.length === 0) return () => null;
  const folded = rules.map((rule) => ({ ...rule, words: foldWords(rule.words) }));
  const whole = new Map(folded.flatMap(({ words, match, as }) => (match === 'whole' ? [[words, as] as const] : [])));
  const parts = folded.filter(({ match }) => match === 'contains');
  return ({ summary }) => {
    const said = foldWords(summary);
    return whole.get(said) ?? parts.find(({ words }) => said.includes(words))?.as ?? null;
  };
}

function findMark(entry: FeedEntry, { marks, today }: DecideInput): StayMark | null {
  return marks.find((mark) => isOfStay(mark, entry, today)) ?? null;
}

/** The same dates, or the same end with a start that has moved to today, as running closures' starts do. */
function isOfStay(mark: StayMark, entry: FeedEntry, today: string): boolean {
  if (mark.checkout_date !== entry.checkout_date) return false;
  if (mark.checkin_date === entry.checkin_date) return true;
  return mark.checkin_date < entry.checkin_date && entry.checkin_date <= addDays(today, 1);
}
