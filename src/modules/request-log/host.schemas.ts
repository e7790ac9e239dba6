/** Inputs and outputs of the dashboard's request log, in addition to the public resource. */
import { z } from 'zod';
import { pastedIdField } from '@/shared/schemas';
import { HTTP_METHODS, HTTP_STATUS_CLASSES } from './filter-choices.rules';
import { RequestLog, RequestLogList, RequestLogListQuery } from './schemas';

const text = (max: number) => z.string().trim().min(1).max(max).optional();

export const HostRequestLogListQuery = RequestLogListQuery.extend({
  /** Selects requests whose status is in one of these classes. */
  statuses: z.array(z.enum(HTTP_STATUS_CLASSES)).min(1).max(HTTP_STATUS_CLASSES.length).optional(),
  /** Selects requests that were received at or after `from` and before `to`. */
  from: z.iso.datetime().optional(),
  to: z.iso.datetime().optional(),
  method: z.enum(HTTP_METHODS).optional(),
  /** Selects requests whose path contains this text, ignoring case. */
  path: text(200),
  api_key: text(64),
  error_code: text(80),
});
export type HostRequestLogListQuery = z.infer<typeof HostRequestLogListQuery>;

export const PastedRequestLogId = z.strictObject({ id: pastedIdField });

export const HostRequestLog = RequestLog.extend({
  /** The URL's query without personal data (redact.rules.ts). */
  query: z.string().nullable(),
  /** The id of the object that the request is about. */
  object_id: z.string().nullable(),
  /** The name of the AI assistant that sent the request. Null for requests with an API key. */
  assistant: z.string().nullable(),
}).meta({ id: 'HostRequestLog' });

export const HostRequestLogList = RequestLogList.extend({ data: z.array(HostRequestLog) });

export const RequestLogDetail = HostRequestLog.extend({
  user_agent: z.string().nullable(),
  idempotency_key: z.string().nullable(),
  /**
   * The body as JSON, without secrets and personal data. Null when the request had no readable
   * body.
   */
  request_body: z.string().nullable(),
  /** The response body of a failed request, cut to 4,000 characters. */
  error_body: z.string().nullable(),
}).meta({ id: 'RequestLogDetail' });
