/** Members, invitations and sessions of a team. */

import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import { hashToken } from '@/infra/encryption';
import type { AuditAction, AuditEntryDetails } from '@/modules/audit-log/actions';
import { recordTeamAuditEntry } from '@/modules/audit-log/service';
import { assertTeamWithinMailBudget } from '@/modules/mail/budget';
import { isMailCapturedInsteadOfSent, isMailProviderConfigured } from '@/modules/mail/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { createRefusal } from '@/shared/refusals/refusal';
import { parseRole } from '@/shared/roles';
import type { Mode } from '@/shared/scope';
import { normalizeMailboxAddress } from '@/shared/text/mailbox';
import { countAttemptAndGetWindowTotal } from './attempt-counters/attempt-counter.repository';
import { disconnectAssistants } from './confirmation/confirmation.repository';
import { INVITATION_LIFETIME_DAYS, sendAccountMail } from './mailer';
import type { MemberAccessUpdate } from './repository';
import * as repository from './repository';
import type {
  CreatedInvitation,
  Invitation,
  InvitationPageContent,
  Member,
  Role,
  SignedInSession,
  Team,
} from './schemas';
import { type AuditedUser, recordUserAuditEntry } from './sign-in/auth-audit';

export type { MemberAccessUpdate };

/** A person to invite. Only co-hosts are assigned to properties. */
interface NewMember {
  email: string;
  role: Role;
  property_ids?: string[];
}

/** The acting user, for the audit log. */
export interface ActingUser {
  team_id: string;
  user: { id: string; name: string; email: string };
  ip: string | null;
}

export const recordMemberAuditEntry = (
  { team_id, user, ip }: ActingUser,
  action: AuditAction,
  object_id: string,
  data?: AuditEntryDetails,
) => recordTeamAuditEntry({ team_id, action, actor: user.id, actor_name: user.name, object_id, ip, data });

/** Returns the team's members, oldest first. */
export async function listMembers(team_id: string, mode: Mode): Promise<Member[]> {
  const rows = await repository.findMembers(team_id);
  const assigned = await repository.findPropertyAssignments(team_id, mode);
  return rows.map((row) => ({
    id: row.id,
    user_id: row.userId,
    name: row.user.name,
    email: row.user.email,
    role: parseRole(row.role),
    sees_guests: row.sees_guests,
    property_ids: assigned.flatMap(({ member_id, property_id }) => (member_id === row.id ? property_id : [])),
    two_factor_enabled: row.user.twoFactorEnabled ?? false,
    created_at: row.createdAt.toISOString(),
  }));
}

/**
 * Returns the members as the viewer may see them. Co-hosts and developers see only the names and
 * roles of other members.
 */
export async function listVisibleMembers(viewer: { id: string; role: Role }, team_id: string, mode: Mode) {
  const members = await listMembers(team_id, mode);
  if (viewer.role === 'owner' || viewer.role === 'manager') return members;
  const hidden = { email: '', property_ids: [], sees_guests: false, two_factor_enabled: false };
  return members.map((member) => (member.user_id === viewer.id ? member : { ...member, ...hidden }));
}

/** Changes a member's role, or removes the member. A team always keeps an owner. */
export async function updateMemberAccessOrRemoveMember(
  acting_user: ActingUser,
  member_id: string,
  change: MemberAccessUpdate | 'remove',
): Promise<void> {
  const member = await repository.findMember(acting_user.team_id, member_id);
  const outcome = await repository.updateMemberAccessOrDeleteMemberRow(
    acting_user.team_id,
    acting_user.user.id,
    member_id,
    change,
  );
  if (outcome === 'not_owner') throw new AppError('insufficient_scope', { message: createRefusal('only_the_owner') });
  if (!member || outcome === 'missing')
    throw new AppError('resource_missing', { message: createRefusal('no_such_member') });
  if (outcome === 'last_owner') {
    throw new AppError('invalid_field', { param: 'role', message: createRefusal('a_team_needs_an_owner') });
  }
  // The member's row may be deleted, so the audit entry includes the address.
  const { email } = member.user;
  if (change === 'remove') await recordMemberAuditEntry(acting_user, 'member.removed', member_id, { email });
  else {
    const { role, sees_guests, assigned } = change;
    await recordMemberAuditEntry(acting_user, 'member.role_changed', member_id, {
      ...{ email, role },
      ...(role === 'developer' && sees_guests !== undefined && { sees_guests: String(sees_guests) }),
      ...(role === 'co_host' && assigned && { property_ids: assigned.property_ids.join(', ') }),
    });
  }
}

