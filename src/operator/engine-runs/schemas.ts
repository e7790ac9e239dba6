/** The embedded engine's runs as the operator's page shows them. */
import { z } from 'zod';
import { listLimitField, pastedIdField } from '@/shared/schemas';

const date_time = z.iso.datetime();

export const RUN_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export const RunStatus = z.enum(RUN_STATUSES);
export type RunStatus = z.infer<typeof RunStatus>;

export const RunListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: pastedIdField.optional(),
  ending_before: pastedIdField.optional(),
  status: RunStatus.optional(),
  /** The function's id without the app's name: `deliver-to-endpoint`. */
  function: pastedIdField.optional(),
});
export type RunListQuery = z.infer<typeof RunListQuery>;

export const RunEntry = z.object({
  id: z.string(),
  function: z.string(),
  status: RunStatus,
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
export type RunEntry = z.infer<typeof RunEntry>;

export const RunPage = z.object({ data: z.array(RunEntry), has_more: z.boolean() });

export const RunStep = z.object({
  id: z.string(),
  name: z.string(),
  op: z.string(),
  status: z.enum(['pending', 'done', 'failed', 'cancelled']),
  error: z.string().nullable(),
  created_at: date_time,
  ended_at: date_time.nullable(),
});
export type RunStep = z.infer<typeof RunStep>;

export const RunDetail = RunEntry.extend({
  /** The event as JSON. */
  event: z.string(),
  /** The output as JSON. Null without output. */
  output: z.string().nullable(),
  error_stack: z.string().nullable(),
  steps: z.array(RunStep),
});
export type RunDetail = z.infer<typeof RunDetail>;

/** The state of durable work, and the functions by which runs can be filtered. */
export const RunOverview = z.object({
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
export type RunOverview = z.infer<typeof RunOverview>;

export const RunId = z.strictObject({ id: pastedIdField });
export const RunActionResult = z.object({ changed: z.boolean() });
