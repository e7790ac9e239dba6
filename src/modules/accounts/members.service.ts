/** Members, invitations and sessions: who may get into a team, and from where they are in it. */
import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import type { AuditAction } from '@/modules/audit-log/actions';
import { recordTeamAudit } from '@/modules/audit-log/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { INVITATION_DAYS, sendAccountMail } from './mailer';
import * as repository from './repository';
import type { Invitation, InvitationView, Member, Role, SignedInSession, Team } from './schemas';

/** Who does it, for the audit log. */
export interface Doer {
  team_id: string;
  user: { id: string; name: string; email: string };
  ip: string | null;
}

const audit = ({ team_id, user, ip }: Doer, action: AuditAction, object_id: string, data?: Record<string, string>) =>
  recordTeamAudit({ team_id, action, actor: user.id, actor_name: user.name, object_id, ip, data });

/** The team's members, the oldest first. */
export async function listMembers(team_id: string): Promise<Member[]> {
  const rows = await repository.findMembers(team_id);
  return rows.map((row) => ({
    id: row.id,
    user_id: row.userId,
    name: row.user.name,
    email: row.user.email,
    role: row.role as Role,
    two_factor_enabled: row.user.twoFactorEnabled ?? false,
    created_at: row.createdAt.toISOString(),
  }));
}

/** Changes a member's role, or removes the member. A team always keeps an owner. */
export async function changeMember(doer: Doer, member_id: string, change: { role: Role } | 'remove'): Promise<void> {
  const member = await repository.findMember(doer.team_id, member_id);
  const outcome = await repository.changeMember(doer.team_id, member_id, change);
  if (!member || outcome === 'missing')
    throw new AppError('resource_missing', { message: 'No such member of this team.' });
  if (outcome === 'last_owner') {
    throw new AppError('invalid_field', {
      param: 'role',
      message: 'A team needs an owner. Make someone else an owner first.',
    });
  }
  // The member's row may be gone: the entry says by itself who it was.
  const { email } = member.user;
  if (change === 'remove') await audit(doer, 'member.removed', member_id, { email });
  else await audit(doer, 'member.role_changed', member_id, { email, role: change.role });
}

/** Open invitations, the newest first. */
export async function listInvitations(team_id: string): Promise<Invitation[]> {
  const rows = await repository.findOpenInvitations(team_id);
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: (row.role ?? 'member') as Role,
    expires_at: row.expiresAt.toISOString(),
    created_at: row.createdAt.toISOString(),
  }));
}

/** Invites an address for seven days and mails the link. A newer invitation of the same address replaces an older one. */
export async function invite(doer: Doer, team: Team, input: { email: string; role: Role }): Promise<Invitation> {
  const email = input.email.toLowerCase();
  const members = await repository.findMembers(team.id);
  if (members.some((member) => member.user.email === email)) {
    throw new AppError('invalid_field', { param: 'email', message: 'This person is already a member of the team.' });
  }
  const now = clock().now();
  const expires_at = new Date(now.getTime() + INVITATION_DAYS * 86_400_000);
  const id = `inv_${randomBytes(18).toString('base64url')}`;
  await repository.insertInvitation({
    id,
    team_id: team.id,
    email,
    role: input.role,
    inviter_id: doer.user.id,
    expires_at,
  });
  await sendAccountMail({
    template: 'invitation',
    to: email,
    team_name: team.name,
    inviter_name: doer.user.name,
    role: input.role,
    url: `${config().app_url}/invite/${id}`,
  });
  await audit(doer, 'member.invited', id, { email, role: input.role });
  return { id, email, role: input.role, expires_at: expires_at.toISOString(), created_at: now.toISOString() };
}

/** Withdraws an open invitation. */
export async function revokeInvitation(doer: Doer, id: string): Promise<void> {
  const revoked = await repository.cancelInvitation(doer.team_id, id);
  if (!revoked) throw new AppError('resource_missing', { message: 'This invitation is no longer open.' });
  await audit(doer, 'member.invitation_revoked', id, { email: revoked.email });
}

/** What the bearer of the link may see. Throws `resource_missing`. */
export async function viewInvitation(id: string): Promise<InvitationView> {
  const row = await repository.findInvitation(id);
  if (!row) throw new AppError('resource_missing', { message: 'This invitation does not exist.' });
  const expired = row.expiresAt <= clock().now();
  const state =
    row.status === 'accepted' ? 'accepted' : row.status !== 'pending' ? 'revoked' : expired ? 'expired' : 'open';
  return {
    id: row.id,
    email: row.email,
    role: (row.role ?? 'member') as Role,
    team_name: row.organization.name,
    inviter_name: row.user.name,
    state,
    has_account: (await repository.findUserByEmail(row.email)) !== null,
  };
}

/** Makes the signed-in user a member. The invitation is for one address: whoever holds the link must own it. */
export async function acceptInvitation(
  user: { id: string; name: string; email: string; session_id: string },
  id: string,
  ip: string | null,
): Promise<void> {
  const row = await repository.findInvitation(id);
  if (!row) throw new AppError('resource_missing', { message: 'This invitation does not exist.' });
  if (row.email !== user.email.toLowerCase()) {
    throw new AppError('insufficient_scope', {
      message: `This invitation is for ${row.email}. Sign in with that address.`,
    });
  }
  const accepted = await repository.acceptInvitation(id, user.id, user.session_id);
  if (!accepted)
    throw new AppError('resource_missing', { message: 'This invitation is no longer open. Ask for another.' });
  await audit({ team_id: row.organizationId, user, ip }, 'member.joined', id, { email: row.email });
}

/** Where the user is signed in; the current session is marked. */
export async function listSessions(user_id: string, current_id: string): Promise<SignedInSession[]> {
  const rows = await repository.findSessions(user_id);
  return rows.map((row) => ({
    id: row.id,
    current: row.id === current_id,
    ip: row.ipAddress || null,
    user_agent: row.userAgent || null,
    created_at: row.createdAt.toISOString(),
    last_seen_at: row.updatedAt.toISOString(),
  }));
}

/** Signs the user out of one session. */
export async function revokeSession(doer: Doer, id: string): Promise<void> {
  const revoked = await repository.deleteSession(doer.user.id, id);
  if (!revoked) throw new AppError('resource_missing', { message: 'This session has already ended.' });
  await audit(doer, 'session.revoked', id);
}

/** Signs the user out everywhere but here. */
export async function revokeOtherSessions(doer: Doer, keep_id: string): Promise<void> {
  const count = await repository.deleteOtherSessions(doer.user.id, keep_id);
  await audit(doer, 'session.revoked_others', doer.user.id, { count: String(count) });
}

/** Renames the team. */
export async function renameTeam(doer: Doer, name: string): Promise<Team> {
  const row = await repository.updateTeam(doer.team_id, { name });
  await audit(doer, 'team.renamed', doer.team_id, { name });
  return { id: row.id, name: row.name, plan: row.plan as Team['plan'] };
}
