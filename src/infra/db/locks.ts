/**
 * Row locks for two cases that foreign keys do not cover. A transaction that adds rows to a
 * property locks the property first, which also shows whether it exists. A transaction that deletes
 * a property locks it exclusively before it searches for rows that forbid the deletion.
 *
 * To avoid deadlocks, transactions take locks in this order: property, reservation, the team's
 * counter (`lockTeam`), packets.
 */
import type { Scope } from '@/shared/scope';
import { Prisma, queryRowsInOpenScopeTransaction } from './scoped-client';

/**
 * Prevents the deletion of the property until the transaction ends. Returns false when it does not
 * exist. Edits of the property are not blocked.
 */
export const lockPropertyAgainstDeletion = (scope: Scope, id: string): Promise<boolean> =>
  lockRow(scope, id, Prisma.sql`KEY SHARE`);

/**
 * Lets only one transaction at a time search for reservations with the same nights at a property.
 * Transactions that add rows are not blocked. Returns false when the property does not exist.
 */
export const lockPropertyNights = (scope: Scope, id: string): Promise<boolean> =>
  lockRow(scope, id, Prisma.sql`NO KEY UPDATE`);

/**
 * Locks the property exclusively. Waits for all transactions that have locked it, and blocks other
 * transactions, such as calendar runs and mail. Returns false when the property does not exist.
 */
export const lockProperty = (scope: Scope, id: string): Promise<boolean> => lockRow(scope, id, Prisma.sql`UPDATE`);

async function lockRow(scope: Scope, id: string, strength: Prisma.Sql): Promise<boolean> {
  const rows = await queryRowsInOpenScopeTransaction(
    scope,
    Prisma.sql`
    SELECT 1 FROM properties
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR ${strength}`,
  );
  return rows.length === 1;
}

/**
 * Takes the team's lock and returns the sequence number of its newest event. It locks the row that
 * recordEvent updates anyway.
 */
export async function lockTeam(scope: Scope): Promise<bigint> {
  const [row] = await queryRowsInOpenScopeTransaction<{ value: bigint }>(
    scope,
    Prisma.sql`
    INSERT INTO event_counters (team_id, mode, value) VALUES (${scope.team_id}, ${scope.mode}::"Mode", 0)
    ON CONFLICT (team_id, mode) DO UPDATE SET value = event_counters.value RETURNING value`,
  );
  return row?.value ?? 0n;
}
