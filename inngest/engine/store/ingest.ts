/** What comes in: events and the clock's minutes. Each becomes runs, resumed steps and cancellations in one transaction. */

import { FUNCTION_FAILED, type RegisteredFunction } from '../config';
import { latestDueMinute, minuteOf } from '../cron';
import { matchesEvent, patternValues } from '../expression';
import { newUlid } from '../ids';
import type { EngineEvent, JsonError, SqlDb } from '../types';
import { cancelRuns, createRuns, type NewRun, settleSteps, stepJobId } from './runs';

/**
 * Stores events and does what they cause. An event whose id is known already causes nothing.
 * Steps that wait are matched before new runs begin: an event never resumes or cancels a run that it started itself.
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
  // The first of two events with one id in the same batch is the one that was stored.
  const fresh = events.filter((event) => unseen.delete(event.id));
  if (fresh.length === 0) return;
  await matchWaits(tx, fresh, now);
  await createRuns(
    tx,
    fresh.flatMap((event) => triggeredRuns(functions, event, now)),
    now,
  );
}

function triggeredRuns(functions: ReadonlyMap<string, RegisteredFunction>, event: EngineEvent, now: Date): NewRun[] {
  return [...functions.values()].flatMap((fn) =>
    fn.triggers.some((trigger) => trigger.event === event.name && matchesEvent(trigger.filter, event))
      ? [{ id: newUlid(now), fn, event }]
      : [],
  );
}

async function matchWaits(tx: SqlDb, events: readonly EngineEvent[], now: Date): Promise<void> {
  const patterns = await tx.query<{ event_name: string; match_paths: string }>(
    `SELECT DISTINCT event_name, match_paths FROM engine_waits
     WHERE event_name IN (SELECT jsonb_array_elements_text($1::jsonb))`,
    [JSON.stringify([...new Set(events.map((event) => event.name))])],
  );
  const candidates = patterns.flatMap(({ event_name, match_paths }) =>
    events.flatMap((event, index) => {
      const match_values = event.name === event_name ? patternValues(match_paths, event) : null;
      return match_values === null ? [] : [{ event_name, match_paths, match_values, index }];
    }),
  );
  if (candidates.length === 0) return;
  // Who deletes the row has the match: a time limit that runs out at the same moment, or another event, finds none.
  const matched = await tx.query<{ run_id: string; step_id: string | null; index: number }>(
    `DELETE FROM engine_waits w
     USING jsonb_to_recordset($1::jsonb) AS c(event_name text, match_paths text, match_values text, index int)
     WHERE w.event_name = c.event_name AND w.match_paths = c.match_paths AND w.match_values = c.match_values
       AND (w.expires_at IS NULL OR w.expires_at > $2::timestamptz)
     RETURNING w.run_id, w.step_id, c.index`,
    [JSON.stringify(candidates), now.toISOString()],
  );
  const cancelled = matched.filter((match) => match.step_id === null).map((match) => match.run_id);
  const resumed = matched.flatMap(({ run_id, step_id, index }) =>
    step_id === null ? [] : [{ run_id, step_id, memo: { data: events[index] as unknown } }],
  );
  if (resumed.length > 0) {
    await tx.execute(`DELETE FROM engine_jobs WHERE id IN (SELECT jsonb_array_elements_text($1::jsonb))`, [
      JSON.stringify(resumed.map(({ run_id, step_id }) => stepJobId(run_id, step_id))),
    ]);
  }
  await cancelRuns(tx, cancelled, now);
  await settleSteps(tx, resumed, now);
}

/** The event that the SDK's onFailure handlers listen to. */
export function failureEvent(
  run: { id: string; function_id: string; event: EngineEvent },
  error: JsonError,
  now: Date,
): EngineEvent {
  return {
    id: newUlid(now),
    name: FUNCTION_FAILED,
    data: { function_id: run.function_id, run_id: run.id, error, event: run.event },
    ts: now.getTime(),
  };
}

export interface CronState {
  fn: RegisteredFunction;
  /** Minutes up to this one are done with. */
  after: Date;
}

/** Clocks of several machines may differ by so much; a tick that lies further ahead was a clock's mistake. */
const SKEW_MS = 60_000;

/** Forgets the ticks of a future that a clock was in by mistake: its minutes come again, and nothing waits for them. */
export async function forgetFutureTicks(db: SqlDb, now: Date): Promise<void> {
  await db.execute(`DELETE FROM engine_cron_ticks WHERE minute > $1::timestamptz`, [
    new Date(now.getTime() + SKEW_MS).toISOString(),
  ]);
}

/**
 * Starts a run for each function whose newest due minute nobody has ticked yet, and moves `after` forward.
 * The row (function, minute) belongs to who inserts it, so several processes tick once.
 */
export async function tickCrons(db: SqlDb, states: readonly CronState[], now: Date): Promise<number> {
  const mistaken = states.filter((state) => state.after.getTime() > now.getTime() + SKEW_MS);
  if (mistaken.length > 0) {
    await forgetFutureTicks(db, now);
    for (const state of mistaken) state.after = minuteOf(now);
  }
  const due = states.flatMap((state) => {
    const minute = latestDueMinute(state.fn.crons, state.after, now);
    return minute ? [{ state, minute, run_id: newUlid(now) }] : [];
  });
  if (due.length === 0) return 0;
  const started = await db.transaction(async (tx) => {
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
    return createRuns(tx, runs, now);
  });
  for (const { state, minute } of due) state.after = minute;
  return started.length;
}

function cronRun(fn: RegisteredFunction, minute: Date, run_id: string): NewRun {
  const event: EngineEvent = {
    id: run_id,
    name: 'inngest/scheduled.timer',
    data: { cron: fn.crons.map((cron) => cron.source).join(', ') },
    ts: minute.getTime(),
  };
  return { id: run_id, fn, event };
}
