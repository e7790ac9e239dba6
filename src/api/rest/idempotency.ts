/**
 * Implements idempotent writes (specification, "Idempotency on writes"; design "Idempotency"). The
 * first request inserts a lock row. On success its answer is stored in the same transaction as its
 * change. After a crash, either the change and the answer are both missing and the retry runs as a
 * new request, or both are stored and the retry gets the stored answer. A lock is released when its
 * process dies (infra/process/processes.ts) or its lease expires.
 */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { getAppSecret } from '@/config';
import { systemDb } from '@/infra/db/client';
import { Prisma, queryRowsInScope, scopedDb } from '@/infra/db/scoped-client';
import { decryptSecret, encryptSecret } from '@/infra/encryption';
import { createLeaseToken, leasedByDeadProcess } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { defineJsonColumn } from '@/shared/json-column';
import type { Scope } from '@/shared/scope';
import { assertStorableText } from '@/shared/text/storable-text';

const MAX_KEY_LENGTH = 255;
const RETENTION_MS = 24 * 60 * 60 * 1000;
/**
 * Duration of a lease. It is longer than any operation takes, including a forced sync, which may
 * wait 15 s for its feed.
 */
const LEASE_MS = 60_000;
const PURPOSE = 'idempotency-response';

const answerHeaders = defineJsonColumn('IdempotencyRecord.response_headers', z.record(z.string(), z.string()));

export interface StoredIdempotentResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type IdempotencyClaim =
  | { kind: 'first'; lock_token: string }
  | { kind: 'replay'; answer: StoredIdempotentResponse };

/**
 * Returns whether an answer with this status is stored for replay (2xx, 404, 409 and 410). A
 * request that failed with another status may succeed on a retry.
 */
export function isReplayableHttpStatus(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 409 || status === 410;
}

/** Returns the hex SHA-256 that identifies a request by its method, path with query, and body. */
export function computeRequestHash(method: string, path: string, body: Uint8Array): string {
  return createHash('sha256').update(`${method}\n${path}\n`).update(body).digest('hex');
}

/**
 * Returns the idempotency key, or null when the header is missing or empty. Throws
 * `idempotency_key_too_long`. Throws `invalid_field` for text that PostgreSQL cannot store, which
 * the argument of a tool may contain.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  const key = Array.isArray(header) ? header[0] : header;
  if (!key) return null;
  if (key.length > MAX_KEY_LENGTH) throw new AppError('idempotency_key_too_long');
  assertStorableText(key, 'idempotency_key');
  return key;
}

/**
 * Returns the key under which an answer is stored. All API keys of a team share their stored
 * answers. A member's assistant gets only answers that the same member got with the same rights.
 */
export function buildStoredResponseKey({ actor, properties }: Scope, key: string): string {
  if (actor.kind !== 'user') return key;
  const { id, role, sees_guests = false } = actor;
  return createHash('sha256')
    .update(JSON.stringify([id, role, sees_guests, properties ?? null, key]))
    .digest('hex');
}

/**
 * Claims the key for this request or returns its stored answer. Throws `idempotency_key_mismatch`
 * and `idempotency_key_in_use`.
 */
export async function claimIdempotencyKey(scope: Scope, key: string, request_hash: string): Promise<IdempotencyClaim> {
  const now = clock().now();
  const lock_token = createLeaseToken();
  const claimed = await queryRowsInScope<{ lock_token: string }>(
    scope,
    Prisma.sql`
    INSERT INTO idempotency_records AS r (team_id, mode, key, request_hash, locked_until, lock_token, created_at, expires_at)
    VALUES (${scope.team_id}, ${scope.mode}::"Mode", ${key}, ${request_hash}, ${new Date(now.getTime() + LEASE_MS)}, ${lock_token},
            ${now}, ${new Date(now.getTime() + RETENTION_MS)})
    ON CONFLICT (team_id, mode, key) DO UPDATE SET
      request_hash = EXCLUDED.request_hash, locked_until = EXCLUDED.locked_until, lock_token = EXCLUDED.lock_token,
      created_at = EXCLUDED.created_at, expires_at = EXCLUDED.expires_at, status = NULL, response_body = NULL, response_headers = NULL
    WHERE r.expires_at <= ${now}
       OR (r.status IS NULL AND r.locked_until <= ${now} AND r.request_hash = EXCLUDED.request_hash)
    RETURNING r.lock_token`,
  );
  if (claimed[0]) return { kind: 'first', lock_token };

  const record = await scopedDb(scope).idempotencyRecord.findFirst({ where: { key } });
  // The first request released the key in the meantime, because its answer is not stored.
  if (!record) return claimIdempotencyKey(scope, key, request_hash);
  if (record.request_hash !== request_hash) throw new AppError('idempotency_key_mismatch');
  if (record.status === null || record.response_body === null)
    throw new AppError('idempotency_key_in_use', { retryAfter: 1 });
  return {
    kind: 'replay',
    answer: {
      status: record.status,
      headers: answerHeaders.read(record.response_headers),
      body: record.encrypted ? decryptSecret(getAppSecret(), PURPOSE, record.response_body) : record.response_body,
    },
  };
}

/**
 * Stores the answer, inside the transaction of the change if there is one. Throws when the lease
 * was lost, so that the change is rolled back.
 */
export async function storeResponse(
  scope: Scope,
  key: string,
  lock_token: string,
  answer: StoredIdempotentResponse,
  secret: boolean,
): Promise<void> {
  const body = secret ? encryptSecret(getAppSecret(), PURPOSE, answer.body) : answer.body;
  const stored = await queryRowsInScope(
    scope,
    Prisma.sql`
    UPDATE idempotency_records
    SET status = ${answer.status}, response_headers = ${JSON.stringify(answerHeaders.write(answer.headers))}::jsonb, response_body = ${body}, encrypted = ${secret},
        locked_until = NULL
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND key = ${key} AND lock_token = ${lock_token}
    RETURNING 1`,
  );
  if (stored.length !== 1)
    throw new AppError('idempotency_key_in_use', { retryAfter: 1, internal: 'The lease of the key was lost.' });
}

/** Releases the key after an answer that is not stored. */
export async function releaseIdempotencyKey(scope: Scope, key: string, lock_token: string): Promise<void> {
  await scopedDb(scope).idempotencyRecord.deleteMany({ where: { key, lock_token, status: null } });
}

/**
 * Releases the locks of dead processes. Afterwards only a retry of the same request can claim the
 * key.
 */
export async function releaseAbandonedIdempotencyKeys(): Promise<void> {
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE idempotency_records SET locked_until = ${clock().now()} WHERE status IS NULL AND ${leasedByDeadProcess('lock_token')}`);
}
