/** A team's plan, owners and sender details, for other modules. */
import { AppError } from '@/shared/errors';
import type { SenderDetails } from '@/shared/guest-text/sender';
import type { Scope } from '@/shared/scope';
import { type ActingUser, recordMemberAuditEntry } from './members.service';
import type { TeamPricePlanColumns } from './plans.rules';
import * as repository from './repository';

export async function loadTeamPricePlanColumns(scope: Scope): Promise<TeamPricePlanColumns> {
  const team = await repository.findTeamPricePlan(scope);
  if (!team) throw new AppError('internal_error', { internal: `Team ${scope.team_id} does not exist.` });
  return team;
}

/** Returns the e-mail addresses of a team's owners, in the order in which they became members. */
export async function findOwnerEmailAddresses(team_id: string): Promise<string[]> {
  return (await repository.findTeamOwnerEmails(team_id)).map(({ user }) => user.email);
}

async function retrieveTeam({ team_id }: Pick<Scope, 'team_id'>) {
  const team = await repository.findTeam(team_id);
  if (!team) throw new AppError('resource_missing', { message: `No such team: ${team_id}` });
  return team;
}

/**
 * Returns the team's sender details, which guests see. Throws resource_missing for a deleted team.
 */
export async function readTeamSenderDetails(scope: Pick<Scope, 'team_id'>): Promise<SenderDetails> {
  const { legal_name, postal_address, contact_email } = await retrieveTeam(scope);
  return { legal_name, postal_address, contact_email };
}

/** Returns the team's name, which guests see until the team has a legal name. */
export async function readTeamName(scope: Pick<Scope, 'team_id'>): Promise<string> {
  return (await retrieveTeam(scope)).name;
}

/**
 * Replaces the sender details. Existing certificates keep the details from the time of signature.
 */
export async function updateTeamSenderDetails(acting_user: ActingUser, sender: SenderDetails): Promise<SenderDetails> {
  await repository.updateTeam(acting_user.team_id, sender);
  const data = Object.fromEntries(Object.entries(sender).map(([field, text]) => [field, text ?? '']));
  await recordMemberAuditEntry(acting_user, 'team.sender_changed', acting_user.team_id, data);
  return sender;
}
