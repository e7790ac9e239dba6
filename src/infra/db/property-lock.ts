/**
 * The foreign keys keep anything from being added to a property that goes. What they do not do: who adds something holds
 * the property's row first, which is also how it learns that there is none, and who deletes the property takes it for
 * itself before it looks for what is in the way.
 *
 * The order in which a transaction takes its locks, which keeps two from waiting for each other: property, then
 * reservation, then the team's counter (team-lock.ts), then packets.
 */
import { Prisma, transactionDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

/** Keeps the property from being deleted until the transaction ends; false when there is none. Edits are not held up. */
export async function holdProperty(scope: Scope, id: string): Promise<boolean> {
  const rows = await transactionDb(scope).$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM properties
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR KEY SHARE`);
  return rows.length === 1;
}

/** Waits for everyone who holds the property, and keeps others from it; false when there is none. */
export async function lockPropertyForDeletion(scope: Scope, id: string): Promise<boolean> {
  const rows = await transactionDb(scope).$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM properties
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR UPDATE`);
  return rows.length === 1;
}
