/**
 * What a claimed job leaves behind. Every write is fenced by the lease: a process that lost its job (it hung, the run
 * was cancelled) changes nothing, and the functions here answer false.
 */
import type { JsonError, SqlDb } from '../types';
import type { ClaimedJob } from './claim';

const FENCE = `id = $1::text AND lease_token = $2::text`;

export interface StepResult {
  id: string;
  name: string;
  op: string;
  /** Null: a sleep that is over. */
  memo: { data: unknown } | { error: JsonError } | null;
}

/** Memoizes a step that ran, or a sleep that is over. The job stays leased, for the next step. */
export async function recordStep(db: SqlDb, job: ClaimedJob, step: StepResult, now: Date): Promise<boolean> {
  const rows = await db.query<{ n: number }>(
    `WITH j AS (
       UPDATE engine_jobs SET attempt = 0, crashes = 0, last_error = NULL, step_id = NULL WHERE ${FENCE} RETURNING run_id
     ), r AS (
       UPDATE engine_runs r SET done_steps = r.done_steps + 1 FROM j
       WHERE r.id = j.run_id AND r.status = 'running' RETURNING r.id, r.done_steps
     ), s AS (
       INSERT INTO engine_steps (run_id, id, name, op, status, memo, position, created_at, ended_at)
       SELECT r.id, $3::text, $4::text, $5::text, $6::text, $7::text, r.done_steps, $8::timestamptz, $8::timestamptz
       FROM r
       ON CONFLICT (run_id, id) DO UPDATE SET status = excluded.status, memo = excluded.memo,
         position = excluded.position, ended_at = excluded.ended_at
     )
     SELECT count(*)::int AS n FROM r`,
    [
      job.id,
      job.token,
      step.id,
      step.name,
      step.op,
      step.memo && 'error' in step.memo ? 'failed' : 'done',
      JSON.stringify(step.memo),
      now.toISOString(),
    ],
  );
  return rows[0]?.n === 1;
}

/** Puts a job off to a time at which a sleep is over. */
export async function sleepUntil(
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

export type RunEnd = { output: string } | { error: JsonError };

/** Ends a run. */
export async function finishRun(db: SqlDb, job: ClaimedJob, end: RunEnd, now: Date): Promise<boolean> {
  const ended = await db.execute(
    `WITH j AS (DELETE FROM engine_jobs WHERE ${FENCE} RETURNING run_id)
     UPDATE engine_runs r SET status = $3::text, output = $4::text, error = $5::text, ended_at = $6::timestamptz
     FROM j WHERE r.id = j.run_id AND r.status = 'running'`,
    [
      job.id,
      job.token,
      'error' in end ? 'failed' : 'completed',
      'error' in end ? null : end.output,
      'error' in end ? JSON.stringify(end.error) : null,
      now.toISOString(),
    ],
  );
  return ended === 1;
}

/** Gives a job back to be tried again at a time, after an attempt that failed. */
export async function retryJob(db: SqlDb, job: ClaimedJob, error: JsonError, run_at: Date): Promise<boolean> {
  const changed = await db.execute(
    `UPDATE engine_jobs SET attempt = attempt + 1, lease_token = NULL, lease_until = NULL, run_at = $3::timestamptz,
       last_error = $4::text
     WHERE ${FENCE}`,
    [job.id, job.token, run_at.toISOString(), JSON.stringify(error)],
  );
  return changed === 1;
}

/** Gives a job back untouched, for another process or a later start. */
export async function releaseJob(db: SqlDb, job: ClaimedJob): Promise<void> {
  await db.execute(`UPDATE engine_jobs SET lease_token = NULL, lease_until = NULL WHERE ${FENCE}`, [job.id, job.token]);
}
