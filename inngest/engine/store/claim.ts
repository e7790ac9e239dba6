/**
 * Claims work. Each job is leased to one process, within its function's concurrency limits and
 * throttle.
 */

import type { RegisteredFunction } from '../config';
import { generateUlid } from '../ids';
import type { MemoizedStep } from '../protocol';
import type { EngineEvent, SqlDb } from '../types';

/** A job that this process has leased, with all data needed to run it. */
export interface ClaimedJob {
  id: string;
  token: string;
  run_id: string;
  function_id: string;
  /** The step id of the sleep that has ended. Null when the run was not asleep. */
  asleep: string | null;
  attempt: number;
  crashes: number;
  event: EngineEvent;
  steps: MemoizedStep[];
}

interface ClaimedRow extends Omit<ClaimedJob, 'token' | 'event' | 'steps'> {
  event: string;
  steps: string;
}

// A job without a lease is free. An expired lease belongs to a process that died or hangs, so its
// job is free too.
const FREE = `j.run_at <= $2::timestamptz AND (j.lease_until IS NULL OR j.lease_until <= $2::timestamptz)`;

const CLAIM = `
WITH f AS (
  SELECT id, per_key, starts_per_key, since, least($4::int, coalesce(total - (
    SELECT count(*)::int FROM engine_jobs j WHERE j.function_id = f.id AND j.lease_until > $2::timestamptz
  ), $4::int), coalesce(starts - (
    SELECT count(*)::int FROM engine_runs r WHERE r.function_id = f.id AND r.started_at > f.since AND r.started_at <= $2::timestamptz
  ), $4::int)) AS room
  FROM jsonb_to_recordset($1::jsonb)
    AS f(id text, total int, per_key int, starts int, starts_per_key int, since timestamptz)
), due AS (
  SELECT d.id, d.run_at FROM f CROSS JOIN LATERAL (
    SELECT j.id, j.run_at FROM engine_jobs j WHERE j.function_id = f.id AND ${FREE}
    ORDER BY j.run_at, j.id LIMIT greatest(f.room, 0)
  ) d WHERE f.per_key IS NULL AND f.starts_per_key IS NULL
  UNION ALL
  SELECT d.id, d.run_at FROM f CROSS JOIN LATERAL (
    SELECT ranked.id, ranked.run_at FROM (
      SELECT j.id, j.run_at, coalesce(busy.n, 0) AS busy, coalesce(begun.n, 0) AS begun,
        row_number() OVER (PARTITION BY j.concurrency_key ORDER BY j.run_at, j.id) AS nth
      FROM engine_jobs j LEFT JOIN (
        SELECT b.concurrency_key, count(*) AS n FROM engine_jobs b
        WHERE b.function_id = f.id AND b.lease_until > $2::timestamptz GROUP BY b.concurrency_key
      ) busy ON busy.concurrency_key = j.concurrency_key LEFT JOIN (
        SELECT r.concurrency_key, count(*) AS n FROM engine_runs r
        WHERE r.function_id = f.id AND r.started_at > f.since AND r.started_at <= $2::timestamptz GROUP BY r.concurrency_key
      ) begun ON begun.concurrency_key = j.concurrency_key
      WHERE j.function_id = f.id AND ${FREE}
    ) ranked WHERE (f.per_key IS NULL OR ranked.nth + ranked.busy <= f.per_key)
      AND (f.starts_per_key IS NULL OR ranked.nth + ranked.begun <= f.starts_per_key)
    ORDER BY ranked.run_at, ranked.id LIMIT greatest(f.room, 0)
  ) d WHERE f.per_key IS NOT NULL OR f.starts_per_key IS NOT NULL
), picked AS (
  SELECT j.id FROM engine_jobs j
  WHERE j.id IN (SELECT id FROM due ORDER BY run_at, id LIMIT $4::int) AND ${FREE}
  FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE engine_jobs j
  SET lease_token = $3::text, lease_until = $5::timestamptz,
    crashes = j.crashes + CASE WHEN j.lease_until IS NULL THEN 0 ELSE 1 END
  FROM picked WHERE j.id = picked.id
  RETURNING j.id, j.run_id, j.function_id, j.step_id, j.attempt, j.crashes, j.run_at
), started AS (
  UPDATE engine_runs r SET status = 'running', started_at = $2::timestamptz
  FROM claimed WHERE r.id = claimed.run_id AND r.status = 'queued'
)
SELECT c.id, c.run_id, c.function_id, c.step_id AS asleep, c.attempt, c.crashes, r.event,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'memo', s.memo) ORDER BY s.position), '[]')::text
   FROM engine_steps s WHERE s.run_id = c.run_id AND s.status IN ('done', 'failed')) AS steps
FROM claimed c JOIN engine_runs r ON r.id = c.run_id
ORDER BY c.run_at, c.id`;

