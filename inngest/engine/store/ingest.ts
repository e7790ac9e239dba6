/**
 * Stores the engine's input, which is events and cron ticks. In the same transaction, creates and
 * cancels the runs that they trigger.
 */

import { readEventValueAtPath } from '../concurrency-key';
import type { RegisteredFunction } from '../config';
import { findLatestDueMinute, getStartOfMinute } from '../cron';
import { generateUlid } from '../ids';
import type { EngineEvent, SqlDb } from '../types';
import { cancelUnfinishedRunsByConcurrencyKey, createRuns, type RunCreationInput } from './runs';

/**
 * Stores events, and cancels and creates runs. An event with a known id has no effect. Cancels
 * before it creates, so that an event never cancels a run that it triggers.
 */
export async function ingestEvents(
  tx: SqlDb,
  functions: ReadonlyMap<string, RegisteredFunction>,
  events: readonly EngineEvent[],
  now: Date,
): Promise<void> {
  const rows = events.map((event) => ({
    id: event.id,
    name: event.name,
    payload: JSON.stringify(event),
    ts: new Date(event.ts).toISOString(),
  }));
  const inserted = await tx.query<{ id: string }>(
    `INSERT INTO engine_events (id, name, payload, ts, received_at)
     SELECT id, name, payload, ts, $2::timestamptz
     FROM jsonb_to_recordset($1::jsonb) AS n(id text, name text, payload text, ts timestamptz)
     ON CONFLICT (id) DO NOTHING
     RETURNING id`,
    [JSON.stringify(rows), now.toISOString()],
  );
  const unseen = new Set(inserted.map((row) => row.id));
  // If a batch contains two events with the same id, only the first is stored.
  const fresh = events.filter((event) => unseen.delete(event.id));
  const pairs = fresh.flatMap((event) => [...functions.values()].map((fn) => ({ fn, event })));
  const cancelled = pairs.flatMap(({ fn, event }) => {
    const concurrency_key = fn.key && fn.cancelled_by.includes(event.name) ? readEventValueAtPath(event, fn.key) : null;
    return concurrency_key === null ? [] : [{ function_id: fn.id, concurrency_key }];
  });
  await cancelUnfinishedRunsByConcurrencyKey(tx, cancelled, now);
  const started = pairs.filter(({ fn, event }) => fn.events.includes(event.name));
  await createRuns(
    tx,
    started.map(({ fn, event }) => ({ id: generateUlid(now), fn, event })),
    now,
  );
}

export interface CronTickProgress {
  fn: RegisteredFunction;
  /** The minute up to which ticks have been processed. */
  after: Date;
}

/**
 * Maximum difference between the clocks of several machines. A tick that is further in the future
 * came from a wrong clock.
 */
const SKEW_MS = 60_000;

/**
 * Deletes future ticks, which came from a wrong clock. Their minutes can then tick at the right
 * time.
 */
export async function deleteFutureCronTicks(db: SqlDb, now: Date): Promise<void> {
  await db.execute(`DELETE FROM engine_cron_ticks WHERE minute > $1::timestamptz`, [
    new Date(now.getTime() + SKEW_MS).toISOString(),
  ]);
}

/**
 * Starts a run for each function whose newest due minute has no tick yet, and advances `after`.
 * Only one process can insert the row for a function and a minute, so several processes start only
 * one run.
 */
export async function enqueueDueCronRuns(db: SqlDb, states: readonly CronTickProgress[], now: Date): Promise<void> {
  const mistaken = states.filter((state) => state.after.getTime() > now.getTime() + SKEW_MS);
  if (mistaken.length > 0) {
    await deleteFutureCronTicks(db, now);
    for (const state of mistaken) state.after = getStartOfMinute(now);
  }
  const this_minute = getStartOfMinute(now);
  const unseen = states.filter((state) => state.after < this_minute);
  const due = unseen.flatMap((state) => {
    const minute = findLatestDueMinute(state.fn.crons, state.after, now);
    return minute ? [{ state, minute, run_id: generateUlid(now) }] : [];
  });
  if (due.length > 0) await db.transaction((tx) => insertTicks(tx, due, now));
  for (const state of unseen) state.after = this_minute;
}

async function insertTicks(
  tx: SqlDb,
  due: readonly { state: CronTickProgress; minute: Date; run_id: string }[],
  now: Date,
): Promise<void> {
  const won = await tx.query<{ run_id: string }>(
    `INSERT INTO engine_cron_ticks (function_id, minute, run_id)
       SELECT function_id, minute, run_id
       FROM jsonb_to_recordset($1::jsonb) AS n(function_id text, minute timestamptz, run_id text)
       ON CONFLICT (function_id, minute) DO NOTHING
       RETURNING run_id`,
    [
      JSON.stringify(
        due.map(({ state, minute, run_id }) => ({
          function_id: state.fn.id,
          minute: minute.toISOString(),
          run_id,
        })),
      ),
    ],
  );
  const mine = new Set(won.map((row) => row.run_id));
  const runs = due
    .filter(({ run_id }) => mine.has(run_id))
    .map(({ state, minute, run_id }) => cronRun(state.fn, minute, run_id));
  await createRuns(tx, runs, now);
}

function cronRun(fn: RegisteredFunction, minute: Date, run_id: string): RunCreationInput {
  const event: EngineEvent = {
    id: run_id,
    name: 'inngest/scheduled.timer',
    data: { cron: fn.crons.map((cron) => cron.getPattern()).join(', ') },
    ts: minute.getTime(),
  };
  return { id: run_id, fn, event };
}
