/**
 * Who may run a source now: a lease on its row, taken and given back in single statements outside any transaction, so
 * that no transaction is open while a calendar is fetched. A dead process's lease ends with it (infra/process/processes.ts).
 */
import { Prisma, type Property, type SyncSource } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { heldByTheDead, holderToken } from '@/infra/process/processes';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';

/** Longer than the fetches a source may have to wait for after it was claimed, and its own. Renewed with every write. */
export const LEASE_MS = 3 * 60 * 1_000;

export interface Lease {
  readonly token: string;
}

/** What a run needs to know of the source's property. */
export type SourceProperty = Pick<Property, 'name' | 'timezone'>;

export interface ClaimedSource {
  readonly row: SyncSource;
  readonly lease: Lease;
  /** Null when it was deleted. */
  readonly property: SourceProperty | null;
}

const until = () => new Date(clock().now().getTime() + LEASE_MS);

const runnable = (now: Date) => ({
  enabled: true,
  feed_url: { not: null },
  OR: [{ running_until: null }, { running_until: { lte: now } }],
});

/**
 * Takes the lease of a calendar, of a team or of whichever that is due; null when it runs already, is disabled, is not
 * there, or is not due any more.
 */
export async function claimSource(id: string, of: Scope | 'due'): Promise<ClaimedSource | null> {
  const token = holderToken();
  const now = clock().now();
  const whose = of === 'due' ? { next_run_at: { lte: now } } : { team_id: of.team_id, mode: of.mode };
  const rows = await systemDb().syncSource.updateManyAndReturn({
    where: { id, ...whose, ...runnable(now) },
    data: { running_until: until(), running_token: token },
  });
  const [claimed] = await withProperties(rows, { token });
  return claimed ?? null;
}

/** The sources that are due and that nobody runs, those that have waited longest first, of all teams. */
export function findDueSources(limit: number) {
  const now = clock().now();
  return systemDb().syncSource.findMany({
    where: { next_run_at: { lte: now }, ...runnable(now) },
    orderBy: [{ next_run_at: 'asc' }, { id: 'asc' }],
    take: limit,
    select: { id: true, team_id: true, feed_url: true, next_run_at: true, consecutive_failures: true },
  });
}

/** A source that ran while the clock was ahead is due now: its next moment was reckoned from then. */
export async function pullBackFuture(now: Date, skew_ms: number): Promise<void> {
  await systemDb().syncSource.updateMany({
    where: { last_synced_at: { gt: new Date(now.getTime() + skew_ms) }, next_run_at: { gt: now } },
    data: { next_run_at: now },
  });
}

async function withProperties(rows: readonly SyncSource[], lease: Lease): Promise<ClaimedSource[]> {
  if (rows.length === 0) return [];
  const properties = await systemDb().property.findMany({
    where: { id: { in: rows.map((row) => row.property_id) } },
    select: { id: true, name: true, timezone: true },
  });
  const by_id = new Map(properties.map(({ id, ...property }) => [id, property]));
  return rows.map((row) => ({ row, lease, property: by_id.get(row.property_id) ?? null }));
}

/** Gives the lease back when it is still held; a run that ended well has given it back with its last write. */
export async function releaseSource(id: string, lease: Lease): Promise<void> {
  await systemDb().syncSource.updateMany({
    where: { id, running_token: lease.token },
    data: { running_until: null, running_token: null },
  });
}

/** Frees what dead processes held. */
export async function freeLeases(): Promise<void> {
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE sync_sources SET running_until = NULL, running_token = NULL WHERE ${heldByTheDead('running_token')}`);
}
