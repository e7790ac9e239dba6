/**
 * Operations for the product and the operator: registering functions, listing runs, retrying and
 * cancelling them, and removing old data.
 */
import type { DurableRun, DurableRunQuery, DurableStep } from '@/infra/durable-runs';
import type { RegisteredFunction } from '../config';
import type { EngineEvent, SerializedError, SqlDb } from '../types';
import { deleteFutureCronTicks } from './ingest';
import { getJobIdOfRun } from './runs';

const PRUNE_BATCH = 1_000;

/**
 * Stores the registered functions. For each function with a cron trigger, returns the minute up to
 * which ticks were processed. This is its newest tick, or the time of its first registration.
 */
export async function saveRegisteredFunctions(
  db: SqlDb,
  functions: readonly { fn: RegisteredFunction; config: unknown }[],
  now: Date,
): Promise<Map<string, Date>> {
  await deleteFutureCronTicks(db, now);
  const rows = await db.query<{ id: string; after: Date }>(
    `WITH f AS (
       INSERT INTO engine_functions (id, config, created_at, updated_at)
       SELECT id, config, $2::timestamptz, $2::timestamptz
       FROM jsonb_to_recordset($1::jsonb) AS n(id text, config text)
       ON CONFLICT (id) DO UPDATE SET config = excluded.config, updated_at = excluded.updated_at
       RETURNING id, created_at
     )
     SELECT f.id, least($2::timestamptz, greatest(f.created_at,
       (SELECT max(t.minute) FROM engine_cron_ticks t WHERE t.function_id = f.id))) AS after
     FROM f`,
    [
      JSON.stringify(functions.map(({ fn, config }) => ({ id: fn.id, config: JSON.stringify(config) }))),
      now.toISOString(),
    ],
  );
  return new Map(rows.map((row) => [row.id, new Date(row.after)]));
}

interface RunRow {
  id: string;
  function_id: string;
  status: DurableRun['status'];
  event: string;
  output: string | null;
  error: string | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  steps: string;
  jobs: string;
}

interface StepRow {
  id: string;
  name: string;
  op: string;
  status: DurableStep['status'];
  memo: string | null;
  created_at: string;
  ended_at: string | null;
}

interface JobRow {
  run_at: string;
  attempt: number;
  leased: boolean;
  last_error: string | null;
}

/**
 * The order in which statuses are listed for the operator. Within a status, the newest run is
 * first.
 */
const ORDER: readonly DurableRun['status'][] = ['failed', 'running', 'queued', 'cancelled', 'completed'];

/** Lists runs with their steps: failed runs first, then running, queued and all others. */
export async function listRuns(
  db: SqlDb,
  input: DurableRunQuery & { run_id?: string },
  now: Date,
): Promise<DurableRun[]> {
  const forward = input.after !== undefined;
  const rows = await db.query<RunRow>(
    `WITH ranks AS (
       SELECT status, rank FROM jsonb_array_elements_text($8::jsonb) WITH ORDINALITY AS n(status, rank)
     ), cursor AS (
       SELECT rank FROM engine_runs JOIN ranks USING (status) WHERE id = coalesce($3::text, $7::text)
     )
     SELECT r.id, r.function_id, r.status, r.event, r.output, r.error, r.created_at, r.started_at,
       r.ended_at,
       (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.created_at, s.position, s.name), '[]')::text
        FROM engine_steps s WHERE s.run_id = r.id) AS steps,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('run_at', j.run_at, 'attempt', j.attempt,
          'leased', coalesce(j.lease_until > $5::timestamptz, false), 'last_error', j.last_error) ORDER BY j.run_at), '[]')::text
        FROM engine_jobs j WHERE j.run_id = r.id) AS jobs
     FROM ranks k CROSS JOIN LATERAL (
       SELECT * FROM engine_runs r
       WHERE r.status = k.status AND ($1::text IS NULL OR r.function_id = $1::text) AND ($6::text IS NULL OR r.id = $6::text)
         AND ($3::text IS NULL OR k.rank > (SELECT rank FROM cursor) OR (k.rank = (SELECT rank FROM cursor) AND r.id < $3::text))
         AND ($7::text IS NULL OR k.rank < (SELECT rank FROM cursor) OR (k.rank = (SELECT rank FROM cursor) AND r.id > $7::text))
       ORDER BY r.id ${forward ? 'ASC' : 'DESC'} LIMIT $4::int
     ) r
     WHERE $2::text IS NULL OR k.status = $2::text
     ORDER BY k.rank ${forward ? 'DESC' : 'ASC'}, r.id ${forward ? 'ASC' : 'DESC'} LIMIT $4::int`,
    [
      input.function_id ?? null,
      input.status ?? null,
      input.before ?? null,
      Math.min(Math.max(input.limit, 1), 200),
      now.toISOString(),
      input.run_id ?? null,
      input.after ?? null,
      JSON.stringify(ORDER),
    ],
  );
  const views = rows.map(toView);
  return forward ? views.reverse() : views;
}

