/** The embedded engine's runs as the operator's page shows them. */
import { z } from 'zod';
import { listLimitField, pastedIdField } from '@/shared/schemas';

const date_time = z.iso.datetime();

export const DURABLE_RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const DurableRunStatus = z.enum(DURABLE_RUN_STATUSES);
export type DurableRunStatus = z.infer<typeof DurableRunStatus>;

export const DurableRunListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: pastedIdField.optional(),
  ending_before: pastedIdField.optional(),
  status: DurableRunStatus.optional(),
  /** The function's id without the app's name: `deliver-to-endpoint`. */
  function: pastedIdField.optional(),
});
export type DurableRunListQuery = z.infer<typeof DurableRunListQuery>;

export const DurableRunListItem = z.object({
  id: z.string(),
  function: z.string(),
  status: DurableRunStatus,
  /** The event that started the run. For a schedule it is `inngest/scheduled.timer`. */
  event_name: z.string(),
  /**
   * What the run is about: the team, and the endpoint, mail, calendar or certificate. Null for a
   * schedule.
   */
  about: z.string().nullable(),
  /** Failed attempts of the current step. */
  attempt: z.int(),
  /** The time at which the run continues. Null when it has ended, or waits without a time limit. */
  next_wake_at: date_time.nullable(),
  /** Whether a process is working on the run now. */
  in_flight: z.boolean(),
  steps_done: z.int(),
  last_error: z.string().nullable(),
  created_at: date_time,
  started_at: date_time.nullable(),
  ended_at: date_time.nullable(),
});
export type DurableRunListItem = z.infer<typeof DurableRunListItem>;

export const DurableRunListPage = z.object({ data: z.array(DurableRunListItem), has_more: z.boolean() });

export const DurableRunStep = z.object({
  id: z.string(),
  name: z.string(),
  op: z.string(),
  status: z.enum(['pending', 'done', 'failed', 'cancelled']),
  error: z.string().nullable(),
  created_at: date_time,
  ended_at: date_time.nullable(),
});
export type DurableRunStep = z.infer<typeof DurableRunStep>;

export const DurableRunDetail = DurableRunListItem.extend({
  /** The event as JSON. */
  event: z.string(),
  /** The output as JSON. Null without output. */
  output: z.string().nullable(),
  error_stack: z.string().nullable(),
  steps: z.array(DurableRunStep),
});
export type DurableRunDetail = z.infer<typeof DurableRunDetail>;

/** The state of durable work, and the functions by which runs can be filtered. */
export const DurableRunOverview = z.object({
  /** `server`: a real Inngest server does the work and has its own pages. */
  engine: z.enum(['embedded', 'server']),
  /** Why durable work has stopped, completely or in part. Null while it runs. */
  problem: z.string().nullable(),
  /** The URL under which a browser reaches the server's pages, when known. */
  server_url: z.string().nullable(),
  functions: z.array(z.string()),
  /** Number of failed runs, up to 100. */
  failed: z.int(),
});
export type DurableRunOverview = z.infer<typeof DurableRunOverview>;

export const DurableRunId = z.strictObject({ id: pastedIdField });
export const DurableRunActionResult = z.object({ changed: z.boolean() });
