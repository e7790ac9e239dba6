/** Members, invitations and sessions: who may get into a team, and from where they are in it. */

import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import { hashToken } from '@/infra/encryption';
import type { AuditAction, AuditDetails } from '@/modules/audit-log/actions';
import { recordTeamAudit } from '@/modules/audit-log/service';
import { assertTeamMayMail } from '@/modules/mail/budget';
import { mailIsSent, wasCaptured } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { refusal } from '@/shared/refusals/refusal';
import { mailboxOf } from '@/shared/text/mailbox';
import { INVITATION_DAYS, sendAccountMail } from './mailer';
import * as repository from './repository';
import type { Invitation, InvitationView, Member, NewInvitation, Role, SignedInSession, Team } from './schemas';
import { countUp } from './tallies/tally.repository';

/** Who does it, for the audit log. */
export interface Doer {
  team_id: string;
  user: { id: string; name: string; email: string };
  ip: string | null;
}

export const audit = ({ team_id, user, ip }: Doer, action: AuditAction, object_id: string, data?: AuditDetails) =>
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
  if (!member || outcome === 'missing') throw new AppError('resource_missing', { message: refusal('no_such_member') });
  if (outcome === 'last_owner') {
    throw new AppError('invalid_field', {
      param: 'role',
      message: refusal('a_team_needs_an_owner'),
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

/** Invitations a day: by one user, by one team, and to one address, by whomever. */
export const INVITATIONS_A_DAY = { user: 30, team: 40, address: 5 };
const DAY_MS = 86_400_000;

async function assertFewInvitations(user_id: string, team_id: string, email: string): Promise<void> {
  for (const [kind, subject] of Object.entries({ user: user_id, team: team_id, address: mailboxOf(email) })) {
    const limit = INVITATIONS_A_DAY[kind as keyof typeof INVITATIONS_A_DAY];
    if ((await countUp(`invitation:${kind}:${subject}`, DAY_MS)) > limit) {
      throw new AppError('rate_limit_exceeded', {
        message: refusal('too_many_invitations'),
        retryAfter: DAY_MS / 1000,
      });
    }
  }
}

/**
 * Invites an address for seven days and mails the link. Nothing but that mail carries its secret; where no mail is sent the
 * owner gets the link to hand over, and it then proves no address (provesAddress). Only for owners whose own address is
 * confirmed. A newer invitation of the same address replaces an older one.
 */
export async function invite(doer: Doer, team: Team, input: { email: string; role: Role }): Promise<NewInvitation> {
  const inviter = await repository.findUser(doer.user.id);
  if (!inviter?.emailVerified) {
    throw new AppError('insufficient_scope', {
      message: mailIsSent() ? refusal('confirm_your_address') : refusal('address_cannot_be_confirmed'),
    });
  }
  const email = input.email.toLowerCase();
  await assertNoMember(team.id, email);
  await assertFewInvitations(doer.user.id, team.id, email);
  if (mailIsSent()) await assertTeamMayMail(team.id, { template: 'invitation', to: email });
  const { invitation, url, mail_id } = await open(doer.user.id, team.id, { email, role: input.role });
  await sendAccountMail({
    template: 'invitation',
    id: mail_id,
    to: email,
    team_name: team.name,
    inviter_name: doer.user.name,
    role: input.role,
    url,
  });
  await audit(doer, 'member.invited', invitation.id, { email, role: input.role });
  return { ...invitation, url: mailIsSent() ? null : url };
}

/**
 * An invitation in the name of the team's first owner, by the operator, who hands the link over: on an installation
 * without mail there is no other way in. The operator answers for the address, as with an owner he makes.
 */
export async function inviteByOperator(
  team_id: string,
  input: { email: string; role: Role },
): Promise<{ url: string; expires_at: string }> {
  const owner = (await repository.findMembers(team_id)).find((member) => member.role === 'owner');
  if (!owner) throw new AppError('resource_missing', { message: `No such team: ${team_id}` });
  const email = input.email.toLowerCase();
  await assertNoMember(team_id, email);
  const { invitation, url } = await open(owner.userId, team_id, { email, role: input.role });
  const data = { email, role: input.role };
  const object_id = invitation.id;
  await recordTeamAudit({
    team_id,
    action: 'member.invited',
    actor: 'operator',
    actor_name: null,
    object_id,
    ip: null,
    data,
  });
  return { url, expires_at: invitation.expires_at };
}

async function assertNoMember(team_id: string, email: string): Promise<void> {
  const members = await repository.findMembers(team_id);
  if (members.some((member) => member.user.email === email)) {
    throw new AppError('invalid_field', { param: 'email', message: refusal('already_a_member') });
  }
}

async function open(inviter_id: string, team_id: string, { email, role }: { email: string; role: Role }) {
  const now = clock().now();
  const expires_at = new Date(now.getTime() + INVITATION_DAYS * DAY_MS);
  const token = randomBytes(24).toString('base64url');
  const row = { id: newId('invitation'), token_hash: hashToken(token), mail_id: newId('mail') };
  if (!(await repository.insertInvitation({ ...row, team_id, email, role, inviter_id, expires_at }))) {
    throw new AppError('insufficient_scope', { message: refusal('only_the_owner') });
  }
  const times = { expires_at: expires_at.toISOString(), created_at: now.toISOString() };
  return {
    invitation: { id: row.id, email, role, ...times },
    url: `${config().app_url}/invite/${token}`,
    mail_id: row.mail_id,
  };
}

/** Withdraws an open invitation. */
export async function revokeInvitation(doer: Doer, id: string): Promise<void> {
  const revoked = await repository.cancelInvitation(doer.team_id, id);
  if (!revoked) throw new AppError('resource_missing', { message: refusal('invitation_not_open') });
  await audit(doer, 'member.invitation_revoked', id, { email: revoked.email });
}

/** What the bearer of the link may see. Throws `resource_missing`. */
export async function viewInvitation(token: string): Promise<InvitationView> {
  const row = await repository.findInvitation(hashToken(token));
  if (!row) throw new AppError('resource_missing', { message: refusal('invitation_missing') });
  const expired = row.expiresAt <= clock().now();
  const state =
    row.status === 'accepted' ? 'accepted' : row.status !== 'pending' ? 'revoked' : expired ? 'expired' : 'open';
  return {
    email: row.email,
    role: (row.role ?? 'member') as Role,
    team_name: row.organization.name,
    inviter_name: row.user.name,
    state,
    has_account: (await repository.findUserByEmail(row.email)) !== null,
  };
}

/**
 * Whether the secret is that of an open invitation of the address: who has it got the mail. Not where the mail was kept and
 * an owner handed the link over: that proves nothing of the address.
 */
export async function provesAddress(token: string, email: string): Promise<boolean> {
  const row = await repository.findInvitation(hashToken(token));
  if (row?.status !== 'pending' || row.expiresAt <= clock().now() || row.email !== email.toLowerCase()) return false;
  return wentByMail(row);
}

/** Whether the secret reached its addressee alone, or an operator answers for the address. Not where its mail was kept and an owner has it. */
const wentByMail = async ({ mail_id }: { mail_id: string | null }) => mail_id === null || !(await wasCaptured(mail_id));

/** Makes the signed-in user a member. The invitation is for one address: whoever holds the link must own it. */
export async function acceptInvitation(
  user: { id: string; name: string; email: string; session_id: string },
  token: string,
  ip: string | null,
): Promise<void> {
  const row = await repository.findInvitation(hashToken(token));
  if (!row) throw new AppError('resource_missing', { message: refusal('invitation_missing') });
  if (row.email !== user.email.toLowerCase()) {
    throw new AppError('insufficient_scope', {
      message: refusal('invitation_for_another', { email: row.email }),
    });
  }
  const proves_address = await wentByMail(row);
  const accepted = await repository.acceptInvitation(hashToken(token), user.id, user.session_id, proves_address);
  if (!accepted) throw new AppError('resource_missing', { message: refusal('invitation_not_open_ask') });
  await audit({ team_id: row.organizationId, user, ip }, 'member.joined', row.id, { email: row.email });
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
  if (!revoked) throw new AppError('resource_missing', { message: refusal('session_has_ended') });
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

/** Whether somebody has shown that the address of an account is theirs. */
export async function isAddressConfirmed(user_id: string): Promise<boolean> {
  return (await repository.findUser(user_id))?.emailVerified ?? false;
}
