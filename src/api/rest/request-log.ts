/**
 * Records every API request for 30 days. Entries are collected in memory and written in batches, so
 * that no request waits for its log entry. A crash loses at most the last half second of the log.
 */
import { Prisma } from '@/generated/prisma/client';
import { isDatabaseUnavailableError } from '@/infra/database-unavailable';
import { runPreparedQuery } from '@/infra/db/driver/prepared';
import { logger } from '@/infra/logger';
import type { ApiKeyOwner, ApiPrincipal } from '@/modules/api-keys/service';
import { recordApiKeyUse } from '@/modules/api-keys/service';
import { findRequestedObjectId, redactHttpBody, redactUrlQuery } from '@/modules/request-log/redact.rules';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { StoredIdempotentResponse } from './idempotency';
import { parseJsonObject } from './read-body';

const FLUSH_AFTER_MS = 500;
const FLUSH_AT = 200;
/**
 * Maximum number of collected entries. The oldest entries beyond it are dropped, so that they do
 * not fill the memory while the database is unavailable.
 */
const KEPT_AT_MOST = 5_000;

export interface RequestLogEntry {
  id: string;
  /** The owner of the request's key. Null when the key is missing or unknown. */
  owner: ApiKeyOwner | null;
  /** Null when the key was refused. */
  principal: ApiPrincipal | null;
  method: string;
  path: string;
  /** The path and the query. */
  url: string;
  /** Null when the key was refused. */
  body: Buffer | null;
  answer: StoredIdempotentResponse;
  duration_ms: number;
  ip: string | null;
  user_agent: string | null;
  idempotency_key: string | null;
}

type Row = Prisma.RequestLogCreateManyInput;

let buffer: Row[] = [];
let timer: NodeJS.Timeout | null = null;

/**
 * Records a finished request. Its query and body are redacted, and omitted when the key was
 * refused.
 */
export function logRequest(entry: RequestLogEntry): void {
  const failed = entry.answer.status >= 400;
  buffer.push({
    id: entry.id,
    team_id: entry.owner?.scope.team_id ?? null,
    mode: entry.owner?.scope.mode ?? null,
    api_key_id: entry.owner?.key_id ?? null,
    assistant: entry.principal?.assistant?.slice(0, 200).toWellFormed() ?? null,
    method: entry.method,
    path: entry.path.slice(0, 500),
    query: entry.principal && redactUrlQuery(entry.url),
    request_body: entry.principal && bodyOf(entry.body),
    object_id: entry.principal && findRequestedObjectId(entry.path, entry.answer),
    status: entry.answer.status,
    error_code: failed ? errorCode(entry.answer.body) : null,
    error_body: failed ? entry.answer.body.slice(0, 4_000).toWellFormed() : null,
    duration_ms: entry.duration_ms,
    ip: entry.ip,
    user_agent: entry.user_agent?.slice(0, 300) ?? null,
    idempotency_key: entry.idempotency_key,
    created_at: clock().now(),
  });
  if (entry.principal) recordApiKeyUse(entry.principal, entry);
  if (buffer.length > KEPT_AT_MOST) buffer.splice(0, buffer.length - KEPT_AT_MOST);
  if (buffer.length >= FLUSH_AT) void flushRequestLog();
  else timer ??= setTimeout(() => void flushRequestLog(), FLUSH_AFTER_MS).unref();
}

/**
 * Returns the redacted body. Returns null when the body is not a JSON object, because only JSON
 * objects can be redacted.
 */
function bodyOf(body: Buffer | null): string | null {
  if (!body?.length) return null;
  try {
    return redactHttpBody(parseJsonObject(body, { 'content-type': 'application/json' })).toWellFormed();
  } catch {
    return null;
  }
}

function errorCode(body: string): string | null {
  return /"code":"([a-z_0-9]+)"/.exec(body)?.[1] ?? null;
}

/**
 * Inserts all rows in one statement with one JSON parameter, which is much cheaper than a parameter
 * for each value.
 */
async function insert(rows: Row[]): Promise<void> {
  await runPreparedQuery(Prisma.sql`
    INSERT INTO request_logs (id, team_id, mode, api_key_id, assistant, method, path, query, request_body, object_id, status, error_code,
      error_body, duration_ms, ip, user_agent, idempotency_key, created_at)
    SELECT id, team_id, mode::"Mode", api_key_id, assistant, method, path, query, request_body, object_id, status, error_code, error_body,
      duration_ms, ip, user_agent, idempotency_key, created_at
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id text, team_id text, mode text, api_key_id text, assistant text, method text,
      path text, query text, request_body text, object_id text, status int, error_code text, error_body text, duration_ms int, ip text, user_agent text, idempotency_key text,
      created_at timestamptz)
    ON CONFLICT DO NOTHING`);
}

/**
 * Writes the rows. If an entry cannot be written, the other entries are still written. Never
 * throws.
 */
async function write(rows: Row[]): Promise<void> {
  try {
    await insert(rows);
  } catch (error) {
    const away = isDatabaseUnavailableError(error instanceof AppError ? error.internal : error);
    if (rows.length > 1 && !away) {
      for (const row of rows) await write([row]);
    } else logger().error({ err: error, rows: rows.length }, 'the request log could not be written');
  }
}

/** Writes the collected entries. Called by the timer and at shutdown. */
export async function flushRequestLog(): Promise<void> {
  if (timer) clearTimeout(timer);
  timer = null;
  const rows = buffer;
  if (rows.length === 0) return;
  buffer = [];
  await write(rows);
}
