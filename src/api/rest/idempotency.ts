/**
 * Idempotent writes (specification, "Idempotency on writes"; DESIGN "Idempotency").
 *
 * The first request takes a lock row and, when it succeeds, its answer is stored in the very transaction of its
 * change: a crash either loses both, and the retry runs as if new, or keeps both, and the retry is answered from the
 * store. A lock dies with its process (infra/process/processes.ts), and with its lease.
 */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { appSecret } from '@/config';
import { systemDb } from '@/infra/db/client';
import { Prisma, scopedDb, scopedRows } from '@/infra/db/scoped-client';
import { decryptSecret, encryptSecret } from '@/infra/encryption';
import { heldByTheDead, holderToken } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { jsonColumn } from '@/shared/json-column';
import type { Scope } from '@/shared/scope';
import { assertStorableText } from '@/shared/text/storable-text';

const MAX_KEY_LENGTH = 255;
const RETENTION_MS = 24 * 60 * 60 * 1000;
/** Longer than any operation runs (a forced sync may wait 15 s for its feed). */
const LEASE_MS = 60_000;
const PURPOSE = 'idempotency-response';

const answerHeaders = jsonColumn('IdempotencyRecord.response_headers', z.record(z.string(), z.string()));

export interface StoredAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export type Claim = { kind: 'first'; lock_token: string } | { kind: 'replay'; answer: StoredAnswer };

/** Whether an answer is kept for replay: 2xx, 404, 409 and 410. The others may turn out differently on a retry. */
export function isKept(status: number): boolean {
  return (status >= 200 && status < 300) || status === 404 || status === 409 || status === 410;
}

/** What is compared: method, path with its query, and body. Hex SHA-256. */
export function requestHash(method: string, path: string, body: Uint8Array): string {
  return createHash('sha256').update(`${method}\n${path}\n`).update(body).digest('hex');
}

/** Throws `idempotency_key_too_long`. An empty header counts as none. A tool's key is no header and can hold what PostgreSQL cannot: `invalid_field`. */
export function readKey(header: string | string[] | undefined): string | null {
  const key = Array.isArray(header) ? header[0] : header;
  if (!key) return null;
  if (key.length > MAX_KEY_LENGTH) throw new AppError('idempotency_key_too_long');
  assertStorableText(key, 'idempotency_key');
  return key;
}

/** Takes the key for this request or finds its stored answer. Throws `idempotency_key_mismatch` and `idempotency_key_in_use`. */
export async function claimKey(scope: Scope, key: string, request_hash: string): Promise<Claim> {
  const now = clock().now();
  const lock_token = holderToken();
  const claimed = await scopedRows<{ lock_token: string }>(
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
  // The first request failed in a way that is not kept, and gave the key back in between.
  if (!record) return claimKey(scope, key, request_hash);
  if (record.request_hash !== request_hash) throw new AppError('idempotency_key_mismatch');
  if (record.status === null || record.response_body === null)
    throw new AppError('idempotency_key_in_use', { retryAfter: 1 });
  return {
    kind: 'replay',
    answer: {
      status: record.status,
      headers: answerHeaders.read(record.response_headers),
      body: record.encrypted ? decryptSecret(appSecret(), PURPOSE, record.response_body) : record.response_body,
    },
  };
}

/** Stores the answer, in the transaction of the change when it is called there. Throws when the lease was lost, which rolls the change back. */
export async function storeAnswer(
  scope: Scope,
  key: string,
  lock_token: string,
  answer: StoredAnswer,
  secret: boolean,
): Promise<void> {
  const body = secret ? encryptSecret(appSecret(), PURPOSE, answer.body) : answer.body;
  const stored = await scopedRows(
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

/** Gives the key back after an answer that is not kept. */
export async function releaseKey(scope: Scope, key: string, lock_token: string): Promise<void> {
  await scopedDb(scope).idempotencyRecord.deleteMany({ where: { key, lock_token, status: null } });
}

/** Ends the locks of dead processes: the request may come again, and another one may still not take its key. */
export async function releaseAbandonedKeys(): Promise<void> {
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE idempotency_records SET locked_until = ${clock().now()} WHERE status IS NULL AND ${heldByTheDead('lock_token')}`);
}