function toView(row: RunRow): DurableRun {
  const jobs = JSON.parse(row.jobs) as JobRow[];
  const failing = jobs.find((job) => job.last_error !== null);
  const error = row.error === null ? null : (JSON.parse(row.error) as SerializedError);
  return {
    id: row.id,
    function_id: row.function_id,
    status: row.status,
    event: JSON.parse(row.event) as EngineEvent,
    output: row.output === null ? null : JSON.parse(row.output),
    error,
    last_error: failing ? (JSON.parse(failing.last_error!) as SerializedError) : error,
    attempt: Math.max(0, ...jobs.map((job) => job.attempt)),
    next_wake_at: jobs[0] ? new Date(jobs[0].run_at) : null,
    in_flight: jobs.some((job) => job.leased),
    created_at: new Date(row.created_at),
    started_at: row.started_at && new Date(row.started_at),
    ended_at: row.ended_at && new Date(row.ended_at),
    steps: (JSON.parse(row.steps) as StepRow[]).map((step) => ({
      id: step.id,
      name: step.name,
      op: step.op,
      status: step.status,
      error: step.status === 'failed' ? (JSON.parse(step.memo!) as { error: SerializedError }).error : null,
      created_at: new Date(step.created_at),
      ended_at: step.ended_at ? new Date(step.ended_at) : null,
    })),
  };
}

/**
 * Restarts a failed run. Keeps completed steps, and gives the failed step all its attempts again.
 * Returns whether the failed run existed.
 */
export async function retryRun(tx: SqlDb, run_id: string, now: Date): Promise<boolean> {
  const revived = await tx.query<{ function_id: string; concurrency_key: string | null }>(
    `UPDATE engine_runs SET status = 'queued', error = NULL, ended_at = NULL
     WHERE id = $1::text AND status = 'failed' RETURNING function_id, concurrency_key`,
    [run_id],
  );
  const run = revived[0];
  if (!run) return false;
  await tx.execute(`DELETE FROM engine_steps WHERE run_id = $1::text AND status <> 'done'`, [run_id]);
  await tx.execute(
    `INSERT INTO engine_jobs (id, run_id, function_id, concurrency_key, attempt, crashes, run_at, created_at)
     VALUES ($1::text, $2::text, $3::text, $4::text, 0, 0, $5::timestamptz, $5::timestamptz)`,
    [getJobIdOfRun(run_id), run_id, run.function_id, run.concurrency_key, now.toISOString()],
  );
  return true;
}

/**
 * Removes runs that ended before a moment. Removes events that arrived before it, unless they are
 * due later. Removes old cron ticks, except each function's newest tick, from which ticking
 * continues. Works in batches. Returns the number of removed runs and events.
 */
export async function pruneEndedRuns(db: SqlDb, older_than: Date): Promise<{ runs: number; events: number }> {
  const before = older_than.toISOString();
  const repeat = async (sql: string): Promise<number> => {
    for (let total = 0; ; ) {
      const removed = await db.execute(sql, [before, PRUNE_BATCH]);
      total += removed;
      if (removed < PRUNE_BATCH) return total;
    }
  };
  const runs = await repeat(
    `WITH old AS (SELECT id FROM engine_runs WHERE ended_at < $1::timestamptz ORDER BY ended_at LIMIT $2::int),
       s AS (DELETE FROM engine_steps USING old WHERE engine_steps.run_id = old.id)
     DELETE FROM engine_runs USING old WHERE engine_runs.id = old.id`,
  );
  const events = await repeat(
    `DELETE FROM engine_events WHERE id IN (
       SELECT id FROM engine_events WHERE received_at < $1::timestamptz AND ts < $1::timestamptz LIMIT $2::int)`,
  );
  await db.execute(
    `DELETE FROM engine_cron_ticks t WHERE t.minute < $1::timestamptz
       AND t.minute < (SELECT max(n.minute) FROM engine_cron_ticks n WHERE n.function_id = t.function_id)`,
    [before],
  );
  return { runs, events };
}
