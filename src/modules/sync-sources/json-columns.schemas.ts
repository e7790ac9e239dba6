/** The JSON columns of sync sources and their runs. */
import { z } from 'zod';
import { jsonColumn } from '@/shared/json-column';
import type { BlockedNights, Reading, StayMark } from './plan/entries';
import type { Held } from './plan/held';
import type { RunChange, RunCounts, SkippedEntry } from './run/report';

const text = z.string().nullable();
const count = z.int().default(0);

/** What the host said about stays, and what was proposed. */
export const markedBlocks = jsonColumn<StayMark[]>(
  'SyncSource.marked_blocks',
  z.array(
    z.object({
      checkin_date: z.string(),
      checkout_date: z.string(),
      as: z.enum(['block', 'booking', 'proposed']).optional(),
    }),
  ),
);

/** What the calendar lets nobody in for. */
export const blockedNightsColumn = jsonColumn<BlockedNights[]>(
  'SyncSource.blocked_nights',
  z.array(z.object({ checkin_date: z.string(), checkout_date: z.string(), words: z.string() })),
);

/** What the host said about entries by their words. */
export const sourceReading = jsonColumn<Reading>(
  'SyncSource.reading',
  z.object({
    otherwise: z.enum(['skip', 'booking']).default('skip'),
    doubtful: z.enum(['block', 'booking']).optional(),
    rules: z
      .array(z.object({ words: z.string(), match: z.enum(['whole', 'contains']), as: z.enum(['booking', 'block']) }))
      .default([]),
  }),
);

export const runCounts = jsonColumn<RunCounts>(
  'SyncRun.counts',
  z.object({
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
);

export const runSkipped = jsonColumn<SkippedEntry[]>(
  'SyncRun.skipped',
  z.array(
    z.object({
      reason: z.string(),
      message: text.default(null),
      summary: text.default(null),
      checkin_date: text.default(null),
      checkout_date: text.default(null),
      reservation_id: text.default(null),
    }),
  ),
);

const stay = { checkin_date: z.string(), checkout_date: z.string() };

/** What became of which reservation. */
export const runChanges = jsonColumn<RunChange[]>(
  'SyncRun.changes',
  z.array(
    z.object({
      what: z.enum(['cancelled', 'moved', 'updated', 'restored', 'created']),
      reservation_id: z.string(),
      ...stay,
      was: z.object(stay).nullable().default(null),
    }),
  ),
);

/** What a run would have done and asks about, and what the host said to leave. */
export const heldChanges = jsonColumn<Held>(
  'SyncSource.held',
  z.object({
    question: z
      .object({
        reason: z.enum(['all_gone', 'another_listing']),
        since: z.string(),
        apply: z.boolean(),
        would: z.array(
          z.object({
            what: z.enum(['cancel', 'move', 'restore', 'create']),
            reservation_id: text,
            external_ids: z.array(z.string()),
            guest_name: text,
            ...stay,
          }),
        ),
      })
      .nullable()
      .default(null),
    kept: z.array(z.string()).default([]),
    asked: z
      .array(
        z.object({
          key: z.string(),
          kind: z.enum(['rearranged', 'moved']),
          since: z.string(),
          rows: z.array(z.string()),
          entries: z.array(z.object({ guest_name: z.string(), ...stay })),
          answer: z.enum(['follow', 'keep']).nullable(),
        }),
      )
      .optional(),
  }),
);
