/** What a team tells guests of itself. */
import { AppError } from '@/shared/errors';
import type { Sender } from '@/shared/guest-text/sender';
import type { Scope } from '@/shared/scope';
import { audit, type Doer } from './members.service';
import * as repository from './repository';

/** Throws resource_missing for a team that was deleted. */
export async function readSender({ team_id }: Pick<Scope, 'team_id'>): Promise<Sender> {
  const team = await repository.findTeam(team_id);
  if (!team) throw new AppError('resource_missing', { message: `No such team: ${team_id}` });
  const { legal_name, postal_address, contact_email } = team;
  return { legal_name, postal_address, contact_email };
}

/** The team's own name: the guest's counterparty while there is no legal name. */
export async function readTeamName({ team_id }: Pick<Scope, 'team_id'>): Promise<string> {
  const team = await repository.findTeam(team_id);
  if (!team) throw new AppError('resource_missing', { message: `No such team: ${team_id}` });
  return team.name;
}

/** Replaces it; certificates keep what was said when they were signed. */
export async function updateSender(doer: Doer, sender: Sender): Promise<Sender> {
  await repository.updateTeam(doer.team_id, sender);
  await audit(
    doer,
    'team.sender_changed',
    doer.team_id,
    Object.fromEntries(Object.entries(sender).map(([field, text]) => [field, text ?? ''])),
  );
  return sender;
}
