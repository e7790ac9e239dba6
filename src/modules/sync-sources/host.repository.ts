/** Queries on sync sources for the dashboard. */
import type { Prisma, SyncSource } from '@/generated/prisma/client';
import { requireTransactionDb, Prisma as Sql, scopedDb } from '@/infra/db/scoped-client';
import { convertDatabaseDateToIsoDay, parseCalendarDay } from '@/shared/calendar-day';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';

const UPCOMING = 100;

export async function saveSyncSource(
  scope: Scope,
  id: string,
  data: Prisma.SyncSourceUncheckedUpdateManyInput,
): Promise<SyncSource> {
  const rows = await scopedDb(scope).syncSource.updateManyAndReturn({ where: { id }, data });
  if (!rows[0]) throw new AppError('resource_missing');
  return rows[0];
}

/** Locks the source's row, so that a list in it can be read, changed and written back. */
export async function lockSyncSource(scope: Scope, id: string): Promise<SyncSource> {
  await requireTransactionDb(scope).$queryRaw(Sql.sql`
    SELECT id FROM sync_sources
    WHERE id = ${id} AND team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" FOR NO KEY UPDATE`);
  const row = await requireTransactionDb(scope).syncSource.findFirst({ where: { id } });
  if (!row) throw new AppError('resource_missing');
  return row;
}

/** Deletes a source with its runs and mails. Its reservations remain, without a source. */
export async function deleteSyncSource(scope: Scope, id: string): Promise<void> {
  await scopedDb(scope).syncSource.deleteMany({ where: { id } });
}

export async function findPropertyNames(scope: Scope, rows: readonly SyncSource[]): Promise<Map<string, string>> {
  const ids = [...new Set(rows.map(({ property_id }) => property_id))];
  if (ids.length === 0) return new Map();
  const found = await scopedDb(scope).property.findMany({
    where: { id: { in: ids } },
    select: { id: true, name: true },
  });
  return new Map(found.map(({ id, name }) => [id, name]));
}

export async function findGuestNamesByReservation(scope: Scope, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await scopedDb(scope).reservation.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, guest_name: true },
  });
  return new Map(found.map(({ id, guest_name }) => [id, guest_name]));
}

/** Returns the given reservations by id, in their current state. */
export async function findStaysByIds(scope: Scope, ids: readonly string[]) {
  type NamedStay = { guest_name: string; checkin_date: string; checkout_date: string };
  if (ids.length === 0) return new Map<string, NamedStay>();
  const found = await scopedDb(scope).reservation.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, guest_name: true, checkin_date: true, checkout_date: true },
  });
  return new Map<string, NamedStay>(
    found.map(({ id, guest_name, checkin_date, checkout_date }) => [
      id,
      {
        guest_name,
        checkin_date: convertDatabaseDateToIsoDay(checkin_date),
        checkout_date: convertDatabaseDateToIsoDay(checkout_date),
      },
    ]),
  );
}

/** Counts the mails that wait in the inbox for the host, by source. */
export async function countInboxMailsBySyncSource(
  scope: Scope,
  source_ids: readonly string[],
): Promise<Map<string, number>> {
  if (source_ids.length === 0) return new Map();
  const groups = await scopedDb(scope).inboundMail.groupBy({
    by: ['sync_source_id'],
    where: { sync_source_id: { in: [...source_ids] }, status: 'inbox' },
    _count: { _all: true },
  });
  return new Map(groups.map((group) => [group.sync_source_id, group._count._all]));
}

/** Returns a source's reservations that are not over, sorted by arrival. */
export async function listUpcomingReservations(scope: Scope, sync_source_id: string, today: string) {
  const rows = await scopedDb(scope).reservation.findMany({
    where: { sync_source_id, checkout_date: { gt: parseCalendarDay(today) } },
    orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }],
    take: UPCOMING,
    select: { id: true, guest_name: true, checkin_date: true, checkout_date: true, status: true, guest_email: true },
  });
  return rows.map(({ guest_email, checkin_date, checkout_date, ...row }) => ({
    ...row,
    checkin_date: convertDatabaseDateToIsoDay(checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(checkout_date),
    contact_missing: guest_email === null,
  }));
}
