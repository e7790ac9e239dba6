/** What the dashboard sends and sees of sync sources beyond the public resource. */
import { z } from 'zod';
import { calendarDate, listOf, pastedId } from '@/shared/schemas';
import { HOST_SOURCE_KINDS, SyncSource, SyncSourceListQuery } from './schemas';

const date_time = z.iso.datetime();
const feed_url = z.string().trim().min(1).max(2048, 'must have at most 2048 characters');
const CALENDAR_KINDS = ['channel_a_ical', 'channel_b_ical', 'channel_c_ical', 'other_ical'] as const;

/** What decides when the host has said nothing of a stay: entries by their words, and the rest. */
const words = z.string().trim().min(1, 'cannot be empty').max(255, 'must have at most 255 characters');
const match = z.enum(['whole', 'contains']);
const otherwise = z.enum(['skip', 'booking']);
/** What entries are that may be a block or a guest; absent while the host has not said so. */
const doubtful = z.enum(['block', 'booking']);
const Reading = z.object({
  otherwise,
  doubtful: doubtful.optional(),
  rules: z.array(z.object({ words, match, as: z.enum(['booking', 'block']) })).max(100),
});
/** `as` null forgets the rule. */
export const WordRuleInput = z.strictObject({
  id: pastedId,
  words,
  match,
  as: z.enum(['booking', 'block']).nullable(),
});
export type WordRuleInput = z.infer<typeof WordRuleInput>;

export const SourceId = z.strictObject({ id: pastedId });

export const SourceCreate = z.strictObject({
  property_id: pastedId,
  kind: z.enum(HOST_SOURCE_KINDS),
  feed_url: feed_url.nullable().optional(),
  closures_are_blocks: z.boolean().default(false),
  reading: Reading.optional(),
});
export type SourceCreate = z.infer<typeof SourceCreate>;

export const SourceUpdate = z.strictObject({
  id: pastedId,
  enabled: z.boolean().optional(),
  closures_are_blocks: z.boolean().optional(),
  apply_proven_mails: z.boolean().optional(),
  otherwise: otherwise.optional(),
  doubtful: doubtful.optional(),
  feed_url: feed_url.optional(),
});
export type SourceUpdate = z.infer<typeof SourceUpdate>;

const NamedStay = z.object({ guest_name: z.string(), checkin_date: z.string(), checkout_date: z.string() });

const AskedStays = z.object({
  key: z.string(),
  /** `rearranged`: reservations and entries do not match one to one. `moved`: the same guest’s name on other days. */
  kind: z.enum(['rearranged', 'moved']),
  since: date_time,
  reservations: z.array(NamedStay.extend({ reservation_id: z.string() })),
  entries: z.array(NamedStay),
});
export type AskedStays = z.infer<typeof AskedStays>;

