/**
 * Decides which entries are bookings. The decision depends on the words that the channel uses, on
 * the host's decisions about single stays and about words, and on the source's settings.
 */
import { addDays } from '../feed/calendar-days';
import { normalizeFeedTextForComparison } from '../feed/classify';
import type { FeedEntry } from '../feed/reader';
import type {
  BlockedNights,
  FeedEntryInterpretationSettings,
  FeedEntryWordRule,
  StayClassification,
} from '../json-columns.schemas';
import { getGuestNameComparisonKey } from './guest-identity';

/**
 * An entry that closes more nights than this is proposed to the host as a block, because it usually
 * marks the end of a season.
 */
export const LONG_CLOSURE_THRESHOLD_NIGHTS = 60;

/**
 * The maximum number of blocks that a run proposes to the host and stores. Limits how much a feed
 * can add to the source's row.
 */
const MAX_NEW_MARKS = 200;

/** The default when the host has set no rules: entries with unknown words are skipped. */
export const DEFAULT_FEED_ENTRY_INTERPRETATION_SETTINGS: FeedEntryInterpretationSettings = {
  otherwise: 'skip',
  rules: [],
};

export type FeedEntrySkipReason =
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

export interface FeedEntryOutcomes {
  readonly bookings: readonly FeedEntry[];
  readonly skipped: readonly { readonly entry: FeedEntry; readonly reason: FeedEntrySkipReason }[];
  /** Entries with STATUS:CANCELLED, whatever their `class`. */
  readonly cancelled: readonly FeedEntry[];
  /**
   * The entries of `skipped` that may be bookings after all. A reservation with the id of such an
   * entry is not removed.
   */
  readonly doubtful: ReadonlySet<FeedEntry>;
  /**
   * The blocks that this run proposes to the host. They are stored with the stays that the host has
   * classified.
   */
  readonly new_marks: readonly StayClassification[];
}

export interface FeedEntryOutcomesInput {
  readonly feed: { readonly entries: readonly FeedEntry[] };
  readonly closures_are_blocks: boolean;
  readonly marks: readonly StayClassification[];
  readonly reading?: FeedEntryInterpretationSettings;
  readonly today: string;
}