/**
 * Leases up to `slots` due jobs of the given functions until `now + lease_ms`, oldest first. Locks
 * the rows of functions with limits first. Otherwise two processes that count at the same time
 * would both find free capacity. While a throttle is exhausted, retries of its function wait too.
 * Lease tokens begin with `holder`, so that all leases of a holder can be ended.
 */
export async function claimJobs(
  db: SqlDb,
  functions: ReadonlyMap<string, RegisteredFunction>,
  slots: number,
  lease_ms: number,
  now: Date,
  holder = '',
): Promise<ClaimedJob[]> {
  const token = `${holder}:${generateUlid(now)}`;
  const fns = [...functions.values()];
  const params = [
    JSON.stringify(fns.map((fn) => limitsOf(fn, now))),
    now.toISOString(),
    token,
    slots,
    new Date(now.getTime() + lease_ms).toISOString(),
  ];
  const limited = fns.filter((fn) => fn.limit ?? fn.limit_per_key ?? fn.throttle).map((fn) => fn.id);
  const rows =
    limited.length === 0
      ? await db.query<ClaimedRow>(CLAIM, params)
      : await db.transaction(async (tx) => {
          await tx.query(
            `SELECT id FROM engine_functions WHERE id IN (SELECT jsonb_array_elements_text($1::jsonb))
             ORDER BY id FOR UPDATE`,
            [JSON.stringify(limited)],
          );
          return tx.query<ClaimedRow>(CLAIM, params);
        });
  return rows.map((row) => ({ ...row, token, event: JSON.parse(row.event), steps: JSON.parse(row.steps) }));
}

/** Returns whether there is a due job. Ignores limits. */
export async function hasDueJobs(
  db: SqlDb,
  functions: ReadonlyMap<string, RegisteredFunction>,
  now: Date,
): Promise<boolean> {
  const rows = await db.query<{ id: string }>(
    `SELECT f.id FROM jsonb_array_elements_text($1::jsonb) AS f(id) CROSS JOIN LATERAL (
       SELECT j.id FROM engine_jobs j WHERE j.function_id = f.id AND ${FREE} LIMIT 1) due LIMIT 1`,
    [JSON.stringify([...functions.keys()]), now.toISOString()],
  );
  return rows.length > 0;
}

function limitsOf({ id, limit, limit_per_key, throttle }: RegisteredFunction, now: Date) {
  return {
    id,
    total: limit,
    per_key: limit_per_key,
    starts: throttle && !throttle.keyed ? throttle.limit : null,
    starts_per_key: throttle?.keyed ? throttle.limit : null,
    since: throttle && new Date(now.getTime() - throttle.period_ms).toISOString(),
  };
}

/**
 * Renews the leases of jobs that this process still works on. Does not renew leases that another
 * process has taken over.
 */
export async function renewJobLeases(
  db: SqlDb,
  jobs: readonly ClaimedJob[],
  lease_ms: number,
  now: Date,
): Promise<void> {
  await db.execute(
    `UPDATE engine_jobs j SET lease_until = $2::timestamptz
     FROM jsonb_to_recordset($1::jsonb) AS held(id text, token text)
     WHERE j.id = held.id AND j.lease_token = held.token`,
    [JSON.stringify(jobs.map(({ id, token }) => ({ id, token }))), new Date(now.getTime() + lease_ms).toISOString()],
  );
}

/**
 * Ends the leases of dead holders, or all leases if `holders` is null. Each affected job counts
 * this as a crash.
 */
export async function expireJobLeases(db: SqlDb, holders: readonly string[] | null, now: Date): Promise<void> {
  await db.execute(
    `UPDATE engine_jobs SET lease_token = NULL, lease_until = $1::timestamptz
     WHERE lease_until > $1::timestamptz
       AND ($2::text IS NULL OR split_part(lease_token, ':', 1) IN (SELECT jsonb_array_elements_text($2::jsonb)))`,
    [now.toISOString(), holders && JSON.stringify(holders)],
  );
}
