/**
 * Locks a member's row while the member creates something that gives access to the team's data,
 * such as a webhook endpoint or a key. A simultaneous removal or change of role waits for the lock.
 */

import { Prisma, queryRowsInOpenScopeTransaction, UNSCOPED_SQL_COMMENT } from '@/infra/db/scoped-client';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { parseRole } from '@/shared/roles';
import type { Scope } from '@/shared/scope';

/**
 * Locks the acting member's row until the transaction ends. A simultaneous removal or change of
 * role waits for the lock and then revokes what this transaction created. Throws insufficient_scope
 * if the member was removed or has another role. Does nothing for API keys and jobs, which have no
 * membership.
 */
export async function lockMembership(scope: Scope): Promise<void> {
  if (scope.actor.kind !== 'user') return;
  const [row] = await queryRowsInOpenScopeTransaction<{ role: string; sees_guests: boolean }>(
    scope,
    Prisma.sql`${UNSCOPED_SQL_COMMENT} SELECT role, sees_guests FROM members
    WHERE team_id = ${scope.team_id} AND user_id = ${scope.actor.id} FOR SHARE`,
  );
  const { role, sees_guests = false } = scope.actor;
  if (!row || parseRole(row.role) !== role || (sees_guests && !row.sees_guests))
    throw new AppError('insufficient_scope', { message: createRefusal('no_longer_in_team') });
}