/** Sorts a feed's entries into bookings, cancelled entries, and skipped entries with the reason. */
export function decideFeedEntryOutcomes(input: FeedEntryOutcomesInput): FeedEntryOutcomes {
  const bookings: FeedEntry[] = [];
  const cancelled: FeedEntry[] = [];
  const skipped: { entry: FeedEntry; reason: FeedEntrySkipReason }[] = [];
  const doubtful = new Set<FeedEntry>();
  const new_marks: StayClassification[] = [];
  const seen = new Set<string>();
  const ruled_as = rulesOf(input.reading ?? DEFAULT_FEED_ENTRY_INTERPRETATION_SETTINGS);
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

/**
 * Returns whether an earlier entry has the same guest name and nights. Such entries are one stay
 * under two UIDs.
 */
function isTwice({ guest_name, reservation_code, checkin_date, checkout_date }: FeedEntry, seen: Set<string>): boolean {
  const name = getGuestNameComparisonKey(guest_name);
  if (name === '' || reservation_code !== null) return false;
  const key = `${name} ${checkin_date}/${checkout_date}`;
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

/**
 * Returns the marks to keep in the source. A mark says whether the stay on its dates is a block or
 * a booking. Marks on stays that are over are omitted.
 */
export function filterCurrentStayClassifications(
  marks: readonly StayClassification[],
  today: string,
): StayClassification[] {
  return marks.filter((mark) => mark.checkout_date > today);
}

/**
 * Reasons for skipping a calendar entry that mean that its nights are blocked. The other reasons
 * only prevent a reservation from being created.
 */
const BLOCKS: ReadonlySet<string> = new Set<FeedEntrySkipReason>([
  'block',
  'marked_as_block',
  'ruled_as_block',
  'closures_are_blocks',
  'proposed_as_block',
]);

const MAX_BLOCKED = 200;
const MAX_WORDS = 80;

/** Returns the blocked nights that are not over, sorted by date, at most MAX_BLOCKED. */
export function listBlockedNights(
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

/**
 * Summarizes the stays of a feed that are not over, for the preview: "14 bookings, 3 blocks, next
 * arrival 12 May".
 */
export function summarizeUpcomingFeedEntries(decisions: FeedEntryOutcomes, today: string) {
  const ahead = decisions.bookings.filter((entry) => entry.checkout_date > today);
  const arrivals = ahead.map((entry) => entry.checkin_date).filter((day) => day >= today);
  return {
    bookings: ahead.length,
    blocks: decisions.skipped.filter(({ reason, entry }) => BLOCKS.has(reason) && entry.checkout_date > today).length,
    next_arrival: arrivals.sort()[0] ?? null,
  };
}

/**
 * Reasons to skip an entry that follow from the feed alone. The host's decisions about stays and
 * words, and the source's settings, play no part in them.
 */
const DOUBTFUL: ReadonlySet<FeedEntrySkipReason> = new Set([
  'block',
  'tentative',
  'unknown_words',
  'looks_like_block',
  'same_stay_twice',
  'proposed_as_block',
]);

function whySkipped(
  entry: FeedEntry,
  input: FeedEntryOutcomesInput,
  ruled_as: ReturnType<typeof rulesOf>,
): FeedEntrySkipReason | null {
  const mark = findMark(entry, input);
  const marked = mark ? (mark.as ?? 'block') : null;
  if (marked === 'block') return 'marked_as_block';
  // If the host marked this stay as a booking, rules about its words do not apply.
  const ruled = marked === 'booking' ? null : ruled_as(entry);
  if (ruled === 'block') return 'ruled_as_block';
  // A cancelled entry is not skipped because of its words. It must cancel the booking with the same
  // UID or code.
  if (entry.cancelled || ruled === 'booking') return null;
  if (entry.class === 'tentative' || entry.class === 'block') return entry.class;
  if (marked === 'booking') return null;
  if (entry.class === 'unknown') return input.reading?.otherwise === 'booking' ? null : 'unknown_words';
  if (entry.class === 'doubtful') return skipDoubtful(input.reading?.doubtful);
  if (entry.class !== 'closure') return null;
  if (input.closures_are_blocks) return 'closures_are_blocks';
  return marked === 'proposed' || entry.nights > LONG_CLOSURE_THRESHOLD_NIGHTS ? 'proposed_as_block' : null;
}

function skipDoubtful(answer: FeedEntryInterpretationSettings['doubtful']): FeedEntrySkipReason | null {
  if (answer === 'booking') return null;
  return answer === 'block' ? 'ruled_as_block' : 'looks_like_block';
}

/**
 * Normalizes the host's rules about words in calendar entries, once for all entries. A rule for the
 * whole text of an entry has priority over a rule for a part of the text.
 */
function rulesOf({ rules }: FeedEntryInterpretationSettings): (entry: FeedEntry) => FeedEntryWordRule['as'] | null {
  if (rules.length === 0) return () => null;
  const folded = rules.map((rule) => ({ ...rule, words: normalizeFeedTextForComparison(rule.words) }));
  const whole = new Map(folded.flatMap(({ words, match, as }) => (match === 'whole' ? [[words, as] as const] : [])));
  const parts = folded.filter(({ match }) => match === 'contains');
  return ({ summary }) => {
    const label = normalizeFeedTextForComparison(summary);
    return whole.get(label) ?? parts.find(({ words }) => label.includes(words))?.as ?? null;
  };
}

function findMark(entry: FeedEntry, { marks, today }: FeedEntryOutcomesInput): StayClassification | null {
  return marks.find((mark) => isOfStay(mark, entry, today)) ?? null;
}

/**
 * Returns whether a stored decision is about the entry's stay. The check-out days must be equal.
 * The entry may begin later than the stay in the decision, but no later than tomorrow, because
 * calendars advance the start of a stay that has begun.
 */
function isOfStay(mark: StayClassification, entry: FeedEntry, today: string): boolean {
  if (mark.checkout_date !== entry.checkout_date) return false;
  if (mark.checkin_date === entry.checkin_date) return true;
  return mark.checkin_date < entry.checkin_date && entry.checkin_date <= addDays(today, 1);
}
