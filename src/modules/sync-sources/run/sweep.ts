/** The schedule: each minute, the calendars whose moment has come, of all teams, a bounded number at a time. */
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { deleteRunsBefore } from '../repository';
import { claimDueSources, freeLeases } from './lease.repository';
import { runClaimed } from './run';

/** Calendars are mostly waited for; this many wait together. */
const CONCURRENCY = 16;
/** Claimed in one statement. Each then waits for at most one other before its turn, well within its lease. */
const BATCH = CONCURRENCY * 2;
/** A sweep ends before the next one begins; what is left is claimed by that one. */
const SWEEP_MS = 45_000;
/** Records of runs are kept this long. */
const KEEP_RUNS_MS = 30 * 24 * 60 * 60 * 1_000;
const PRUNE_LIMIT = 1_000;

export interface SweepReport {
  done: number;
  /** Runs that ended in an error of ours; a calendar that fails is done. */
  failed: number;
  /** Whether sources were still due when the time was over. */
  more: boolean;
}

/** Runs what is due. Several instances may do so at once: every source is claimed by one of them. */
export async function runDueSources(): Promise<SweepReport> {
  const report: SweepReport = { done: 0, failed: 0, more: false };
  const started = performance.now();
  for (;;) {
    const claimed = await claimDueSources(BATCH);
    const queue = [...claimed];
    const worker = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        try {
          await runClaimed(next, 'schedule');
          report.done += 1;
        } catch (error) {
          logger().error({ err: error, sync_source_id: next.row.id }, 'a scheduled calendar run failed');
          report.failed += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, queue.length) }, worker));
    if (claimed.length < BATCH) return report;
    if (performance.now() - started > SWEEP_MS) return { ...report, more: true };
  }
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
