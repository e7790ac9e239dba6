/**
 * The owner's settings for how members sign in. session.ts enforces the settings on each request.
 */
import { config } from '@/config';
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import { sendAccountMail } from '../mailer';
import { type ActingUser, recordMemberAuditEntry } from '../members.service';
import { findTeam, findTeamOwnerEmails, updateTeam } from '../repository';
import type { SignInRulesAndProviderName } from '../schemas';
import type { SignedInUser } from '../session';
import { assertIdentityProven } from './assert-proven';
import type { TeamSignInRules } from './team-rules.rules';

/** Returns the settings. Throws resource_missing. */
export async function readSignInRules(team_id: string): Promise<SignInRulesAndProviderName> {
  const team = await findTeam(team_id);
  if (!team) throw new AppError('resource_missing');
  const { require_second_factor, require_company_account } = team;
  return { require_second_factor, require_company_account, company: config().oidc?.name ?? null };
}

/**
 * Saves the settings. Only an owner who signed in through the company's provider can require
 * company accounts, so that the team is not locked out. Relaxing a rule requires the password or a
 * recent sign-in (assert-proven.ts). All owners are notified by mail. Throws insufficient_scope,
 * invalid_field and rate_limit_exceeded.
 */
export async function updateSignInRules(
  acting_user: ActingUser,
  signed_in: SignedInUser,
  { password, ...rules }: TeamSignInRules & { password?: string },
): Promise<SignInRulesAndProviderName> {
  const before = await readSignInRules(acting_user.team_id);
  const turns_on = rules.require_company_account && !before.require_company_account;
  if (turns_on && (before.company === null || signed_in.opened.signedInWith !== 'company_account'))
    throw new AppError('insufficient_scope', { message: createRefusal('sign_in_through_company_first') });
  const { require_second_factor, require_company_account } = rules;
  const turns_off =
    (before.require_second_factor && !require_second_factor) ||
    (before.require_company_account && !require_company_account);
  if (turns_off) await assertIdentityProven(signed_in, password, acting_user.ip);
  await updateTeam(acting_user.team_id, { require_second_factor, require_company_account });
  await recordMemberAuditEntry(acting_user, 'team.sign_in_rules_changed', acting_user.team_id, {
    require_second_factor,
    require_company_account,
  });
  const { name: subject = '' } = (await findTeam(acting_user.team_id)) ?? {};
  for (const { user } of await findTeamOwnerEmails(acting_user.team_id))
    await sendAccountMail({ template: 'security_change', to: user.email, change: 'sign_in_rules_changed', subject });
  return { ...before, require_second_factor, require_company_account };
}
