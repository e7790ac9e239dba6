/** Rows -> entries of the request log, field by field. */
import type { RequestLog } from '@/generated/prisma/client';
import type { RequestLogHead } from './repository';
import type { RequestLogDetail, RequestLogEntry } from './schemas';

export function serializeRequest(row: RequestLogHead): RequestLogEntry {
  return {
    id: row.id,
    method: row.method,
    path: row.path,
    query: row.query,
    object_id: row.object_id,
    status: row.status,
    error_code: row.error_code,
    duration_ms: row.duration_ms,
    api_key_id: row.api_key_id,
    ip: row.ip,
    created_at: row.created_at.toISOString(),
  };
}

export function serializeRequestDetail(row: RequestLog): RequestLogDetail {
  return {
    ...serializeRequest(row),
    user_agent: row.user_agent,
    idempotency_key: row.idempotency_key,
    request_body: row.request_body,
    error_body: row.error_body,
  };
}

/** As partners see it. */
export const serializeLogged = (row: RequestLogHead) => ({
  id: row.id,
  object: 'request_log' as const,
  method: row.method,
  path: row.path,
  status: row.status,
  error_code: row.error_code,
  duration_ms: row.duration_ms,
  api_key_id: row.api_key_id,
  ip: row.ip,
  created_at: row.created_at.toISOString(),
});
