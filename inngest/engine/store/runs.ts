/**
 * Runs: how they begin, how a waiting step of theirs is settled, how they are cancelled. Every function here is called
 * inside a transaction. Rows are always locked in the order waits, jobs, runs (by id), so that none waits in a circle.
 */

import type { RegisteredFunction } from '../config';
import { valueAt, waitPattern } from '../expression';
import { newUlid } from '../ids';
import type { EngineEvent, JsonError, SqlDb } from '../types';

/** How long a function's idempotency key is remembered: as long as a real server does. */
const IDEMPOTENCY_HOURS = 24;

export interface NewRun {
  id: string;
  fn: RegisteredFunction;
  event: EngineEvent;
  parent?: { run_id: string; step_id: string };
}

/** The id of the job that goes on with a run: a run has at most one. */
export function discoverJobId(run_id: string): string {
  return `${run_id}:discover`;
}

/** The id of the job that belongs to a planned step. */
export function stepJobId(run_id: string, step_id: string): string {
  return `${run_id}:${step_id}`;
}

/** Creates runs with their first jobs; those whose idempotency key is taken are left out. Returns the ids created. */
export async function createRuns(tx: SqlDb, runs: readonly NewRun[], now: Date): Promise<string[]> {
  if (runs.length === 0) return [];
  const rows = runs.map(({ id, fn, event, parent }) => ({
    id,
    job_id: discoverJobId(id),
    function_id: fn.id,
    event_id: event.id,
    event_name: event.name,
    event: JSON.stringify(event),
    // An invocation is asked for by name and must answer: it is never deduplicated.
    idempotency_key: fn.idempotency && !parent ? keyOf(event, fn.idempotency) : null,
    concurrency_key: fn.keyed_limit ? keyOf(event, fn.keyed_limit.path) : null,
    parent_run_id: parent?.run_id ?? null,
    parent_step_id: parent?.step_id ?? null,
    run_at: new Date(Math.max(event.ts, now.getTime())).toISOString(),
  }));
  const json = JSON.stringify(rows);
  if (rows.some((row) => row.idempotency_key !== null)) {
    const expired = new Date(now.getTime() - IDEMPOTENCY_HOURS * 3_600_000).toISOString();
    await tx.execute(
      `UPDATE engine_runs r SET idempotency_key = NULL
       FROM jsonb_to_recordset($1::jsonb) AS n(function_id text, idempotency_key text)
       WHERE r.function_id = n.function_id AND r.idempotency_key = n.idempotency_key AND r.created_at <= $2::timestamptz`,
      [json, expired],
    );
  }
  const created = await tx.query<{ id: string }>(
    `WITH n AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS n(id text, job_id text, function_id text, event_id text,
         event_name text, event text, idempotency_key text, concurrency_key text, parent_run_id text,
         parent_step_id text, run_at timestamptz)
     ), r AS (
       INSERT INTO engine_runs (id, function_id, status, event_id, event_name, event, idempotency_key, concurrency_key,
         parent_run_id, parent_step_id, pending, done_steps, created_at)
       SELECT id, function_id, 'queued', event_id, event_name, event, idempotency_key, concurrency_key,
         parent_run_id, parent_step_id, 0, 0, $2::timestamptz FROM n
       ON CONFLICT (function_id, idempotency_key) DO NOTHING
       RETURNING id
     ), j AS (
       INSERT INTO engine_jobs (id, run_id, function_id, kind, concurrency_key, attempt, crashes, run_at, created_at)
       SELECT n.job_id, n.id, n.function_id, 'discover', n.concurrency_key, 0, 0, n.run_at, $2::timestamptz
       FROM n JOIN r ON r.id = n.id
     )
     SELECT id FROM r`,
    [json, now.toISOString()],
  );
  const ids = new Set(created.map((row) => row.id));
  await insertWaits(
    tx,
    runs.filter((run) => ids.has(run.id)).flatMap((run) => cancellations(run, now)),
    now,
  );
  return [...ids];
}

export interface NewWait {
  run_id: string;
  /** Null: a match cancels the run. */
  step_id: string | null;
  event_name: string;
  match_paths: string;
  match_values: string;
  expires_at: string | null;
}

/** Registers what future events are to be compared with. */
export async function insertWaits(tx: SqlDb, waits: readonly NewWait[], now: Date): Promise<void> {
  if (waits.length === 0) return;
  await tx.execute(
    `INSERT INTO engine_waits (id, run_id, step_id, event_name, match_paths, match_values, expires_at, created_at)
     SELECT id, run_id, step_id, event_name, match_paths, match_values, expires_at, $2::timestamptz
     FROM jsonb_to_recordset($1::jsonb) AS n(id text, run_id text, step_id text, event_name text, match_paths text,
       match_values text, expires_at timestamptz)`,
    [JSON.stringify(waits.map((wait) => ({ id: newUlid(now), ...wait }))), now.toISOString()],
  );
}

