/** The JSON columns of sync sources and their runs, and the types of their content. */

import { z } from 'zod';
import { defineJsonColumn } from '@/shared/json-column';
import { createRefusal, type RefusalData } from '@/shared/refusals/refusal';

const text = z.string().nullable();
const count = z.int().default(0);
const stay = { checkin_date: z.string(), checkout_date: z.string() };

/**
 * Whether the stay on these dates is a block (nights without guests) or a booking, as the host
 * decided or a run proposed. The dates identify the stay, because its UID may change.
 */
export const StayClassification = z.object({
  ...stay,
  /**
   * The host's decision, `block` when absent. `proposed`: a run proposed the closure as a block,
   * because it was too long for a guest when first seen. It remains proposed while its start
   * advances from day to day.
   */
  as: z.enum(['block', 'booking', 'proposed']).optional(),
});
export type StayClassification = z.infer<typeof StayClassification>;
export const stayClassificationsJsonColumn = defineJsonColumn('SyncSource.marked_blocks', z.array(StayClassification));

/** Nights that a calendar entry blocks, and the text of that entry. */
const BlockedNights = z.object({ ...stay, words: z.string() });
export type BlockedNights = z.infer<typeof BlockedNights>;
export const blockedNightsJsonColumn = defineJsonColumn('SyncSource.blocked_nights', z.array(BlockedNights));

/**
 * `whole`: the rule applies if the entry's text equals its words. Otherwise it applies if the text
 * contains them.
 */
const WordRule = z.object({
  words: z.string(),
  match: z.enum(['whole', 'contains']),
  as: z.enum(['booking', 'block']),
});
export type FeedEntryWordRule = z.infer<typeof WordRule>;

/** The host's settings for how the words of calendar entries are interpreted. */
const Reading = z.object({
  /** Whether entries with unknown words are skipped or count as bookings. */
  otherwise: z.enum(['skip', 'booking']).default('skip'),
  /**
   * How to treat ambiguous entries, which may be either a block or a booking. Absent until the host
   * decides.
   */
  doubtful: z.enum(['block', 'booking']).optional(),
  rules: z.array(WordRule).default([]),
});
export type FeedEntryInterpretationSettings = z.infer<typeof Reading>;
export const feedEntryInterpretationJsonColumn = defineJsonColumn('SyncSource.reading', Reading);

export const SyncRunCounts = z.object({
  /** The number of calendar entries that could be read, of any kind. */
  seen: count,
  created: count,
  /** The number of reservations whose dates or external id changed. */
  updated: count,
  /** The number of bookings that were recognized under another UID and with other dates. */
  moved: count,
  /** The number of reservations whose booking is in the calendar again. */
  restored: count,
  unchanged: count,
  /**
   * The number of entries that were not applied: blocks, tentative entries, protected reservations.
   */
  skipped: count,
  /** The number of bookings that are missing from the calendar for the first time. */
  vanished: count,
  cancelled: count,
  /** The number of events that could not be read. */
  problems: count,
});
export type SyncRunCounts = z.infer<typeof SyncRunCounts>;
export const ZERO_SYNC_RUN_COUNTS: SyncRunCounts = SyncRunCounts.parse({});
export const syncRunCountsJsonColumn = defineJsonColumn('SyncRun.counts', SyncRunCounts);

/** A stored message. Rows of an earlier version may contain a plain sentence instead. */
const message = z.preprocess(
  (stored) => (typeof stored === 'string' ? createRefusal('as_written', { text: stored }) : stored),
  z.object({ key: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
) as z.ZodType<RefusalData | null>;

/** An entry that created nothing, or an event that could not be read, with the reason. */
export const SkippedFeedEntry = z.object({
  reason: z.string(),
  message: message.default(null),
  summary: text.default(null),
  checkin_date: text.default(null),
  checkout_date: text.default(null),
  reservation_id: text.default(null),
});
export type SkippedFeedEntry = z.infer<typeof SkippedFeedEntry>;
export const skippedFeedEntriesJsonColumn = defineJsonColumn('SyncRun.skipped', z.array(SkippedFeedEntry));

/**
 * A run's change of a reservation. Does not contain the guest's name, so that no copy of the name
 * remains after a redaction.
 */
export const SyncRunChange = z.object({
  what: z.enum(['cancelled', 'moved', 'updated', 'restored', 'created']),
  reservation_id: z.string(),
  ...stay,
  /** The previous dates, if they changed. Otherwise null. */
  was: z.object(stay).nullable().default(null),
});
export type SyncRunChange = z.infer<typeof SyncRunChange>;
export const syncRunChangesJsonColumn = defineJsonColumn('SyncRun.changes', z.array(SyncRunChange));

/** A change that a run did not make because it asked the host first. */
export const ProposedSyncChange = z.object({
  what: z.enum(['cancel', 'move', 'restore', 'create']),
  /** Null if the change would create a reservation. */
  reservation_id: text,
  /** The UID and code of the calendar's entry, if any. */
  external_ids: z.array(z.string()),
  /** The name for a new reservation. Null for existing reservations, which have a name. */
  guest_name: text,
  ...stay,
});
export type ProposedSyncChange = z.infer<typeof ProposedSyncChange>;

const HeldQuestion = z.object({
  reason: z.enum(['all_gone', 'another_listing']),
  /** When a run first asked the host this question. */
  since: z.string(),
  /** Whether the host agreed to the changes in `would`. The next run then makes them. */
  apply: z.boolean(),
  would: z.array(ProposedSyncChange),
});
export type QuestionToHostAboutCalendar = z.infer<typeof HeldQuestion>;

/** A question to the host about particular stays. `HeldQuestion` concerns the whole calendar. */
const Ask = z.object({
  /** Identifies the question. The key is the same in every run until the calendar changes. */
  key: z.string(),
  /**
   * `rearranged`: stays and entries do not match one to one. `moved`: an entry on other days has
   * the name of a guest whose stay disappeared.
   */
  kind: z.enum(['rearranged', 'moved']),
  /** When a run first asked the question. */
  since: z.string(),
  /** The ids of the reservations that the question is about. */
  rows: z.array(z.string()),
  entries: z.array(z.object({ guest_name: z.string(), ...stay })),
  /**
   * `follow`: apply the calendar. `keep`: do not change the reservations, or treat the entry as
   * another booking.
   */
  answer: z.enum(['follow', 'keep']).nullable(),
});
export type StoredStayQuestion = z.infer<typeof Ask>;

const Held = z.object({
  question: HeldQuestion.nullable().default(null),
  /**
   * Ids for which the host rejected changes: reservations that must not change, and entries that
   * must create nothing.
   */
  kept: z.array(z.string()).default([]),
  asked: z.array(Ask).optional(),
});
export type CalendarQuestionsAndHostAnswers = z.infer<typeof Held>;
export const calendarQuestionsAndHostAnswersJsonColumn = defineJsonColumn('SyncSource.held', Held);
