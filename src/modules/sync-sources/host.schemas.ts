/** Inputs and outputs of sync sources that only the dashboard uses. */
import { z } from 'zod';
import { TrailActor } from '@/modules/reservations/rules/timeline';
import { calendarDateField, defineListEnvelope, pastedIdField } from '@/shared/schemas';
import {
  ProposedSyncChange,
  SkippedFeedEntry,
  StayClassification,
  SyncRunChange,
  SyncRunCounts,
} from './json-columns.schemas';
import { DASHBOARD_SYNC_SOURCE_KINDS, SyncSource, SyncSourceListQuery } from './schemas';

const date_time = z.iso.datetime();
const feed_url = z.string().trim().min(1).max(2048, 'must have at most 2048 characters');
const CALENDAR_KINDS = ['channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'other_ical'] as const;

/**
 * The words that a rule searches in the text of entries. If the host has marked a stay as a block
 * or a booking, that decision has priority over rules.
 */
const words = z.string().trim().min(1, 'cannot be empty').max(255, 'must have at most 255 characters');
const match = z.enum(['whole', 'contains']);
const otherwise = z.enum(['skip', 'booking']);
/**
 * How to treat ambiguous entries, which may be either a block or a booking. Absent until the host
 * decides.
 */
const doubtful = z.enum(['block', 'booking']);
const Reading = z.object({
  otherwise,
  doubtful: doubtful.optional(),
  rules: z.array(z.object({ words, match, as: z.enum(['booking', 'block']) })).max(100),
});
/** If `as` is null, the rule is deleted. */
export const FeedEntryClassificationRuleInput = z.strictObject({
  id: pastedIdField,
  words,
  match,
  as: z.enum(['booking', 'block']).nullable(),
});
export type FeedEntryClassificationRuleInput = z.infer<typeof FeedEntryClassificationRuleInput>;

export const PastedSyncSourceId = z.strictObject({ id: pastedIdField });

export const SyncSourceCreate = z.strictObject({
  property_id: pastedIdField,
  kind: z.enum(DASHBOARD_SYNC_SOURCE_KINDS),
  feed_url: feed_url.nullable().optional(),
  closures_are_blocks: z.boolean().default(false),
  reading: Reading.optional(),
});
export type SyncSourceCreate = z.infer<typeof SyncSourceCreate>;

export const SyncSourceUpdate = z.strictObject({
  id: pastedIdField,
  enabled: z.boolean().optional(),
  closures_are_blocks: z.boolean().optional(),
  apply_proven_mails: z.boolean().optional(),
  otherwise: otherwise.optional(),
  doubtful: doubtful.optional(),
  feed_url: feed_url.optional(),
});
export type SyncSourceUpdate = z.infer<typeof SyncSourceUpdate>;

const NamedStay = z.object({ guest_name: z.string(), checkin_date: z.string(), checkout_date: z.string() });

const AskedStays = z.object({
  key: z.string(),
  /**
   * `rearranged`: reservations and entries do not match one to one. `moved`: an entry on other days
   * has the name of a guest whose stay disappeared.
   */
  kind: z.enum(['rearranged', 'moved']),
  since: date_time,
  reservations: z.array(NamedStay.extend({ reservation_id: z.string() })),
  entries: z.array(NamedStay),
});
export type StayQuestionForHost = z.infer<typeof AskedStays>;

export const SyncSourceDetail = SyncSource.extend({
  kind: z.enum(DASHBOARD_SYNC_SOURCE_KINDS),
  property_name: z.string(),
  /** The address to which mail is forwarded. Null for calendars. */
  forwarding_address: z.string().nullable(),
  closures_are_blocks: z.boolean(),
  /**
   * Whether cancellations and changes in mails with the channel's DKIM signature are applied
   * without asking the host.
   */
  apply_proven_mails: z.boolean(),
  reading: Reading,
  running: z.boolean(),
  next_run_at: date_time.nullable(),
  failing_since: date_time.nullable(),
  /** The number of mails that wait for the host's decision. */
  waiting_mails: z.int(),
  /** Changes that wait for the host's answer. */
  held: z
    .object({
      reason: z.enum(['all_gone', 'another_listing']),
      since: date_time,
      /**
       * Whether the host agreed to the changes in `would`. The next run that can read the calendar
       * then applies them.
       */
      apply: z.boolean(),
      would: z.array(ProposedSyncChange.omit({ external_ids: true }).extend({ guest_name: z.string() })),
    })
    .nullable(),
  /**
   * Questions to the host about particular stays. The run applied all other changes of the
   * calendar.
   */
  asked: z.array(AskedStays),
  /** Whether the host rejected some changes. */
  keeps: z.boolean(),
});
export type SyncSourceDetail = z.infer<typeof SyncSourceDetail>;
/** A large limit, because the dashboard shows all sources on one page. */
export const HostSyncSourceListQuery = SyncSourceListQuery.extend({ limit: z.int().min(1).max(500).default(25) });
export const HostSourceList = defineListEnvelope(SyncSourceDetail, 'HostSourceList');

export const FeedPreviewInput = z.strictObject({
  property_id: pastedIdField,
  kind: z.enum(CALENDAR_KINDS),
  feed_url,
  closures_are_blocks: z.boolean().default(false),
  reading: Reading.optional(),
});
export type FeedPreviewInput = z.infer<typeof FeedPreviewInput>;

const WouldChange = NamedStay.extend({
  /**
   * `miss`: the booking is missing and is cancelled if the next run does not find it either.
   * `adopt`: the source takes over a reservation that it did not create, and syncs it from then on.
   */
  what: z.enum(['cancel', 'miss', 'move', 'update', 'restore', 'adopt', 'create']),
  reservation_id: z.string().nullable(),
  was: z.object({ checkin_date: z.string(), checkout_date: z.string() }).nullable(),
  /**
   * Reservations of other sources that share nights with this stay. `repeats`: this stay is the
   * same booking as one of them.
   */
  same_nights: z.array(
    NamedStay.extend({ as: z.enum(['conflict', 'repeats', 'repeated_by']), reservation_id: z.string() }),
  ),
});
/** The first 500 changes, and the total number. */
const changes = { changes: z.array(WouldChange), changes_total: z.int() };
/** The first 50 entries that may be blocks or guests, and the total number. */
const doubtful_entries = {
  doubtful: z.array(z.object({ summary: z.string(), checkin_date: z.string(), checkout_date: z.string() })),
  doubtful_total: z.int(),
};
const Unreadable = z.object({ ok: z.literal(false), message: z.string() });

export const SyncDryRunResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** Whether the run would ask the host instead of changing anything. */
    asks: z.boolean(),
    /** The message about the calendar that the run would report. */
    note: z.string().nullable(),
    /** Questions that the run would ask the host about particular stays. */
    asked: z.array(AskedStays),
    ...doubtful_entries,
    ...changes,
  }),
  Unreadable,
]);
export type SyncDryRunResult = z.infer<typeof SyncDryRunResult>;