/** Returns open invitations, newest first. */
export async function listInvitations(team_id: string): Promise<Invitation[]> {
  const rows = await repository.findOpenInvitations(team_id);
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    role: parseRole(row.role),
    expires_at: row.expiresAt.toISOString(),
    created_at: row.createdAt.toISOString(),
  }));
}

/**
 * Daily limits on invitations: by one user, by one team, and to one address from all teams
 * together.
 */
export const DAILY_INVITATION_COUNT_LIMITS = { user: 30, team: 40, address: 5 };
const DAY_MS = 86_400_000;

async function assertFewInvitations(user_id: string, team_id: string, email: string): Promise<void> {
  for (const [kind, subject] of Object.entries({
    user: user_id,
    team: team_id,
    address: normalizeMailboxAddress(email),
  })) {
    const limit = DAILY_INVITATION_COUNT_LIMITS[kind as keyof typeof DAILY_INVITATION_COUNT_LIMITS];
    if ((await countAttemptAndGetWindowTotal(`invitation:${kind}:${subject}`, DAY_MS)) > limit) {
      throw new AppError('rate_limit_exceeded', {
        message: createRefusal('too_many_invitations'),
        retryAfter: DAY_MS / 1000,
      });
    }
  }
}

/**
 * Creates an invitation that is valid for seven days, and mails its link. Only that mail contains
 * the link. Without a mail provider the function returns the link, and the owner delivers it. Such
 * a link does not prove access to the mailbox (isInvitationMailedToAddress). Only owners with a
 * confirmed address may invite. A newer invitation to
 * the same address replaces an older one.
 */
export async function inviteMember(acting_user: ActingUser, team: Team, input: NewMember): Promise<CreatedInvitation> {
  const inviter = await repository.findUser(acting_user.user.id);
  if (!inviter?.emailVerified) {
    throw new AppError('insufficient_scope', {
      message: isMailProviderConfigured()
        ? createRefusal('confirm_your_address')
        : createRefusal('address_cannot_be_confirmed'),
    });
  }
  const email = input.email.toLowerCase();
  await assertNoMember(team.id, email);
  const ids = [...new Set(input.property_ids)];
  if ((await repository.countPropertiesOwnedByTeam(team.id, ids)) < ids.length)
    throw new AppError('invalid_field', { param: 'property_ids', message: createRefusal('there_is_no_such_property') });
  await assertFewInvitations(acting_user.user.id, team.id, email);
  if (isMailProviderConfigured()) await assertTeamWithinMailBudget(team.id, { template: 'invitation', to: email });
  const { invitation, url, mail_id } = await createInvitation(acting_user.user.id, team.id, { ...input, email });
  await sendAccountMail({
    template: 'invitation',
    id: mail_id,
    to: email,
    team_name: team.name,
    inviter_name: acting_user.user.name,
    role: input.role,
    url,
  });
  await recordMemberAuditEntry(acting_user, 'member.invited', invitation.id, { email, role: input.role });
  return { ...invitation, url: isMailProviderConfigured() ? null : url };
}

/**
 * Creates an invitation on behalf of the operator, who delivers the link. The team's first owner is
 * recorded as the inviter. The address counts as proven, because the operator vouches for it.
 */
export async function inviteMemberByOperator(
  team_id: string,
  input: { email: string; role: Role },
): Promise<{ url: string; expires_at: string }> {
  const owner = (await repository.findMembers(team_id)).find((member) => parseRole(member.role) === 'owner');
  if (!owner) throw new AppError('resource_missing', { message: `No such team: ${team_id}` });
  const email = input.email.toLowerCase();
  await assertNoMember(team_id, email);
  const { invitation, url } = await createInvitation(owner.userId, team_id, { ...input, email });
  const entry = { object_id: invitation.id, data: { email, role: input.role } };
  await recordTeamAuditEntry({ team_id, action: 'member.invited', actor: 'operator', ...entry });
  return { url, expires_at: invitation.expires_at };
}

async function assertNoMember(team_id: string, email: string): Promise<void> {
  const members = await repository.findMembers(team_id);
  if (members.some((member) => member.user.email === email)) {
    throw new AppError('invalid_field', { param: 'email', message: createRefusal('already_a_member') });
  }
}

async function createInvitation(inviter_id: string, team_id: string, { email, role, property_ids = [] }: NewMember) {
  const now = clock().now();
  const expires_at = new Date(now.getTime() + INVITATION_LIFETIME_DAYS * DAY_MS);
  const token = randomBytes(24).toString('base64url');
  const row = { id: newId('invitation'), token_hash: hashToken(token), mail_id: newId('mail') };
  if (!(await repository.insertInvitation({ ...row, team_id, email, role, property_ids, inviter_id, expires_at }))) {
    throw new AppError('insufficient_scope', { message: createRefusal('only_the_owner') });
  }
  const times = { expires_at: expires_at.toISOString(), created_at: now.toISOString() };
  return {
    invitation: { id: row.id, email, role, ...times },
    url: `${config().app_url}/invite/${token}`,
    mail_id: row.mail_id,
  };
}

