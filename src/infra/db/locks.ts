/**
 * The foreign keys keep anything from being added to a property that goes. What they do not do: who adds something holds
 * the property's row first, which is also how it learns that there is none, and who deletes the property takes it for
 * itself before it looks for what is in the way.
 *
 * The order in which a transaction takes its locks, which keeps two from waiting for each other: property, then
 * reservation, then the team's counter (`lockTeam`), then packets.
 */
import type { Scope } from '@/shared/scope';
import { Prisma, transactionRows } from './scoped-client';

/** Keeps the property from being deleted until the transaction ends; false when there is none. Edits are not held up. */
export const holdProperty = (scope: Scope, id: string): Promise<boolean> => take(scope, id, Prisma.sql`KEY SHARE`);

/** Lets one at a time compare the property's nights; who adds something is not held up. False when there is none. */
export const lockNightsOf = (scope: Scope, id: string): Promise<boolean> => take(scope, id, Prisma.sql`NO KEY UPDATE`);

/** Waits for everyone who holds the property, and keeps others from it, also from what calendars and mail know; false when there is none. */
export const lockProperty = (scope: Scope, id: string): Promise<boolean> => take(scope, id, Prisma.sql`UPDATE`);

async function take(scope: Scope, id: string, strength: Prisma.Sql): Promise<boolean> {
  const rows = await transactionRows(
    scope,
    Prisma.sql`
    SELECT 1 FROM properties
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR ${strength}`,
  );
  return rows.length === 1;
}

/**
 * Waits for every other transaction of the team that took it, and returns the sequence of the team's newest event. It is the
 * row that recordEvent takes anyway.
 */
export async function lockTeam(scope: Scope): Promise<bigint> {
  const [row] = await transactionRows<{ value: bigint }>(
    scope,
    Prisma.sql`
    INSERT INTO event_counters (team_id, mode, value) VALUES (${scope.team_id}, ${scope.mode}::"Mode", 0)
    ON CONFLICT (team_id, mode) DO UPDATE SET value = event_counters.value RETURNING value`,
  );
  return row?.value ?? 0n;
}
