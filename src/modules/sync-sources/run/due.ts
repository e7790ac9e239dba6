/** The schedule: the calendars whose moment has come, of all teams, and the run of one of them. */
import { CLOCK_SKEW_MS, clock } from '@/shared/clock';
import { deleteRunsBefore } from '../repository';
import { feedUrl } from '../serializer';
import { claimSource, findDueSources, freeLeases, pullBackFuture } from './lease.repository';
import { runClaimed } from './run';

/** Named at once; each look names the rest again. */
const FOUND_AT_ONCE = 1_000;
/** Records of runs are kept this long. */
const KEEP_RUNS_MS = 30 * 24 * 60 * 60 * 1_000;
const PRUNE_LIMIT = 1_000;

/** A calendar that is due. */
export interface DueSource {
  sync_source_id: string;
  team_id: string;
  /** Whose server it is on: calendars of one host are fetched a few at a time. */
  host: string;
  due_at: Date;
}

/** The calendars that are due and that nobody runs, those that waited longest first, and after them those that fail. */
export async function findDue(): Promise<DueSource[]> {
  await pullBackFuture(clock().now(), CLOCK_SKEW_MS);
  const rows = await findDueSources(FOUND_AT_ONCE);
  const failing = (row: (typeof rows)[number]) => Number(row.consecutive_failures > 0);
  return rows
    .sort((a, b) => failing(a) - failing(b))
    .map((row) => ({
      sync_source_id: row.id,
      team_id: row.team_id,
      host: hostOf(feedUrl(row)),
      due_at: row.next_run_at ?? clock().now(),
    }));
}

function hostOf(url: string | null): string {
  return url && URL.canParse(url) ? new URL(url).hostname : '';
}

/** What a scheduled run came to. */
export type DueOutcome = { outcome: 'not_due' } | { outcome: string | null; problem: string | null };

/** Runs a calendar if it is still due; several may try at once, and one does. Throws for errors of ours alone. */
export async function runDue(sync_source_id: string): Promise<DueOutcome> {
  const claimed = await claimSource(sync_source_id, 'due');
  if (!claimed) return { outcome: 'not_due' };
  const { last_status, last_error } = await runClaimed(claimed, 'schedule');
  return { outcome: last_status, problem: last_error };
}

/** Removes old records of runs, a bounded number at a time. */
export async function pruneRuns(): Promise<number> {
  const before = new Date(clock().now().getTime() - KEEP_RUNS_MS);
  return deleteRunsBefore(before, PRUNE_LIMIT);
}

/** Frees what dead processes held. */
export function freeHeldSources(): Promise<void> {
  return freeLeases();
}
