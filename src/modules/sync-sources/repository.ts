/** Queries on sync sources and their runs. */
import type { Prisma, SyncSource } from '@/generated/prisma/client';
import { listKeyset, type Page } from '@/infra/db/keyset';
import { type ScopedDb, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export function findSource(scope: Scope, id: string, db = scopedDb(scope)): Promise<SyncSource | null> {
  return db.syncSource.findFirst({ where: { id } });
}

export function listSources(scope: Scope, limit: number): Promise<Page<SyncSource>> {
  return listKeyset(scopedDb(scope).syncSource, 'syncSource', 'sync_source', {}, { limit });
}

export function insertSource(
  scope: Scope,
  data: Omit<Prisma.SyncSourceUncheckedCreateInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<SyncSource> {
  return db.syncSource.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export async function propertyExists(_scope: Scope, id: string, db: ScopedDb): Promise<boolean> {
  return (await db.property.findFirst({ where: { id }, select: { id: true } })) !== null;
}
