/** Converts rows of the request log to API resources. */
import type { z } from 'zod';
import type { RequestLog as Row } from '@/generated/prisma/client';
import type { HostRequestLog, RequestLogDetail } from './host.schemas';
import type { RequestLogWithoutBodies } from './repository';

/**
 * Serializes a request with all fields for hosts. For partners, api/trpc/host-part.ts removes the
 * fields that are not in their schema.
 */
export function serializeLoggedRequest(row: RequestLogWithoutBodies): z.output<typeof HostRequestLog> {
  return {
    id: row.id,
    object: 'request_log',
    method: row.method,
    path: row.path,
    query: row.query,
    object_id: row.object_id,
    status: row.status,
    error_code: row.error_code,
    duration_ms: row.duration_ms,
    api_key_id: row.api_key_id,
    assistant: row.assistant,
    ip: row.ip,
    created_at: row.created_at.toISOString(),
  };
}

export const serializeLoggedRequestDetail = (row: Row): z.output<typeof RequestLogDetail> => ({
  ...serializeLoggedRequest(row),
  user_agent: row.user_agent,
  idempotency_key: row.idempotency_key,
  request_body: row.request_body,
  error_body: row.error_body,
});
