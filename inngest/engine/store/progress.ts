/**
 * Stores results of claimed jobs. Every write checks the lease. A process that has lost a job,
 * because it hung or the run was cancelled, changes nothing, and the functions here return false.
 */
import type { SerializedError, SqlDb } from '../types';
import type { ClaimedJob } from './claim';

const FENCE = `id = $1::text AND lease_token = $2::text`;

export interface EngineStepResult {
  id: string;
  name: string;
  op: string;
  /** The step's result or error. Null for a completed sleep. */
  memo: { data: unknown } | { error: SerializedError } | null;
}

/** A completed step and its job. */
export interface CompletedStep {
  job: ClaimedJob;
  step: EngineStepResult;
}

/**
 * Stores completed steps and sleeps. Returns which of them were stored. Jobs stay leased for their
 * next step.
 */
export async function recordCompletedSteps(db: SqlDb, done: readonly CompletedStep[], now: Date): Promise<boolean[]> {
  const rows = await db.query<{ job_id: string }>(
    `WITH n AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb)
         AS n(job_id text, token text, id text, name text, op text, status text, memo text)
     ), j AS (
       UPDATE engine_jobs j SET attempt = 0, crashes = 0, last_error = NULL, step_id = NULL
       FROM n WHERE j.id = n.job_id AND j.lease_token = n.token RETURNING j.id, j.run_id
     ), r AS (
       UPDATE engine_runs r SET done_steps = r.done_steps + 1 FROM j
       WHERE r.id = j.run_id AND r.status = 'running' RETURNING r.id, r.done_steps, j.id AS job_id
     ), s AS (
       INSERT INTO engine_steps (run_id, id, name, op, status, memo, position, created_at, ended_at)
       SELECT r.id, n.id, n.name, n.op, n.status, n.memo, r.done_steps, $2::timestamptz, $2::timestamptz
       FROM r JOIN n ON n.job_id = r.job_id
       ON CONFLICT (run_id, id) DO UPDATE SET status = excluded.status, memo = excluded.memo,
         position = excluded.position, ended_at = excluded.ended_at
     )
     SELECT job_id FROM r`,
    [
      JSON.stringify(
        done.map(({ job, step: { id, name, op, memo } }) => ({
          job_id: job.id,
          token: job.token,
          id,
          name,
          op,
          status: memo && 'error' in memo ? 'failed' : 'done',
          memo: JSON.stringify(memo),
        })),
      ),
      now.toISOString(),
    ],
  );
  const recorded = new Set(rows.map(({ job_id }) => job_id));
  return done.map(({ job }) => recorded.has(job.id));
}

/** Postpones a job until its sleep ends. */
export async function postponeSleepingJob(
  db: SqlDb,
  job: ClaimedJob,
  step: { id: string; name: string },
  run_at: Date,
  now: Date,
): Promise<boolean> {
  const rows = await db.query<{ run_id: string }>(
    `WITH j AS (
       UPDATE engine_jobs SET attempt = 0, crashes = 0, last_error = NULL, step_id = $3::text, run_at = $5::timestamptz,
         lease_token = NULL, lease_until = NULL
       WHERE ${FENCE} RETURNING run_id
     )
     INSERT INTO engine_steps (run_id, id, name, op, status, created_at)
     SELECT run_id, $3::text, $4::text, 'Sleep', 'pending', $6::timestamptz FROM j
     RETURNING run_id`,
    [job.id, job.token, step.id, step.name, run_at.toISOString(), now.toISOString()],
  );
  return rows.length === 1;
}

export type EngineRunResult = { output: string } | { error: SerializedError };

export interface EndedRun {
  job: ClaimedJob;
  end: EngineRunResult;
}

/** Ends runs. Returns which of them it ended. */
export async function finishRuns(db: SqlDb, ended: readonly EndedRun[], now: Date): Promise<boolean[]> {
  const rows = await db.query<{ job_id: string }>(
    `WITH n AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS n(job_id text, token text, status text, output text, error text)
     ), j AS (
       DELETE FROM engine_jobs j USING n WHERE j.id = n.job_id AND j.lease_token = n.token
       RETURNING j.id, j.run_id, n.status, n.output, n.error
     )
     UPDATE engine_runs r SET status = j.status, output = j.output, error = j.error, ended_at = $2::timestamptz
     FROM j WHERE r.id = j.run_id AND r.status = 'running' RETURNING j.id AS job_id`,
    [
      JSON.stringify(
        ended.map(({ job, end }) => ({
          job_id: job.id,
          token: job.token,
          ...('error' in end
            ? { status: 'failed', output: null, error: JSON.stringify(end.error) }
            : { status: 'completed', output: end.output, error: null }),
        })),
      ),
      now.toISOString(),
    ],
  );
  const done = new Set(rows.map(({ job_id }) => job_id));
  return ended.map(({ job }) => done.has(job.id));
}

/** Releases a job after a failed attempt. The next attempt is due at `run_at`. */
export async function retryJob(db: SqlDb, job: ClaimedJob, error: SerializedError, run_at: Date): Promise<boolean> {
  const changed = await db.execute(
    `UPDATE engine_jobs SET attempt = attempt + 1, lease_token = NULL, lease_until = NULL, run_at = $3::timestamptz,
       last_error = $4::text
     WHERE ${FENCE}`,
    [job.id, job.token, run_at.toISOString(), JSON.stringify(error)],
  );
  return changed === 1;
}

/** Releases a job unchanged. Another process, or the engine after its next start, claims it. */
export async function releaseJobLease(db: SqlDb, job: ClaimedJob): Promise<void> {
  await db.execute(`UPDATE engine_jobs SET lease_token = NULL, lease_until = NULL WHERE ${FENCE}`, [job.id, job.token]);
}
