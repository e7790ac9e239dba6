/**
 * What a claimed job leaves behind. Every write is fenced by the lease: a process that lost its job (it hung, the run
 * was cancelled) changes nothing, and the functions here answer false.
 */
import type { RegisteredFunction } from '../config';
import type { JsonError, SqlDb } from '../types';
import type { ClaimedJob } from './claim';
import { failureEvent, ingestEvents } from './ingest';
import {
  closeSteps,
  createRuns,
  insertWaits,
  type NewRun,
  type NewWait,
  type Settlement,
  settleSteps,
  stepJobId,
} from './runs';

const FENCE = `id = $1::text AND lease_token = $2::text`;

export interface StepResult {
  id: string;
  name: string;
  op: string;
  memo: { data: unknown } | { error: JsonError };
}

/** Memoizes a step that ran within a discovery. The job stays leased, for the next step. */
export async function recordStep(db: SqlDb, job: ClaimedJob, step: StepResult, now: Date): Promise<boolean> {
  const rows = await db.query<{ n: number }>(
    `WITH j AS (
       UPDATE engine_jobs SET attempt = 0, crashes = 0, last_error = NULL WHERE ${FENCE} RETURNING run_id
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
      'error' in step.memo ? 'failed' : 'done',
      JSON.stringify(step.memo),
      now.toISOString(),
    ],
  );
  return rows[0]?.n === 1;
}

/** A step that the function waits for: run by a job of its own, or settled by time, an event or another run. */
export interface PlannedStep {
  id: string;
  name: string;
  op: string;
  /** `step`: call the function for it at once. `wake`: settle it at run_at. Null: nothing happens by itself. */
  job: { kind: 'step' | 'wake'; run_at: Date } | null;
  wait: NewWait | null;
  child: NewRun | null;
}

/** Replaces a discovery by the steps it found: a barrier, after which the function goes on. */
export async function planSteps(
  db: SqlDb,
  job: ClaimedJob,
  fn: RegisteredFunction,
  steps: readonly PlannedStep[],
  now: Date,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    if ((await tx.execute(`DELETE FROM engine_jobs WHERE ${FENCE}`, [job.id, job.token])) !== 1) return false;
    const rows = steps.map((step) => ({
      id: step.id,
      name: step.name,
      op: step.op,
      job_id: stepJobId(job.run_id, step.id),
      kind: step.job?.kind ?? null,
      run_at: step.job?.run_at.toISOString() ?? null,
    }));
    await tx.execute(
      `WITH n AS (
         SELECT * FROM jsonb_to_recordset($2::jsonb)
           AS n(id text, name text, op text, job_id text, kind text, run_at timestamptz)
       ), r AS (
         UPDATE engine_runs SET pending = pending + (SELECT count(*)::int FROM n)
         WHERE id = $1::text AND status = 'running' RETURNING id, concurrency_key
       ), s AS (
         INSERT INTO engine_steps (run_id, id, name, op, status, created_at)
         SELECT r.id, n.id, n.name, n.op, 'pending', $3::timestamptz FROM n, r
       )
       INSERT INTO engine_jobs (id, run_id, function_id, kind, step_id, concurrency_key, attempt, crashes, run_at, created_at)
       SELECT n.job_id, r.id, $4::text, n.kind, n.id, r.concurrency_key, 0, 0, n.run_at, $3::timestamptz
       FROM n, r WHERE n.kind IS NOT NULL`,
      [job.run_id, JSON.stringify(rows), now.toISOString(), fn.id],
    );
    await insertWaits(
      tx,
      steps.flatMap((step) => step.wait ?? []),
      now,
    );
    await createRuns(
      tx,
      steps.flatMap((step) => step.child ?? []),
      now,
    );
    return true;
  });
}

/** Ends a job by settling its step: a planned step that ran, or one whose time has come. */
export async function settleJob(db: SqlDb, job: ClaimedJob, memo: Settlement['memo'], now: Date): Promise<boolean> {
  return db.transaction(async (tx) => {
    if (job.kind === 'wake') {
      // Whoever removes the wait decides: an event that has just arrived, or the time limit.
      await tx.execute(`DELETE FROM engine_waits WHERE run_id = $1::text AND step_id = $2::text`, [
        job.run_id,
        job.step_id,
      ]);
    }
    if ((await tx.execute(`DELETE FROM engine_jobs WHERE ${FENCE}`, [job.id, job.token])) !== 1) return false;
    await settleSteps(tx, [{ run_id: job.run_id, step_id: job.step_id!, memo }], now);
    return true;
  });
}

/** The opcode of a pending step, or null when there is none: says what a wake job wakes. */
export async function pendingOp(db: SqlDb, run_id: string, step_id: string): Promise<string | null> {
  const rows = await db.query<{ op: string }>(
    `SELECT op FROM engine_steps WHERE run_id = $1::text AND id = $2::text AND status = 'pending'`,
    [run_id, step_id],
  );
  return rows[0]?.op ?? null;
}

export type RunEnd = { output: string } | { error: JsonError };

/** Ends a run. A failure tells the functions that listen for it; either way a run that invoked this one goes on. */
export async function finishRun(
  db: SqlDb,
  functions: ReadonlyMap<string, RegisteredFunction>,
  job: ClaimedJob,
  end: RunEnd,
  now: Date,
): Promise<boolean> {
  if (!('error' in end) && !job.has_parent) return (await endRun(db, job, end, now)) !== null;
  return db.transaction(async (tx) => {
    const ended = await endRun(tx, job, end, now);
    if (!ended) return false;
    if ('error' in end) {
      await tx.execute(`DELETE FROM engine_jobs WHERE run_id = $1::text`, [job.run_id]);
      await closeSteps(tx, [job.run_id], now);
      // A function that is itself about failures must not feed itself.
      const listens = functions.get(job.function_id)?.triggers.some((t) => t.event === 'inngest/function.failed');
      if (!listens) {
        const failure = failureEvent(
          { id: job.run_id, function_id: job.function_id, event: job.event },
          end.error,
          now,
        );
        await ingestEvents(tx, functions, [failure], now);
      }
    }
    if (ended.parent_run_id && ended.parent_step_id) {
      const memo = 'error' in end ? end : { data: JSON.parse(end.output) as unknown };
      // The time limit of the invocation, if it has one.
      await tx.execute(`DELETE FROM engine_jobs WHERE id = $1::text`, [
        stepJobId(ended.parent_run_id, ended.parent_step_id),
      ]);
      await settleSteps(tx, [{ run_id: ended.parent_run_id, step_id: ended.parent_step_id, memo }], now);
    }
    return true;
  });
}

interface EndedRun {
  parent_run_id: string | null;
  parent_step_id: string | null;
}

async function endRun(db: SqlDb, job: ClaimedJob, end: RunEnd, now: Date): Promise<EndedRun | null> {
  const rows = await db.query<EndedRun>(
    `WITH j AS (
       DELETE FROM engine_jobs WHERE ${FENCE} RETURNING run_id
     ), w AS (
       DELETE FROM engine_waits w USING j WHERE w.run_id = j.run_id
     )
     UPDATE engine_runs r SET status = $3::text, output = $4::text, error = $5::text, pending = 0,
       ended_at = $6::timestamptz
     FROM j WHERE r.id = j.run_id AND r.status = 'running'
     RETURNING r.parent_run_id, r.parent_step_id`,
    [
      job.id,
      job.token,
      'error' in end ? 'failed' : 'completed',
      'error' in end ? null : end.output,
      'error' in end ? JSON.stringify(end.error) : null,
      now.toISOString(),
    ],
  );
  return rows[0] ?? null;
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
