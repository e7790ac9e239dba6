/** Parses and evaluates cron expressions with five fields, in UTC. */
import { Cron } from 'croner';

const DAY_MS = 24 * 60 * 60_000;

/** Parses a cron expression. Throws an Error that quotes an unsupported expression. */
export function parseCron(source: string): Cron {
  try {
    return new Cron(source, { mode: '5-part', timezone: 'UTC' });
  } catch (error) {
    throw new Error(`cron "${source}" is not supported: ${error instanceof Error ? error.message : error}`);
  }
}

/** Returns the start of the minute that contains the moment. */
export function getStartOfMinute(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 60_000) * 60_000);
}

/**
 * Returns the newest minute after `after` and up to `now` that any of the expressions matches.
 * Returns null when no minute of the last 24 hours matches. After a stop, a process therefore
 * catches up with a single tick.
 */
export function findLatestDueMinute(crons: readonly Cron[], after: Date, now: Date): Date | null {
  const from = new Date(Math.max(after.getTime(), now.getTime() - DAY_MS));
  let newest: Date | null = null;
  for (const cron of crons) {
    for (let tick = cron.nextRun(from); tick && tick <= now; tick = cron.nextRun(tick)) {
      if (!newest || tick > newest) newest = tick;
    }
  }
  return newest;
}
