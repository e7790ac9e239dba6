/** Creates and cancels runs inside the caller's transaction. Locks jobs before runs. */

import { readEventValueAtPath } from '../concurrency-key';
import type { RegisteredFunction } from '../config';
import type { EngineEvent, SqlDb } from '../types';

export interface RunCreationInput {
  id: string;
  fn: RegisteredFunction;
  event: EngineEvent;
}

/** Returns the id of a run's job. A run has one job until it ends. */
export function getJobIdOfRun(run_id: string): string {
  return `${run_id}:discover`;
}

/** Creates runs with their jobs. */
export async function createRuns(tx: SqlDb, runs: readonly RunCreationInput[], now: Date): Promise<void> {
  if (runs.length === 0) return;
  const rows = runs.map(({ id, fn, event }) => ({
    id,
    job_id: getJobIdOfRun(id),
    function_id: fn.id,
    event_id: event.id,
    event_name: event.name,
    event: JSON.stringify(event),
    concurrency_key: fn.key ? (readEventValueAtPath(event, fn.key) ?? 'null') : null,
    run_at: new Date(Math.max(event.ts, now.getTime())).toISOString(),
  }));
  await tx.execute(
    `WITH n AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS n(id text, job_id text, function_id text, event_id text,
         event_name text, event text, concurrency_key text, run_at timestamptz)
     ), r AS (
       INSERT INTO engine_runs (id, function_id, status, event_id, event_name, event, concurrency_key, done_steps, created_at)
       SELECT id, function_id, 'queued', event_id, event_name, event, concurrency_key, 0, $2::timestamptz FROM n
     )
     INSERT INTO engine_jobs (id, run_id, function_id, concurrency_key, attempt, crashes, run_at, created_at)
     SELECT job_id, id, function_id, concurrency_key, 0, 0, run_at, $2::timestamptz FROM n`,
    [JSON.stringify(rows), now.toISOString()],
  );
}

/** Cancels every unfinished run that has the function and the key value of one of the `matches`. */
export async function cancelUnfinishedRunsByConcurrencyKey(
  tx: SqlDb,
  matches: readonly { function_id: string; concurrency_key: string }[],
  now: Date,
): Promise<void> {
  if (matches.length === 0) return;
  const runs = await tx.query<{ run_id: string }>(
    `SELECT DISTINCT j.run_id FROM engine_jobs j
     JOIN jsonb_to_recordset($1::jsonb) AS m(function_id text, concurrency_key text)
       ON j.function_id = m.function_id AND j.concurrency_key = m.concurrency_key`,
    [JSON.stringify(matches)],
  );
  await cancelUnfinishedRuns(
    tx,
    runs.map(({ run_id }) => run_id),
    now,
  );
}

/**
 * Cancels unfinished runs. Running jobs continue to their end, but their results are ignored.
 * Returns the number of cancelled runs.
 */
export async function cancelUnfinishedRuns(tx: SqlDb, run_ids: readonly string[], now: Date): Promise<number> {
  if (run_ids.length === 0) return 0;
  const ids = JSON.stringify(run_ids);
  await tx.execute(`DELETE FROM engine_jobs WHERE run_id IN (SELECT jsonb_array_elements_text($1::jsonb))`, [ids]);
  const cancelled = await tx.execute(
    `UPDATE engine_runs SET status = 'cancelled', ended_at = $2::timestamptz
     WHERE id IN (SELECT jsonb_array_elements_text($1::jsonb)) AND status IN ('queued', 'running')`,
    [ids, now.toISOString()],
  );
  // Ends the pending sleeps of the cancelled runs, because the jobs that would have ended them are
  // deleted.
  await tx.execute(
    `UPDATE engine_steps SET status = 'cancelled', ended_at = $2::timestamptz
     WHERE run_id IN (SELECT jsonb_array_elements_text($1::jsonb)) AND status = 'pending'`,
    [ids, now.toISOString()],
  );
  return cancelled;
}
