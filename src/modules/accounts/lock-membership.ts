/**
 * Locks the membership of a member who connects something to the team's data, such as a webhook
 * address or a key, against a simultaneous removal or demotion.
 */

import { BEYOND_SCOPE_COMMENT, Prisma, transactionRows } from '@/infra/db/scoped-client';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { parseRole } from '@/shared/roles';
import type { Scope } from '@/shared/scope';

/**
 * Locks the acting member's row until the transaction ends. A removal or a change of role waits,
 * and then revokes what this transaction created. Throws insufficient_scope if the member was
 * removed or has another role. API keys and jobs have no membership.
 */
export async function lockMembership(scope: Scope): Promise<void> {
  if (scope.actor.kind !== 'user') return;
  const [row] = await transactionRows<{ role: string; sees_guests: boolean }>(
    scope,
    Prisma.sql`${BEYOND_SCOPE_COMMENT} SELECT role, sees_guests FROM members
    WHERE team_id = ${scope.team_id} AND user_id = ${scope.actor.id} FOR SHARE`,
  );
  const { role, sees_guests = false } = scope.actor;
  if (!row || parseRole(row.role) !== role || (sees_guests && !row.sees_guests))
    throw new AppError('insufficient_scope', { message: createRefusal('no_longer_in_team') });
}
