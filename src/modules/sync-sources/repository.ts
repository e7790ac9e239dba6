/** Queries on sync sources and their runs. */
import type { Prisma, Property, SyncRun, SyncSource } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { listRowsByKeyset, type Page, type PageQuery } from '@/infra/db/keyset';
import { requireTransactionDb, Prisma as Sql, scopedDb } from '@/infra/db/scoped-client';
import { convertDatabaseDateToIsoDay, parseCalendarDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';
import type { BookingChannelOrDirect, StoredBooking } from './plan/match-bookings';

export function findSyncSource(scope: Scope, id: string): Promise<SyncSource | null> {
  return scopedDb(scope).syncSource.findFirst({ where: { id } });
}

export function listSyncSourceRows(
  scope: Scope,
  query: PageQuery,
  kinds: readonly string[],
): Promise<Page<SyncSource>> {
  const where = { kind: { in: [...kinds] } };
  return listRowsByKeyset(scopedDb(scope).syncSource, 'syncSource', 'sync_source', where, query);
}

export function insertSyncSourceRow(
  scope: Scope,
  data: Omit<Prisma.SyncSourceUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<SyncSource> {
  return scopedDb(scope).syncSource.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export function findProperty(scope: Scope, id: string): Promise<Property | null> {
  return scopedDb(scope).property.findFirst({ where: { id } });
}

/** The columns of a reservation that calendar runs and forwarded mail use. */
export interface BookingRow extends Omit<StoredBooking, 'owned'> {
  readonly sync_source_id: string | null;
  readonly guest_email: string | null;
  readonly language_known: boolean;
  readonly source: BookingChannelOrDirect;
}

/**
 * Returns a property's reservations of one channel, or of all channels, except reservations that
 * ended long ago.
 */
export async function listPropertyBookings(
  scope: Scope,
  property_id: string,
  channel: BookingChannelOrDirect | null,
  over_after: string,
): Promise<BookingRow[]> {
  const rows = await scopedDb(scope).reservation.findMany({
    where: { property_id, ...(channel && { source: channel }), checkout_date: { gte: parseCalendarDay(over_after) } },
    select: {
      id: true,
      source: true,
      sync_source_id: true,
      external_id: true,
      external_uid: true,
      guest_name: true,
      guest_email: true,
      locale: true,
      guest_locale: true,
      checkin_date: true,
      checkout_date: true,
      status: true,
      cancel_reason: true,
      signed_at: true,
      manual_override: true,
      redacted: true,
      legal_hold: true,
      feed_misses: true,
      feed_first_missed_at: true,
    },
  });
  return rows.map(({ signed_at, checkin_date, checkout_date, locale, guest_locale, ...row }) => ({
    ...row,
    language_known: locale !== null || guest_locale !== null,
    checkin_date: convertDatabaseDateToIsoDay(checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(checkout_date),
    signed: signed_at !== null,
  }));
}

/**
 * Locks reservations in the order of their ids. A transaction that changes several reservations
 * must lock them before its first event. All other changes lock the event counter last, so locking
 * a reservation after the counter could deadlock.
 */
export async function lockReservations(scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await requireTransactionDb(scope).$queryRaw(Sql.sql`
    SELECT id FROM reservations
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id IN (${Sql.join([...ids])})
    ORDER BY id FOR UPDATE`);
}

/** Writes reservation columns that partners cannot see. Skips rows that a run must not change. */
export async function saveReservationColumnsHiddenFromApi(
  scope: Scope,
  ids: string[],
  data: Prisma.ReservationUncheckedUpdateManyInput,
): Promise<void> {
  const untouchable = { OR: [{ status: 'signed' as const }, { redacted: true }, { legal_hold: true }] };
  await scopedDb(scope).reservation.updateMany({ where: { id: { in: ids }, NOT: untouchable }, data });
}

/** Resets the counts of runs in which the source's bookings were missing from the calendar. */
export async function resetMissingFromFeedCounts(scope: Scope, sync_source_id: string): Promise<void> {
  const where = { sync_source_id, feed_misses: { gt: 0 } };
  const missed = await scopedDb(scope).reservation.findMany({ where, select: { id: true } });
  const ids = missed.map(({ id }) => id);
  await lockReservations(scope, ids);
  await saveReservationColumnsHiddenFromApi(scope, ids, { feed_misses: 0, feed_first_missed_at: null });
}

/** Returns ids of the property's other active calendars. */
export async function listIdsOfOtherSyncSourcesOfProperty(
  scope: Scope,
  source: Pick<SyncSource, 'id' | 'property_id'>,
): Promise<Set<string>> {
  const rows = await scopedDb(scope).syncSource.findMany({
    where: { property_id: source.property_id, enabled: true, feed_url: { not: null }, id: { not: source.id } },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

/**
 * Updates the source if the lease is still held. Returns null when the lease was lost, the source
 * was removed, or `planned` is given and its `next_run_at` is not the stored value.
 */
export async function saveSyncSourceWhileLeased(
  scope: Scope,
  id: string,
  running_token: string,
  data: Prisma.SyncSourceUncheckedUpdateManyInput,
  planned?: Pick<SyncSource, 'next_run_at'>,
): Promise<SyncSource | null> {
  const where = { id, running_token, ...(planned && { next_run_at: planned.next_run_at }) };
  const rows = await scopedDb(scope).syncSource.updateManyAndReturn({ where, data });
  return rows[0] ?? null;
}

/**
 * Ends a run that found nothing new. Returns whether the lease was still held. Most polls end this
 * way, and one plain statement takes a quarter of the time of Prisma's update.
 */
export async function saveSyncRunWithoutChanges(
  scope: Scope,
  { id, next_run_at }: Pick<SyncSource, 'id' | 'next_run_at'>,
  running_token: string,
  to: Pick<SyncSource, 'last_synced_at' | 'last_status' | 'last_error' | 'next_run_at' | 'etag' | 'last_modified'>,
): Promise<boolean> {
  const at = (time: Date | null) => Sql.sql`${time?.toISOString() ?? null}::timestamptz`;
  const rows = await scopedDb(scope).$executeRaw(Sql.sql`
    UPDATE sync_sources SET last_synced_at = ${at(to.last_synced_at)}, last_status = ${to.last_status},
      last_error = ${to.last_error}, etag = ${to.etag},
      next_run_at = CASE WHEN next_run_at IS NOT DISTINCT FROM ${at(next_run_at)} THEN ${at(to.next_run_at)} ELSE next_run_at END,
      last_modified = ${to.last_modified}, running_until = NULL, running_token = NULL
    WHERE id = ${id} AND team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND running_token = ${running_token}`);
  return rows === 1;
}

export function insertSyncRun(
  scope: Scope,
  data: Omit<Prisma.SyncRunUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<SyncRun> {
  return scopedDb(scope).syncRun.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export function listSyncRunRows(scope: Scope, sync_source_id: string, limit: number): Promise<SyncRun[]> {
  return scopedDb(scope).syncRun.findMany({
    where: { sync_source_id },
    orderBy: [{ started_at: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}

export function listSyncSourcesOfProperty(scope: Scope, property_id: string): Promise<SyncSource[]> {
  return scopedDb(scope).syncSource.findMany({
    where: { property_id },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
  });
}

/**
 * Deletes old records of runs of all teams, at most `limit`. Returns the number of deleted records.
 */
export async function deleteSyncRunsBefore(before: Date, limit: number): Promise<number> {
  return (await systemDb().syncRun.deleteMany({ where: { started_at: { lt: before } }, limit })).count;
}