export const SourceDetail = SyncSource.extend({
  kind: z.enum(HOST_SOURCE_KINDS),
  property_name: z.string(),
  /** Where to forward mail to; null for calendars. */
  forwarding_address: z.string().nullable(),
  closures_are_blocks: z.boolean(),
  /** Cancellations and changes that the channel signed are applied without being asked. */
  apply_proven_mails: z.boolean(),
  reading: Reading,
  running: z.boolean(),
  next_run_at: date_time.nullable(),
  failing_since: date_time.nullable(),
  /** Mails that wait for the host. */
  waiting_mails: z.int(),
  /** What the calendar would change if the host did not keep it from it. */
  held: z
    .object({
      reason: z.enum(['all_gone', 'another_listing']),
      since: date_time,
      /** The host said so; the next run that can read the calendar does it. */
      apply: z.boolean(),
      would: z.array(
        NamedStay.extend({
          what: z.enum(['cancel', 'move', 'restore', 'create']),
          reservation_id: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  /** Single stays that the calendar has in a way that can be read in two; the rest was taken over. */
  asked: z.array(AskedStays),
  /** The host said to leave some things as they are. */
  keeps: z.boolean(),
});
export type SourceDetail = z.infer<typeof SourceDetail>;
/** The dashboard shows all of them on one page. */
export const HostSourceListQuery = SyncSourceListQuery.extend({ limit: z.int().min(1).max(500).default(25) });
export const HostSourceList = listOf(SourceDetail, 'HostSourceList');

export const FeedPreviewInput = z.strictObject({
  property_id: pastedId,
  kind: z.enum(CALENDAR_KINDS),
  feed_url,
  closures_are_blocks: z.boolean().default(false),
  reading: Reading.optional(),
});
export type FeedPreviewInput = z.infer<typeof FeedPreviewInput>;

/** What a calendar would do, before anything is done. */
const WouldChange = NamedStay.extend({
  /** `miss`: not in the calendar; cancelled if it is not in it the next time either. `adopt`: kept in step from then on. */
  what: z.enum(['cancel', 'miss', 'move', 'update', 'restore', 'adopt', 'create']),
  reservation_id: z.string().nullable(),
  was: z.object({ checkin_date: z.string(), checkout_date: z.string() }).nullable(),
  /** Reservations of other sources that want the same nights; `repeats`: this would only be theirs once more. */
  same_nights: z.array(
    NamedStay.extend({ as: z.enum(['conflict', 'repeats', 'repeated_by']), reservation_id: z.string() }),
  ),
});
/** The first 500, and how many there are. */
const changes = { changes: z.array(WouldChange), changes_total: z.int() };
/** Entries that look like blocks and may be guests: the first, and how many there are. */
const doubtful_entries = {
  doubtful: z.array(z.object({ summary: z.string(), checkin_date: z.string(), checkout_date: z.string() })),
  doubtful_total: z.int(),
};
const Unreadable = z.object({ ok: z.literal(false), message: z.string() });

export const DryRunResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    /** The run would change nothing and ask the host about it. */
    asks: z.boolean(),
    /** What the run would have to say about the calendar. */
    note: z.string().nullable(),
    /** What it would ask about single stays. */
    asked: z.array(AskedStays),
    ...doubtful_entries,
    ...changes,
  }),
  Unreadable,
]);
export type DryRunResult = z.infer<typeof DryRunResult>;

export const FeedPreviewResult = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    bookings: z.int(),
    blocks: z.int(),
    next_arrival: z.string().nullable(),
    /** Events whose words say nothing we know; many of them mean that the channel is another one. */
    unknown: z.int(),
    ...doubtful_entries,
    /** Events that could not be read. */
    problems: z.int(),
    whole: z.boolean(),
    ...changes,
  }),
  Unreadable,
]);
export type FeedPreviewResult = z.infer<typeof FeedPreviewResult>;

const count = z.int();
export const SourceRun = z.object({
  id: z.string(),
  trigger: z.enum(['forced', 'schedule']),
  status: z.enum(['succeeded', 'unchanged', 'failed']),
  counts: z.object({
    seen: count,
    created: count,
    updated: count,
    moved: count,
    restored: count,
    unchanged: count,
    skipped: count,
    vanished: count,
    cancelled: count,
    problems: count,
  }),
  skipped: z.array(
    z.object({
      reason: z.string(),
      message: z.string().nullable(),
      summary: z.string().nullable(),
      checkin_date: z.string().nullable(),
      checkout_date: z.string().nullable(),
      reservation_id: z.string().nullable(),
    }),
  ),
  /** What is lost first; the name is the reservation's today. */
  changes: z.array(
    NamedStay.extend({
      what: z.enum(['cancelled', 'moved', 'updated', 'restored', 'created']),
      reservation_id: z.string(),
      was: z.object({ checkin_date: z.string(), checkout_date: z.string() }).nullable(),
    }),
  ),
  http_status: z.int().nullable(),
  error: z.string().nullable(),
  excerpt: z.string().nullable(),
  duration_ms: z.int().nullable(),
  started_at: date_time,
});
export type SourceRun = z.infer<typeof SourceRun>;
export const SourceRunList = z.object({ data: z.array(SourceRun) });

export const HeldAnswer = z.strictObject({
  id: pastedId,
  answer: z.enum(['apply', 'keep', 'ask_again']),
  /** Which question it is the answer to; `ask_again` answers none. */
  since: date_time.nullable(),
  /** Of a question about single stays: which. */
  key: z.string().max(2_000).optional(),
});
export type HeldAnswer = z.infer<typeof HeldAnswer>;

export const StayMarkInput = z.strictObject({
  id: pastedId,
  checkin_date: calendarDate('The stay’s first day.'),
  checkout_date: calendarDate('The day it ends.'),
  /** Null takes the mark away. */
  as: z.enum(['block', 'booking']).nullable(),
});
export type StayMarkInput = z.infer<typeof StayMarkInput>;
export const StayMarks = z.object({
  marks: z.array(
    z.object({
      checkin_date: z.string(),
      checkout_date: z.string(),
      as: z.enum(['block', 'booking', 'proposed']),
    }),
  ),
});

export const UpcomingStays = z.object({
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
