/** A lock per team and mode, held to the end of the transaction: for counting before inserting. */
import { Prisma, transactionRows } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

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
