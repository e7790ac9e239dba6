/** The plan of a scope's team; what it allows is in plans.rules.ts. */
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import type { TeamPlan } from './plans.rules';
import { findPlan } from './repository';

/** Reads the team's plan and add-ons. */
export async function loadTeamPlan(scope: Scope): Promise<TeamPlan> {
  const team = await findPlan(scope);
  if (!team) throw new AppError('internal_error', { internal: `Team ${scope.team_id} does not exist.` });
  return team;
}