export interface Settlement {
  run_id: string;
  step_id: string;
  memo: { data: unknown } | { error: JsonError } | null;
}

/**
 * Gives pending steps their results. When none of a run's steps is pending any more, the run goes on. A step that was
 * settled before, or whose run has ended, is left alone.
 */
export async function settleSteps(tx: SqlDb, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length === 0) return;
  // One at a time per run, and each sees what the one before it wrote: the barrier opens exactly once.
  await tx.query(
    `SELECT id FROM engine_runs WHERE id IN (SELECT jsonb_array_elements_text($1::jsonb)) ORDER BY id FOR UPDATE`,
    [JSON.stringify([...new Set(settlements.map((settlement) => settlement.run_id))])],
  );
  for (const { run_id, step_id, memo } of settlements) {
    await tx.execute(
      `WITH r AS (
         UPDATE engine_runs SET pending = pending - 1, done_steps = done_steps + 1
         WHERE id = $1::text AND status IN ('queued', 'running')
           AND EXISTS (SELECT 1 FROM engine_steps WHERE run_id = $1::text AND id = $2::text AND status = 'pending')
         RETURNING pending, done_steps, function_id, concurrency_key
       ), s AS (
         UPDATE engine_steps SET status = $3::text, memo = $4::text, position = r.done_steps, ended_at = $5::timestamptz
         FROM r WHERE run_id = $1::text AND id = $2::text
       )
       INSERT INTO engine_jobs (id, run_id, function_id, kind, concurrency_key, attempt, crashes, run_at, created_at)
       SELECT $6::text, $1::text, function_id, 'discover', concurrency_key, 0, 0, $5::timestamptz, $5::timestamptz
       FROM r WHERE pending = 0
       ON CONFLICT (id) DO NOTHING`,
      [
        run_id,
        step_id,
        memo && 'error' in memo ? 'failed' : 'done',
        JSON.stringify(memo),
        now.toISOString(),
        discoverJobId(run_id),
      ],
    );
  }
}

/** Ends unfinished runs. What is in flight for them finishes unheard. Returns the ids of those that were cancelled. */
export async function cancelRuns(tx: SqlDb, run_ids: readonly string[], now: Date): Promise<string[]> {
  if (run_ids.length === 0) return [];
  const ids = JSON.stringify(run_ids);
  await tx.execute(`DELETE FROM engine_waits WHERE run_id IN (SELECT jsonb_array_elements_text($1::jsonb))`, [ids]);
  await tx.execute(`DELETE FROM engine_jobs WHERE run_id IN (SELECT jsonb_array_elements_text($1::jsonb))`, [ids]);
  const cancelled = await tx.query<{ id: string; parent_run_id: string | null; parent_step_id: string | null }>(
    `UPDATE engine_runs SET status = 'cancelled', pending = 0, ended_at = $2::timestamptz
     WHERE id IN (SELECT jsonb_array_elements_text($1::jsonb)) AND status IN ('queued', 'running')
     RETURNING id, parent_run_id, parent_step_id`,
    [ids, now.toISOString()],
  );
  await closeSteps(
    tx,
    cancelled.map((run) => run.id),
    now,
  );
  const error: JsonError = { name: 'Error', message: 'The invoked function was cancelled' };
  await settleSteps(
    tx,
    cancelled.flatMap(({ parent_run_id, parent_step_id }) =>
      parent_run_id && parent_step_id ? [{ run_id: parent_run_id, step_id: parent_step_id, memo: { error } }] : [],
    ),
    now,
  );
  return cancelled.map((run) => run.id);
}

/** Marks the pending steps of ended runs, which nothing will settle any more. */
export async function closeSteps(tx: SqlDb, run_ids: readonly string[], now: Date): Promise<void> {
  if (run_ids.length === 0) return;
  await tx.execute(
    `UPDATE engine_steps SET status = 'cancelled', ended_at = $2::timestamptz
     WHERE run_id IN (SELECT jsonb_array_elements_text($1::jsonb)) AND status = 'pending'`,
    [JSON.stringify(run_ids), now.toISOString()],
  );
}

function cancellations({ id, fn, event }: NewRun, now: Date): NewWait[] {
  return fn.cancel_on.flatMap((cancel) => {
    const pattern = waitPattern(cancel.condition, event);
    if (!pattern) return [];
    const expires_at = cancel.timeout_ms === null ? null : new Date(now.getTime() + cancel.timeout_ms).toISOString();
    return [
      {
        run_id: id,
        step_id: null,
        event_name: cancel.event,
        match_paths: pattern.paths,
        match_values: pattern.values,
        expires_at,
      },
    ];
  });
}

function keyOf(event: EngineEvent, path: readonly string[]): string {
  return JSON.stringify(valueAt(event, path) ?? null);
}