/** Withdraws an open invitation. */
export async function revokeInvitation(acting_user: ActingUser, id: string): Promise<void> {
  const revoked = await repository.cancelInvitation(acting_user.team_id, id);
  if (!revoked) throw new AppError('resource_missing', { message: createRefusal('invitation_not_open') });
  await recordMemberAuditEntry(acting_user, 'member.invitation_revoked', id, { email: revoked.email });
}

/** Returns the content of the invitation's page. Throws `resource_missing`. */
export async function loadInvitationView(token: string): Promise<InvitationPageContent> {
  const row = await repository.findInvitation(hashToken(token));
  if (!row) throw new AppError('resource_missing', { message: createRefusal('invitation_missing') });
  const expired = row.expiresAt <= clock().now();
  const state =
    row.status === 'accepted' ? 'accepted' : row.status !== 'pending' ? 'revoked' : expired ? 'expired' : 'open';
  return {
    email: row.email,
    role: parseRole(row.role),
    team_name: row.organization.name,
    inviter_name: row.user.name,
    state,
    has_account: (await repository.findUserByEmail(row.email)) !== null,
  };
}

/**
 * Returns whether the secret belongs to an open invitation to the address and was mailed to that
 * address. Without a mail provider an owner delivers the link, which proves nothing about the
 * address.
 */
export async function isInvitationMailedToAddress(token: string, email: string): Promise<boolean> {
  const row = await repository.findInvitation(hashToken(token));
  if (row?.status !== 'pending' || row.expiresAt <= clock().now() || row.email !== email.toLowerCase()) return false;
  return reachedMailbox(row);
}

/**
 * Returns whether only the addressee received the secret, or the operator vouches for the address.
 * Returns false when the mail was captured instead of sent, because an owner then has the link.
 */
const reachedMailbox = async ({ mail_id }: { mail_id: string | null }) =>
  mail_id === null || !(await isMailCapturedInsteadOfSent(mail_id));

/** Makes the signed-in user a member of the team. The invitation must be to the user's address. */
export async function acceptInvitation(
  user: { id: string; name: string; email: string; session_id: string },
  token: string,
  ip: string | null,
): Promise<void> {
  const row = await repository.findInvitation(hashToken(token));
  if (!row) throw new AppError('resource_missing', { message: createRefusal('invitation_missing') });
  if (row.email !== user.email.toLowerCase()) {
    throw new AppError('insufficient_scope', {
      message: createRefusal('invitation_for_another', { email: row.email }),
    });
  }
  const proves_address = await reachedMailbox(row);
  const accepted = await repository.acceptInvitation(hashToken(token), user.id, user.session_id, proves_address);
  if (!accepted) throw new AppError('resource_missing', { message: createRefusal('invitation_not_open_ask') });
  await recordMemberAuditEntry({ team_id: row.organizationId, user, ip }, 'member.joined', row.id, {
    email: row.email,
  });
}

/** Returns the user's sessions, with the current one marked. */
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
export async function revokeSession(user: AuditedUser, id: string, headers: Headers): Promise<void> {
  const revoked = await repository.deleteSession(user.id, id);
  if (!revoked) throw new AppError('resource_missing', { message: createRefusal('session_has_ended') });
  await recordUserAuditEntry(user, 'session.revoked', headers);
}

/** Ends all of the user's other sessions, and disconnects the user's assistants. */
export async function revokeOtherSessions(user: AuditedUser, keep_id: string, headers: Headers): Promise<void> {
  const count = await repository.deleteOtherSessions(user.id, keep_id);
  await disconnectAssistants(user.id);
  await recordUserAuditEntry(user, 'session.revoked_others', headers, { count: String(count) });
}

/** Renames the team. */
export async function renameTeam(acting_user: ActingUser, name: string): Promise<Team> {
  const row = await repository.updateTeam(acting_user.team_id, { name });
  await recordMemberAuditEntry(acting_user, 'team.renamed', acting_user.team_id, { name });
  return { id: row.id, name: row.name, plan: row.plan as Team['plan'] };
}

/** Returns whether the account's address is confirmed. */
export async function isEmailAddressConfirmed(user_id: string): Promise<boolean> {
  return (await repository.findUser(user_id))?.emailVerified ?? false;
}
