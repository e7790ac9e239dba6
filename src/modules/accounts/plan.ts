/** The plan of a scope's team; what it allows is in plans.rules.ts. */
import { systemDb } from '@/infra/db/client';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import type { TeamPlan } from './plans.rules';

/** Reads the team's plan and add-ons. Call it before a transaction opens: it uses a connection of its own. */
export async function loadTeamPlan(scope: Scope): Promise<TeamPlan> {
  const team = await systemDb().team.findUnique({
    where: { id: scope.team_id },
    select: { plan: true, property_limit: true, packet_limit: true },
  });
  if (!team) throw new AppError('internal_error', { internal: `Team ${scope.team_id} does not exist.` });
  return team;
}
