/** Creates teams, at first start, at sign-up and for the operator, and sets their plan. */
import { randomBytes } from 'node:crypto';
import { recordTeamAuditEntry } from '@/modules/audit-log/service';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import { assertStorableText } from '@/shared/text/storable-text';
import { doesAnyUserOrTeamExist, findTeam, findUserByEmail, insertTeam, updateTeam } from './repository';
import { PricingPlan, type Team, TeamName } from './schemas';
import { hashPassword } from './sign-in/password';
import { COMMON_PASSWORD_REFUSAL, isCommonPassword } from './sign-in/password-strength';

/** Converts `Sea View Stays` to `sea-view-stays-3f9a1c`. The suffix distinguishes equal names. */
function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40);
  return `${words || 'team'}-${randomBytes(4).toString('hex')}`;
}

/**
 * Creates a team on behalf of the operator. If the address has no account, creates the owner with a
 * verified address. An existing account keeps its password, but must have a confirmed address.
 * Throws `missing_required_field` or `invalid_field`.
 */
export async function createTeam(input: {
  name: string;
  owner_email: string;
  owner_password: string;
  plan?: string;
}): Promise<{ team: Team; owner: { email: string } }> {
  const name = input.name.trim();
  const email = input.owner_email.trim().toLowerCase();
  assertStorableText({ name, owner_email: email });
  if (!name) throw new AppError('missing_required_field', { param: 'name', message: '`name` is required.' });
  if (!TeamName.safeParse(name).success) {
    throw new AppError('invalid_field', { param: 'name', message: '`name` is too long.' });
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    throw new AppError('invalid_field', { param: 'owner_email', message: '`owner_email` is not an email address.' });
  }
  const plan = parsePlan(input.plan ?? 'free');
  const existing = await findUserByEmail(email);
  if (!existing && !input.owner_password) {
    throw new AppError('missing_required_field', { param: 'owner_password', message: '`owner_password` is required.' });
  }
  if (existing && !existing.emailVerified) {
    throw new AppError('invalid_field', {
      param: 'owner_email',
      message:
        'Somebody has signed up with this address and never confirmed it, so the account may be anyone’s. ' +
        'Let its owner choose a new password by the mailed link, or hand over the link of `user reset-link`, and try again.',
    });
  }
  if (!existing && (await isCommonPassword(input.owner_password, [email, name]))) {
    throw new AppError('invalid_field', { param: 'owner_password', message: COMMON_PASSWORD_REFUSAL });
  }
  const new_user = existing
    ? null
    : {
        id: newId('user'),
        name: email.split('@')[0] ?? email,
        email,
        password_hash: await hashPassword(input.owner_password),
      };
  const team = { id: newId('team'), name, plan };
  const user_id = existing?.id ?? new_user?.id ?? '';
  try {
    await insertTeam({ team: { ...team, slug: slugOf(name) }, user_id, new_user });
  } catch (error) {
    // A concurrent request created the account. The next attempt finds it.
    if (new_user && (error as { code?: string }).code === 'P2002' && (await findUserByEmail(email)))
      return createTeam(input);
    throw error;
  }
  await recordTeamAuditEntry({ team_id: team.id, action: 'team.created', actor: 'operator' });
  return { team, owner: { email } };
}

function parsePlan(plan: string): PricingPlan {
  const parsed = PricingPlan.safeParse(plan);
  if (!parsed.success) throw new AppError('invalid_field', { param: 'plan', message: '`plan` is `free` or `pro`.' });
  return parsed.data;
}

/**
 * The number of teams that a user can create and own. The operator may create more teams for a
 * user.
 */
export const MAX_TEAMS_PER_USER = 10;

/** Creates a team on the free plan for a signed-up user. */
export async function createTeamForUser(
  user: { id: string; name: string },
  name: string,
  ip: string | null,
): Promise<Team> {
  const team = { id: newId('team'), name, plan: 'free' as const };
  if (
    !(await insertTeam({ team: { ...team, slug: slugOf(name) }, user_id: user.id, new_user: null }, MAX_TEAMS_PER_USER))
  ) {
    throw new AppError('invalid_field', {
      param: 'name',
      message: createRefusal('own_so_many_teams', { teams: MAX_TEAMS_PER_USER }),
    });
  }
  await recordTeamAuditEntry({ team_id: team.id, action: 'team.created', actor: user.id, actor_name: user.name, ip });
  return team;
}

/** Sets a team's plan on behalf of the operator. Throws `resource_missing` and `invalid_field`. */
export async function setTeamPricePlan(team_id: string, plan: string): Promise<Team> {
  const wanted = parsePlan(plan);
  if (!(await findTeam(team_id))) throw new AppError('resource_missing', { message: `No such team: ${team_id}` });
  const row = await updateTeam(team_id, { plan: wanted });
  await recordTeamAuditEntry({ team_id, action: 'team.plan_changed', actor: 'operator', data: { plan: wanted } });
  return { id: row.id, name: row.name, plan: wanted };
}

/** Returns whether this installation has any account or team. */
export const hasAnyAccount = doesAnyUserOrTeamExist;
