/** Queries on trails. The first entry is inserted by reservations/repository.ts. */
import type { Prisma, TrailEntry } from '@/generated/prisma/client';
import { requireTransactionDb, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export type NewTrailEntry = Omit<Prisma.TrailEntryCreateManyInput, 'team_id' | 'mode'>;

export function listTrailEntryRows(scope: Scope, reservation_id: string): Promise<TrailEntry[]> {
  return scopedDb(scope).trailEntry.findMany({ where: { reservation_id }, orderBy: { seq: 'asc' } });
}

export function findLastTrailEntry(scope: Scope, reservation_id: string): Promise<TrailEntry | null> {
  return requireTransactionDb(scope).trailEntry.findFirst({ where: { reservation_id }, orderBy: { seq: 'desc' } });
}

export async function insertTrailEntries(scope: Scope, entries: NewTrailEntry[]): Promise<void> {
  await requireTransactionDb(scope).trailEntry.createMany({
    data: entries.map((entry) => ({ ...entry, team_id: scope.team_id, mode: scope.mode })),
  });
}
