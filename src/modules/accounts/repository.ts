/**
 * The queries on users, teams, members, invitations and sessions. These tables are above the tenant (a user may be in
 * several teams), so they use the system client; every function is limited by the ids it is given.
 */
import { systemDb } from '@/infra/db/client';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Role } from './schemas';

export const findUserByEmail = (email: string) => systemDb().user.findUnique({ where: { email: email.toLowerCase() } });

/** Null for one that its owner deleted. */
export const findTeam = (team_id: string) =>
  systemDb().team.findFirst({ where: { id: team_id, plan: { not: 'deleted' } } });

export const countTeams = () => systemDb().team.count();

/** A user's memberships with their teams, the oldest first. */
export const findMemberships = (user_id: string) =>
  systemDb().member.findMany({
    where: { userId: user_id },
    include: { organization: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

/** The installation's oldest team. */
export const findFirstTeamId = async (): Promise<string | null> =>
  (await systemDb().team.findFirst({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], select: { id: true } }))?.id ??
  null;

export const findMembers = (team_id: string) =>
  systemDb().member.findMany({
    where: { organizationId: team_id },
    include: { user: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

export const findMember = (team_id: string, id: string) =>
  systemDb().member.findFirst({ where: { id, organizationId: team_id }, include: { user: true } });

export const findInvitation = (id: string) =>
  systemDb().invitation.findUnique({ where: { id }, include: { organization: true, user: true } });

export const findOpenInvitations = (team_id: string) =>
  systemDb().invitation.findMany({
    where: { organizationId: team_id, status: 'pending', expiresAt: { gt: clock().now() } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });

export const findSessions = (user_id: string) =>
  systemDb().session.findMany({
    where: { userId: user_id, expiresAt: { gt: clock().now() } },
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
  });

interface NewTeam {
  team: { id: string; name: string; slug: string; plan: string };
  user_id: string;
  /** Set when the owner does not exist yet. */
  new_user: { id: string; name: string; email: string; password_hash: string } | null;
}

/** A team with its first owner, and the owner's account when it is new, in one transaction. */
export async function insertTeam({ team, user_id, new_user }: NewTeam): Promise<void> {
  const now = clock().now();
  await systemDb().$transaction(async (tx) => {
    if (new_user) {
      const { id, name, email, password_hash } = new_user;
      await tx.user.create({ data: { id, name, email, emailVerified: true, createdAt: now, updatedAt: now } });
      await tx.account.create({
        data: {
          id: newId('user').replace('user_', 'acct_'),
          accountId: id,
          providerId: 'credential',
          userId: id,
          password: password_hash,
          createdAt: now,
          updatedAt: now,
        },
      });
    }
    await tx.team.create({ data: { ...team, createdAt: now } });
    await tx.member.create({
      data: { id: newId('member'), organizationId: team.id, userId: user_id, role: 'owner', createdAt: now },
    });
  });
}

export const updateTeam = (team_id: string, data: { name?: string; plan?: string }) =>
  systemDb().team.update({ where: { id: team_id }, data });

/**
 * Changes or removes a member, but never the last owner: the condition is looked at inside the transaction, after the
 * team's row is locked, so that two owners who leave at once cannot both succeed. Answers what stood in the way.
 */
export function changeMember(
  team_id: string,
  member_id: string,
  change: { role: Role } | 'remove',
): Promise<'changed' | 'missing' | 'last_owner'> {
  return systemDb().$transaction(async (tx) => {
    await tx.$queryRaw`select id from teams where id = ${team_id} for update`;
    const member = await tx.member.findFirst({ where: { id: member_id, organizationId: team_id } });
    if (!member) return 'missing';
    const loses_owner = member.role === 'owner' && (change === 'remove' || change.role !== 'owner');
    const owners = await tx.member.count({ where: { organizationId: team_id, role: 'owner' } });
    if (loses_owner && owners === 1) return 'last_owner';
    if (change === 'remove') {
      await tx.member.delete({ where: { id: member.id } });
      // A session that had this team open falls back to the user's other teams.
      await tx.session.updateMany({
        where: { userId: member.userId, activeOrganizationId: team_id },
        data: { activeOrganizationId: null },
      });
    } else {
      await tx.member.update({ where: { id: member.id }, data: { role: change.role } });
    }
    return 'changed';
  });
}

/** Replaces any open invitation of the same address, so that the latest link is the one that works. */
export async function insertInvitation(row: {
  id: string;
  team_id: string;
  email: string;
  role: Role;
  inviter_id: string;
  expires_at: Date;
}): Promise<void> {
  const { id, team_id, email, role, inviter_id, expires_at } = row;
  await systemDb().$transaction([
    systemDb().invitation.updateMany({
      where: { organizationId: team_id, email, status: 'pending' },
      data: { status: 'canceled' },
    }),
    systemDb().invitation.create({
      data: {
        id,
        organizationId: team_id,
        email,
        role,
        inviterId: inviter_id,
        expiresAt: expires_at,
        createdAt: clock().now(),
      },
    }),
  ]);
}

/** The open invitation that was withdrawn; null when it was not open. */
export async function cancelInvitation(team_id: string, id: string): Promise<{ email: string } | null> {
  const rows = await systemDb().invitation.updateManyAndReturn({
    where: { id, organizationId: team_id, status: 'pending' },
    data: { status: 'canceled' },
    select: { email: true },
  });
  return rows[0] ?? null;
}

/** Turns an open invitation into a membership and opens the team in the session. False when it was no longer open. */
export function acceptInvitation(id: string, user_id: string, session_id: string): Promise<boolean> {
  const now = clock().now();
  return systemDb().$transaction(async (tx) => {
    const { count } = await tx.invitation.updateMany({
      where: { id, status: 'pending', expiresAt: { gt: now } },
      data: { status: 'accepted' },
    });
    if (count !== 1) return false;
    const invitation = await tx.invitation.findUniqueOrThrow({ where: { id } });
    await tx.member.upsert({
      where: { organizationId_userId: { organizationId: invitation.organizationId, userId: user_id } },
      create: {
        id: newId('member'),
        organizationId: invitation.organizationId,
        userId: user_id,
        role: invitation.role ?? 'member',
        createdAt: now,
      },
      update: {},
    });
    // The link came by mail to this very address, so following it proves the address.
    await tx.user.update({ where: { id: user_id }, data: { emailVerified: true } });
    await tx.session.update({ where: { id: session_id }, data: { activeOrganizationId: invitation.organizationId } });
    return true;
  });
}

export const setActiveTeam = (session_id: string, team_id: string) =>
  systemDb().session.update({ where: { id: session_id }, data: { activeOrganizationId: team_id } });

/** Ends one session of the user; true when it was there. */
export async function deleteSession(user_id: string, id: string): Promise<boolean> {
  return (await systemDb().session.deleteMany({ where: { id, userId: user_id } })).count === 1;
}

/** Ends all the user's sessions but the one given; answers how many. */
export async function deleteOtherSessions(user_id: string, keep_id: string): Promise<number> {
  return (await systemDb().session.deleteMany({ where: { userId: user_id, id: { not: keep_id } } })).count;
}
