/**
 * The lease that allows a process to run a source. It is stored in the source's row. Single
 * statements outside any transaction take and release it, so that no transaction is open during a
 * fetch. A lease ends with its process (infra/process/processes.ts).
 */
import { Prisma, type Property, type SyncSource } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { createLeaseToken, leasedByDeadProcess } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';

/**
 * The duration of a lease. It is longer than the source's own fetch and the fetches that may be
 * queued before it. Every write renews the lease.
 */
export const SYNC_SOURCE_LEASE_MS = 3 * 60 * 1_000;

export interface SyncSourceLease {
  readonly token: string;
}

/** The property's columns that a run uses. */
export type SyncRunPropertyColumns = Pick<Property, 'name' | 'timezone'>;

export interface ClaimedSyncSource {
  readonly row: SyncSource;
  readonly lease: SyncSourceLease;
  /** Null when the property was deleted. */
  readonly property: SyncRunPropertyColumns | null;
}

const until = () => new Date(clock().now().getTime() + SYNC_SOURCE_LEASE_MS);

const runnable = (now: Date) => ({
  enabled: true,
  feed_url: { not: null },
  OR: [{ running_until: null }, { running_until: { lte: now } }],
});

/**
 * Leases a calendar of the given team, or a calendar of any team that is due. Returns null when the
 * calendar is running, disabled, removed or no longer due.
 */
export async function claimSyncSource(id: string, of: Scope | 'due'): Promise<ClaimedSyncSource | null> {
  const token = createLeaseToken();
  const now = clock().now();
  const whose = of === 'due' ? { next_run_at: { lte: now } } : { team_id: of.team_id, mode: of.mode };
  const rows = await systemDb().syncSource.updateManyAndReturn({
    where: { id, ...whose, ...runnable(now) },
    data: { running_until: until(), running_token: token },
  });
  const [row] = rows;
  if (!row) return null;
  const property = await systemDb().property.findFirst({
    where: { id: row.property_id },
    select: { name: true, timezone: true },
  });
  return { row, lease: { token }, property };
}

/** Returns sources of all teams that are due and not running. The longest wait comes first. */
export function findDueSyncSources(limit: number) {
  const now = clock().now();
  return systemDb().syncSource.findMany({
    where: { next_run_at: { lte: now }, ...runnable(now) },
    orderBy: [{ next_run_at: 'asc' }, { id: 'asc' }],
    take: limit,
    select: { id: true, team_id: true, feed_url: true, next_run_at: true, consecutive_failures: true },
  });
}

/**
 * Makes sources due whose next run was scheduled while the clock was ahead, because that run would
 * be too late.
 */
export async function rescheduleSyncSourcesDatedByFastClock(now: Date, skew_ms: number): Promise<void> {
  await systemDb().syncSource.updateMany({
    where: { last_synced_at: { gt: new Date(now.getTime() + skew_ms) }, next_run_at: { gt: now } },
    data: { next_run_at: now },
  });
}

/**
 * Releases the lease if it is still held. A successful run has already released it with its last
 * write.
 */
export async function releaseSyncSourceLease(id: string, lease: SyncSourceLease): Promise<void> {
  await systemDb().syncSource.updateMany({
    where: { id, running_token: lease.token },
    data: { running_until: null, running_token: null },
  });
}

/** Releases the leases of dead processes. */
export async function releaseSourceLeasesOfDeadProcesses(): Promise<void> {
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE sync_sources SET running_until = NULL, running_token = NULL WHERE ${leasedByDeadProcess('running_token')}`);
}
