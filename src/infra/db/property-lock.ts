/**
 * A property and what belongs to it, without foreign keys: who adds something holds the property's row, who deletes
 * the property takes it for itself, so that nothing is added to a property that goes.
 *
 * The order in which a transaction takes its locks, which keeps two from waiting for each other: property, then
 * reservation, then the team's counter (team-lock.ts), then packets.
 */
import { Prisma, type ScopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

/** Keeps the property from being deleted until the transaction ends; false when there is none. Edits are not held up. */
export async function holdProperty(scope: Scope, tx: ScopedDb, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM properties
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR KEY SHARE`);
  return rows.length === 1;
}

/** Waits for everyone who holds the property, and keeps others from it; false when there is none. */
export async function lockPropertyForDeletion(scope: Scope, tx: ScopedDb, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM properties
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR UPDATE`);
  return rows.length === 1;
}