export const FeedPreviewResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    bookings: z.int(),
    blocks: z.int(),
    next_arrival: z.string().nullable(),
    /**
     * The number of events with unknown words. A large number suggests that the calendar belongs to
     * another channel.
     */
    unknown: z.int(),
    ...doubtful_entries,
    problems: z.int(),
    whole: z.boolean(),
    ...changes,
  }),
  Unreadable,
]);
export type FeedPreviewResult = z.infer<typeof FeedPreviewResult>;

export const HostSyncRun = z.object({
  id: z.string(),
  trigger: z.enum(['forced', 'schedule']),
  /**
   * The user or API key that forced the run. Null for scheduled runs and for runs recorded by an
   * earlier release.
   */
  started_by: TrailActor.nullable(),
  status: z.enum(['succeeded', 'unchanged', 'failed']),
  counts: SyncRunCounts,
  skipped: z.array(SkippedFeedEntry.extend({ message: z.string().nullable() })),
  /** Changes, with the most severe first. `guest_name` is the reservation's current name. */
  changes: z.array(SyncRunChange.extend({ guest_name: z.string() })),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  excerpt: z.string().nullable(),
  duration_ms: z.int().nullable(),
  started_at: date_time,
});
export type HostSyncRun = z.infer<typeof HostSyncRun>;
export const HostSyncRunList = z.object({ data: z.array(HostSyncRun) });

export const CalendarQuestionAnswerInput = z.strictObject({
  id: pastedIdField,
  answer: z.enum(['apply', 'keep', 'ask_again']),
  /**
   * The time at which the question was first asked. It identifies the question. Null with
   * `ask_again`.
   */
  since: date_time.nullable(),
  /**
   * Identifies a question to the host about particular stays. Absent for a question about the whole
   * calendar.
   */
  key: z.string().max(2_000).optional(),
});
export type CalendarQuestionAnswerInput = z.infer<typeof CalendarQuestionAnswerInput>;

export const StayClassificationInput = z.strictObject({
  id: pastedIdField,
  checkin_date: calendarDateField('The stay’s first day.'),
  checkout_date: calendarDateField('The day it ends.'),
  /** Null deletes the host's earlier decision about this stay. */
  as: z.enum(['block', 'booking']).nullable(),
});
export type StayClassificationInput = z.infer<typeof StayClassificationInput>;
export const StayClassificationList = z.object({ marks: z.array(StayClassification.required()) });

export const UpcomingStayList = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      guest_name: z.string(),
      checkin_date: z.string(),
      checkout_date: z.string(),
      status: z.string(),
      contact_missing: z.boolean(),
    }),
  ),
});
