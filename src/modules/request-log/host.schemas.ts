/** What the dashboard may ask of the request log and sees of it beyond the public resource. */
import { z } from 'zod';
import { pastedId } from '@/shared/schemas';
import { METHODS, STATUS_CLASSES } from './filter-choices.rules';
import { RequestLog, RequestLogList, RequestLogListQuery } from './schemas';

const text = (max: number) => z.string().trim().min(1).max(max).optional();

export const HostRequestLogListQuery = RequestLogListQuery.extend({
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
export type HostRequestLogListQuery = z.infer<typeof HostRequestLogListQuery>;

export const HostRequestLogId = z.strictObject({ id: pastedId });

export const HostRequestLog = RequestLog.extend({
  /** What is kept of it (redact.rules.ts). */
  query: z.string().nullable(),
  /** What it was about. */
  object_id: z.string().nullable(),
}).meta({ id: 'HostRequestLog' });

export const HostRequestLogList = RequestLogList.extend({ data: z.array(HostRequestLog) });

export const RequestLogDetail = HostRequestLog.extend({
  user_agent: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  /** JSON without secrets and personal data; null when there was no body, or it could not be read. */
  request_body: z.string().nullable(),
  /** The body of a failed request's answer, byte for byte up to 4,000 characters. */
  error_body: z.string().nullable(),
}).meta({ id: 'RequestLogDetail' });
