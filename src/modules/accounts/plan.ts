/** The plan of a scope's team; what it allows is in plans.rules.ts. */
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import type { TeamPlan } from './plans.rules';
import { findPlan } from './repository';

/** Reads the team's plan and add-ons. Call it before a transaction opens: it uses a connection of its own. */
export async function loadTeamPlan(scope: Scope): Promise<TeamPlan> {
  const team = await findPlan(scope.team_id);
  if (!team) throw new AppError('internal_error', { internal: `Team ${scope.team_id} does not exist.` });
  return team;
}
