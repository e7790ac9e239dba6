/** The schedule: finds the calendars, across all teams, that are due, and syncs one of them. */

import { clock, MAX_CLOCK_SKEW_MS } from '@/shared/clock';
import { parseStoredRefusal } from '@/shared/refusals/refusal';
import { deleteSyncRunsBefore } from '../repository';
import { decryptFeedUrl } from '../serializer';
import { claimSyncSource, findDueSyncSources, rescheduleSyncSourcesDatedByFastClock } from './lease.repository';
import { runSyncOfClaimedSource } from './run';

export { releaseSourceLeasesOfDeadProcesses as releaseHeldSources } from './lease.repository';

/** The maximum number of sources that one query finds. The next query finds the rest. */
const FOUND_AT_ONCE = 1_000;
const KEEP_RUNS_MS = 30 * 24 * 60 * 60 * 1_000;
const PRUNE_LIMIT = 1_000;

/**
 * Returns calendars that are due and not running. The longest wait comes first, and failing
 * calendars come last.
 */
export async function findDueCalendars() {
  await rescheduleSyncSourcesDatedByFastClock(clock().now(), MAX_CLOCK_SKEW_MS);
  const rows = await findDueSyncSources(FOUND_AT_ONCE);
  const failing = (row: (typeof rows)[number]) => Number(row.consecutive_failures > 0);
  return rows
    .sort((a, b) => failing(a) - failing(b))
    .map((row) => ({
      sync_source_id: row.id,
      team_id: row.team_id,
      /**
       * The host name of the feed, because only a few calendars of one server are fetched at a
       * time.
       */
      host: hostOf(decryptFeedUrl(row)),
      due_at: row.next_run_at ?? clock().now(),
    }));
}

function hostOf(url: string | null): string {
  return url && URL.canParse(url) ? new URL(url).hostname : '';
}

/** Runs a calendar if it is still due. Of several concurrent calls, only one runs it. */
export async function pollDueCalendar(
  sync_source_id: string,
): Promise<{ outcome: string | null; problem?: string | null }> {
  const claimed = await claimSyncSource(sync_source_id, 'due');
  if (!claimed) return { outcome: 'not_due' };
  const { last_status, last_error } = await runSyncOfClaimedSource(claimed, 'schedule');
  return { outcome: last_status, problem: parseStoredRefusal(last_error)?.toString() ?? null };
}

/** Deletes old records of runs, at most PRUNE_LIMIT. Returns the number of deleted records. */
export const deleteOldSyncRuns = () =>
  deleteSyncRunsBefore(new Date(clock().now().getTime() - KEEP_RUNS_MS), PRUNE_LIMIT);
