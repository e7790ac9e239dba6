/** The JSON columns of sync sources and their runs, and the types of their content. */

import { z } from 'zod';
import { jsonColumn } from '@/shared/json-column';
import { createRefusal, type RefusalData } from '@/shared/refusals/refusal';

const text = z.string().nullable();
const count = z.int().default(0);
const stay = { checkin_date: z.string(), checkout_date: z.string() };

/** A host's mark on a stay. The stay is identified by its dates, because its UID may change. */
export const StayMark = z.object({
  ...stay,
  /**
   * The host's decision, `block` when absent. `proposed`: the closure was too long for a guest when
   * it was first seen. It remains proposed while its start advances from day to day.
   */
  as: z.enum(['block', 'booking', 'proposed']).optional(),
});
export type StayMark = z.infer<typeof StayMark>;
export const markedBlocksColumn = jsonColumn('SyncSource.marked_blocks', z.array(StayMark));

/** Nights that the calendar blocks, and its words for them. */
const BlockedNights = z.object({ ...stay, words: z.string() });
export type BlockedNights = z.infer<typeof BlockedNights>;
export const blockedNightsColumn = jsonColumn('SyncSource.blocked_nights', z.array(BlockedNights));

/** `whole`: the rule's words must be all of the entry's words. Otherwise they may be a part. */
const WordRule = z.object({
  words: z.string(),
  match: z.enum(['whole', 'contains']),
  as: z.enum(['booking', 'block']),
});
export type WordRule = z.infer<typeof WordRule>;

/** The host's settings for interpreting the words of entries. */
const Reading = z.object({
  /** Whether entries with unknown words are skipped or are bookings. */
  otherwise: z.enum(['skip', 'booking']).default('skip'),
  /**
   * Whether entries that may be a block or a guest are blocks or bookings. Absent until the host
   * decides.
   */
  doubtful: z.enum(['block', 'booking']).optional(),
  rules: z.array(WordRule).default([]),
});
export type EntryReadingSettings = z.infer<typeof Reading>;
export const sourceReadingColumn = jsonColumn('SyncSource.reading', Reading);

export const RunCounts = z.object({
  /** The number of readable entries of any kind. */
  seen: count,
  created: count,
  /** The number of reservations whose dates or external id changed. */
  updated: count,
  /** The number of bookings recognized under another UID, with other dates. */
  moved: count,
  /** The number of reservations that are in the calendar again. */
  restored: count,
  unchanged: count,
  /**
   * The number of entries that were not applied: blocks, tentative entries, protected reservations.
   */
  skipped: count,
  /** The number of bookings missing for the first time. */
  vanished: count,
  cancelled: count,
  /** The number of events that could not be read. */
  problems: count,
});
export type RunCounts = z.infer<typeof RunCounts>;
export const ZERO_COUNTS: RunCounts = RunCounts.parse({});
export const runCountsColumn = jsonColumn('SyncRun.counts', RunCounts);

/** A stored message. A process of the previous version may have written a sentence. */
const message = z.preprocess(
  (stored) => (typeof stored === 'string' ? createRefusal('as_written', { text: stored }) : stored),
  z.object({ key: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) }).nullable(),
) as z.ZodType<RefusalData | null>;

/** An entry that created nothing, or an event that could not be read, with the reason. */
export const SkippedEntry = z.object({
  reason: z.string(),
  message: message.default(null),
  summary: text.default(null),
  checkin_date: text.default(null),
  checkout_date: text.default(null),
  reservation_id: text.default(null),
});
export type SkippedEntry = z.infer<typeof SkippedEntry>;
export const runSkippedColumn = jsonColumn('SyncRun.skipped', z.array(SkippedEntry));

/**
 * A run's change of a reservation. Does not contain the guest's name, so that no copy remains after
 * a redaction.
 */
export const RunChange = z.object({
  what: z.enum(['cancelled', 'moved', 'updated', 'restored', 'created']),
  reservation_id: z.string(),
  ...stay,
  /** The previous dates, if they changed. */
  was: z.object(stay).nullable().default(null),
});
export type RunChange = z.infer<typeof RunChange>;
export const runChangesColumn = jsonColumn('SyncRun.changes', z.array(RunChange));

/** A change that a run did not make because it asks the host first. */
export const ProposedChange = z.object({
  what: z.enum(['cancel', 'move', 'restore', 'create']),
  /** Null for a new reservation. */
  reservation_id: text,
  /** UID and code of the calendar's entry, if any. */
  external_ids: z.array(z.string()),
  /** Null for existing reservations, which have their own name. */
  guest_name: text,
  ...stay,
});
export type ProposedChange = z.infer<typeof ProposedChange>;

const HeldQuestion = z.object({
  reason: z.enum(['all_gone', 'another_listing']),
  /** When a run first asked. */
  since: z.string(),
  /** Whether the host agreed, so that the next run makes the changes. */
  apply: z.boolean(),
  would: z.array(ProposedChange),
});
export type HeldQuestion = z.infer<typeof HeldQuestion>;

/** A question about single stays. */
const Ask = z.object({
  /** Identifies the question. It does not change from run to run until the calendar changes. */
  key: z.string(),
  /**
   * `rearranged`: stays and entries do not match one to one. `moved`: the same guest on other days.
   */
  kind: z.enum(['rearranged', 'moved']),
  /** When a run first asked. */
  since: z.string(),
  /** Ids of reservations. */
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
   * Ids of reservations that must not change, and of entries that must create nothing, as the host
   * decided.
   */
  kept: z.array(z.string()).default([]),
  asked: z.array(Ask).optional(),
});
export type HeldState = z.infer<typeof Held>;
export const heldChangesColumn = jsonColumn('SyncSource.held', Held);
