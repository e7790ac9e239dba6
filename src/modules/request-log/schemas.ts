/** The request log as the dashboard shows it: every API request of the team in one mode, kept 30 days. */
import { z } from 'zod';
import { listLimit } from '@/shared/schemas';
import { METHODS, STATUS_CLASSES } from './filters.rules';

const text = (max: number) => z.string().trim().min(1).max(max).optional();

export const RequestLogQuery = z.strictObject({
  limit: listLimit,
  starting_after: text(64),
  ending_before: text(64),
  /** Any of these. */
  statuses: z.array(z.enum(STATUS_CLASSES)).min(1).max(STATUS_CLASSES.length).optional(),
  /** Received from then on, and before then. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  method: z.enum(METHODS).optional(),
  /** Part of the path, in any case. */
  path: text(200),
  api_key: text(64),
  error_code: text(80),
});
export type RequestLogQuery = z.infer<typeof RequestLogQuery>;

export const RequestLogEntry = z.object({
  id: z.string(),
  method: z.string(),
  path: z.string(),
  /** What is kept of it (redact.rules.ts). */
  query: z.string().nullable(),
  /** What it was about. */
  object_id: z.string().nullable(),
  status: z.int(),
  error_code: z.string().nullable(),
  duration_ms: z.int(),
  api_key_id: z.string().nullable(),
  ip: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type RequestLogEntry = z.infer<typeof RequestLogEntry>;

export const RequestLogDetail = RequestLogEntry.extend({
  user_agent: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  /** JSON without secrets and personal data; null when there was no body, or it could not be read. */
  request_body: z.string().nullable(),
  /** The body of a failed request's answer, byte for byte up to 4,000 characters. */
  error_body: z.string().nullable(),
});
export type RequestLogDetail = z.infer<typeof RequestLogDetail>;

export const RequestLogPage = z.object({ data: z.array(RequestLogEntry), has_more: z.boolean() });
export const RequestLogId = z.strictObject({ id: z.string().trim().min(1).max(100) });
