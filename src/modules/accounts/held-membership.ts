/** A member who gives their own address or key the team's data, and is removed at the same moment. */

import { BEYOND_SCOPE, Prisma, transactionRows } from '@/infra/db/scoped-client';
import { AppError } from '@/shared/errors';
import { refusal } from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';

/**
 * Keeps the acting member's membership until the transaction ends: a removal waits for it, and then finds what it made.
 * Throws insufficient_scope once the member was removed. Keys and jobs are no members.
 */
export async function holdMembership(scope: Scope): Promise<void> {
  if (scope.actor.kind !== 'user') return;
  const rows = await transactionRows<{ id: string }>(
    scope,
    Prisma.sql`${BEYOND_SCOPE} SELECT id FROM members
    WHERE team_id = ${scope.team_id} AND user_id = ${scope.actor.id} FOR KEY SHARE`,
  );
  if (rows.length === 0) throw new AppError('insufficient_scope', { message: refusal('no_longer_in_team') });
}
