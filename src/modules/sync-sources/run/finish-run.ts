/**
 * Ends a run. The source's row, the run's record, the owner's mail and `sync_source.run.completed`
 * are written in the transaction of the run's last changes. A scheduled run that found nothing new
 * writes only the source's row.
 */

import type { Prisma, SyncSource } from '@/generated/prisma/client';
import { inTransaction } from '@/infra/db/transaction';
import { queueMail } from '@/modules/mail/service';
import { newId } from '@/shared/ids';
import { serializeRefusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import {
  type SkippedFeedEntry,
  type SyncRunChange,
  type SyncRunCounts,
  skippedFeedEntriesJsonColumn,
  syncRunChangesJsonColumn,
  syncRunCountsJsonColumn,
} from '../json-columns.schemas';
import * as repository from '../repository';
import { recordSyncSourceEvent } from '../service';
import type { CacheValidators } from './fetch-feed';
import type { SyncSourceLease } from './lease.repository';
import type { SyncRunOutcome } from './outcome-messages';
import type { SyncMailToOwner } from './owner-mails';
import {
  hasReservationChangesVisibleToPartners,
  type SyncRunStatus,
  type SyncRunTrigger,
  sortSyncRunChanges,
} from './report';
import {
  getNextSyncRunTimeAfterFailure,
  getNextSyncRunTimeAfterSuccess,
  parseRetryAfterHeaderAsMs,
} from './schedule.rules';

/**
 * Thrown when another run took over or the source was removed. This run must not write anything
 * more.
 */
export class SyncSourceLeaseLostError extends Error {}

export interface SyncRunResult {
  readonly trigger: SyncRunTrigger;
  readonly started_by: string | null;
  readonly status: SyncRunStatus;
  readonly outcome: SyncRunOutcome;
  readonly counts: SyncRunCounts;
  readonly skipped: readonly SkippedFeedEntry[];
  readonly changes: readonly SyncRunChange[];
  readonly http_status: number | null;
  readonly retry_after: string | null;
  readonly excerpt: string | null;
  readonly duration_ms: number;
  readonly started_at: Date;
  readonly now: Date;
  /** Columns of the source that only some runs set. */
  readonly columns?: Prisma.SyncSourceUncheckedUpdateManyInput;
}

/** The maximum number of entries and changes stored in a run's record. */
const MAX_SKIPPED = 200;
const MAX_CHANGES = 200;

/**
 * Returns whether the run emits an event. A forced run always emits an event. A scheduled run emits
 * one only if it changed data or the source's health.
 */
function emitsEvent(source: SyncSource, { trigger, counts, outcome }: SyncRunResult): boolean {
  const health_changed = healthOf(source.last_status) !== healthOf(outcome.last_status);
  return trigger === 'forced' || hasReservationChangesVisibleToPartners(counts) || health_changed;
}

/** Returns whether a run writes only the source's row. */
function isQuiet(source: SyncSource, result: SyncRunResult): boolean {
  return !emitsEvent(source, result) && !result.outcome.failed && result.counts.vanished === 0;
}

/**
 * Ends a run that found the calendar unchanged, because its fingerprint equals the stored one.
 * Usually writes only the source's row, in one statement. Throws SyncSourceLeaseLostError.
 */
export async function finishSyncRunOfUnchangedCalendar(
  scope: Scope,
  source: SyncSource,
  lease: SyncSourceLease,
  result: SyncRunResult & { readonly validators: CacheValidators },
): Promise<SyncSource> {
  const { outcome, now, validators } = result;
  if (!isQuiet(source, result))
    return inTransaction(scope, () => finishSyncRun(scope, source, lease, { ...result, columns: { ...validators } }));
  const columns = {
    ...validators,
    last_synced_at: now,
    last_status: outcome.last_status,
    last_error: serializeRefusal(outcome.last_error),
    next_run_at: getNextSyncRunTimeAfterSuccess(source.id, now),
  };
  if (!(await repository.saveSyncRunWithoutChanges(scope, source, lease.token, columns))) {
    throw new SyncSourceLeaseLostError(`The lease on ${source.id} was lost.`);
  }
  return { ...source, ...columns, running_until: null, running_token: null };
}

/**
 * Writes the end of a run, in the transaction of its last writes. Throws SyncSourceLeaseLostError.
 */
export async function finishSyncRun(
  scope: Scope,
  source: SyncSource,
  lease: SyncSourceLease,
  result: SyncRunResult,
  mails: readonly SyncMailToOwner[] = [],
): Promise<SyncSource> {
  const { outcome, now, counts } = result;
  const { next_run_at, ...columns } = {
    ...result.columns,
    ...(outcome.failed ? failureColumns(source, result) : successColumns(source, now)),
    ...(mails.some(({ template }) => template === 'sync_failing') && { failure_mailed_at: now }),
    ...(mails.some(({ template }) => template === 'sync_empty') && { empty_mailed_at: now }),
    last_synced_at: now,
    last_status: outcome.last_status,
    last_error: serializeRefusal(outcome.last_error),
    running_until: null,
    running_token: null,
  };
  // If the host changed settings since the run began, the next run is already due and is not
  // postponed.
  const saved =
    (await repository.saveSyncSourceWhileLeased(scope, source.id, lease.token, { ...columns, next_run_at }, source)) ??
    (await repository.saveSyncSourceWhileLeased(scope, source.id, lease.token, columns));
  if (!saved) throw new SyncSourceLeaseLostError(`The lease on ${source.id} was lost.`);
  if (isQuiet(source, result) && mails.length === 0) return saved;
  const run = await repository.insertSyncRun(scope, {
    id: newId('sync_run'),
    sync_source_id: source.id,
    trigger: result.trigger,
    started_by: result.started_by,
    status: result.status,
    counts: syncRunCountsJsonColumn.write(counts),
    skipped: skippedFeedEntriesJsonColumn.write(result.skipped.slice(0, MAX_SKIPPED)),
    changes: syncRunChangesJsonColumn.write(sortSyncRunChanges(result.changes).slice(0, MAX_CHANGES)),
    http_status: result.http_status,
    error: serializeRefusal(outcome.last_error),
    excerpt: result.excerpt,
    duration_ms: result.duration_ms,
    started_at: result.started_at,
    finished_at: now,
  });
  for (const { template, recipients, content } of mails) {
    for (const to of recipients) await queueMail(scope, { ...content, template, to });
  }
  if (emitsEvent(source, result)) {
    await recordSyncSourceEvent(scope, 'sync_source.run.completed', saved, {
      run: {
        id: run.id,
        trigger: result.trigger,
        status: result.status,
        ...counts,
        duration_ms: result.duration_ms,
        http_status: result.http_status,
      },
    });
  }
  return saved;
}

function successColumns(source: SyncSource, now: Date): Prisma.SyncSourceUncheckedUpdateManyInput {
  return {
    consecutive_failures: 0,
    failing_since: null,
    failure_mailed_at: null,
    next_run_at: getNextSyncRunTimeAfterSuccess(source.id, now),
  };
}

function failureColumns(source: SyncSource, { trigger, retry_after, now }: SyncRunResult) {
  const forced = trigger === 'forced';
  const failures = forced ? Math.max(source.consecutive_failures, 1) : source.consecutive_failures + 1;
  const next = getNextSyncRunTimeAfterFailure(source.id, failures, retry_after, now);
  // A forced run must not postpone the next scheduled run, unless the server sent a Retry-After.
  const planned = forced && source.next_run_at && source.next_run_at > now ? source.next_run_at : next;
  const asked = new Date(now.getTime() + (parseRetryAfterHeaderAsMs(retry_after, now) ?? 0));
  return {
    consecutive_failures: failures,
    failing_since: source.failing_since ?? now,
    next_run_at: planned < next ? later(planned, asked) : next,
  };
}

const later = (a: Date, b: Date) => (a > b ? a : b);

/**
 * Returns the health state of a status. `unchanged` is as healthy as `ok`. Every other status is
 * its own health state.
 */
const healthOf = (last_status: string | null) => (last_status === 'unchanged' ? 'ok' : last_status);
