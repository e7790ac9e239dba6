/**
 * The queries on users, teams, members, invitations and sessions. These tables are above the tenant (a user may be in
 * several teams), so they use the system client; every function is limited by the ids it is given.
 */
import { systemDb } from '@/infra/db/client';
import { BEYOND_SCOPE, Prisma, scopedDb } from '@/infra/db/scoped-client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import type { Sender } from '@/shared/guest-text/sender';
import { newId } from '@/shared/ids';
import type { Scope } from '@/shared/scope';
import type { TeamPlan } from './plans.rules';
import type { Role } from './schemas';

export const findUser = (id: string) => systemDb().user.findUnique({ where: { id } });

export const findUserByEmail = (email: string) => systemDb().user.findUnique({ where: { email: email.toLowerCase() } });

/** Null for one that its owner deleted. */
export const findTeam = (team_id: string) =>
  systemDb().team.findFirst({ where: { id: team_id, plan: { not: 'deleted' } } });

export async function hasUserOrTeam(): Promise<boolean> {
  const select = { id: true } as const;
  return ((await systemDb().user.findFirst({ select })) ?? (await systemDb().team.findFirst({ select }))) !== null;
}

/** A user's memberships with their teams, the oldest first. */
export const findMemberships = (user_id: string) =>
  systemDb().member.findMany({
    where: { userId: user_id },
    include: { organization: true, user: { select: { locale: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

export const setLocale = (user_id: string, locale: string) =>
  systemDb().user.update({ where: { id: user_id }, data: { locale } });

/** Whether one of the teams is the installation's first. */
export const isFirstAmong = async (team_ids: string[]): Promise<boolean> =>
  (await systemDb().team.count({ where: { id: { in: team_ids }, is_first: true } })) > 0;

export const findMembers = (team_id: string) =>
  systemDb().member.findMany({
    where: { organizationId: team_id },
    include: { user: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

export const findMember = (team_id: string, id: string) =>
  systemDb().member.findFirst({ where: { id, organizationId: team_id }, include: { user: true } });

/** By the secret in its link, of which the hash alone is stored. */
export const findInvitation = (token_hash: string) =>
  systemDb().invitation.findUnique({ where: { token_hash }, include: { organization: true, user: true } });

/** The user's second factor when it is switched on and proven. */
export const findSecondFactor = (user_id: string) =>
  systemDb().twoFactor.findFirst({ where: { userId: user_id, verified: true, user: { twoFactorEnabled: true } } });

/** Whose signing in a second factor is waited for, by the value of the cookie between the two steps. */
export async function findHalfSignedIn(identifier: string): Promise<{ email: string } | null> {
  const row = await systemDb().verification.findFirst({ where: { identifier, expiresAt: { gt: clock().now() } } });
  return row && systemDb().user.findUnique({ where: { id: row.value }, select: { email: true } });
}

/** Whether the user signs in with an identity of the company's provider. */
export const hasProviderIdentity = async (user_id: string): Promise<boolean> =>
  (await systemDb().account.count({ where: { userId: user_id, providerId: { not: 'credential' } } })) > 0;

/** Whether a provider's identity has an account. */
export const isKnownIdentity = async (providerId: string, accountId: string): Promise<boolean> =>
  (await systemDb().account.count({ where: { providerId, accountId } })) > 0;

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

/** A team with its first owner, and the owner's account when it is new. False when he owns as many as the limit allows. */
export function insertTeam({ team, user_id, new_user }: NewTeam, limit = Number.POSITIVE_INFINITY): Promise<boolean> {
  const now = clock().now();
  return inSystemTransaction(async () => {
    const db = systemDb();
    // The user's row is locked, so that several at once do not count the same teams.
    await db.$queryRaw`select id from users where id = ${user_id} for update`;
    if ((await db.member.count({ where: { userId: user_id, role: 'owner' } })) >= limit) return false;
    const is_first = (await db.team.count()) === 0 && (await db.user.count({ where: { id: { not: user_id } } })) === 0;
    if (new_user) {
      const { id, name, email, password_hash } = new_user;
      await db.user.create({ data: { id, name, email, emailVerified: true, createdAt: now, updatedAt: now } });
      await db.account.create({
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
    await db.team.create({ data: { ...team, is_first, createdAt: now } });
    await db.member.create({
      data: { id: newId('member'), organizationId: team.id, userId: user_id, role: 'owner', createdAt: now },
    });
    return true;
  });
}

export const updateTeam = (team_id: string, data: { name?: string; plan?: string } & Partial<Sender>) =>
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
  return inSystemTransaction(async () => {
    const db = systemDb();
    // Not FOR UPDATE: a member who makes something (held-membership.ts) refers to the team, and the deletion waits for that.
    await db.$queryRaw`select id from teams where id = ${team_id} for no key update`;
    const member = await db.member.findFirst({ where: { id: member_id, organizationId: team_id } });
    if (!member) return 'missing';
    const loses_owner = member.role === 'owner' && (change === 'remove' || change.role !== 'owner');
    const owners = await db.member.count({ where: { organizationId: team_id, role: 'owner' } });
    if (loses_owner && owners === 1) return 'last_owner';
    if (loses_owner) {
      // Whom he let in, nobody answers for any more.
      await db.invitation.updateMany({
        where: { organizationId: team_id, inviterId: member.userId, status: 'pending' },
        data: { status: 'canceled' },
      });
    }
    if (change === 'remove') {
      await db.member.delete({ where: { id: member.id } });
      // A session that had this team open falls back to the user's other teams.
      await db.session.updateMany({
        where: { userId: member.userId, activeOrganizationId: team_id },
        data: { activeOrganizationId: null },
      });
    } else {
      await db.member.update({ where: { id: member.id }, data: { role: change.role } });
    }
    return 'changed';
  });
}

/**
 * Replaces any open invitation of the same address, so that the latest link is the one that works. False when the inviter
 * is no owner any more: looked at under the lock that `changeMember` takes.
 */
export function insertInvitation(row: {
  id: string;
  token_hash: string;
  mail_id: string;
  team_id: string;
  email: string;
  role: Role;
  inviter_id: string;
  expires_at: Date;
}): Promise<boolean> {
  const { team_id, email, inviter_id, expires_at, ...rest } = row;
  return inSystemTransaction(async () => {
    const db = systemDb();
    await db.$queryRaw`select id from teams where id = ${team_id} for update`;
    const owner = { organizationId: team_id, userId: inviter_id, role: 'owner' };
    if ((await db.member.count({ where: owner })) === 0) return false;
    await db.invitation.updateMany({
      where: { organizationId: team_id, email, status: 'pending' },
      data: { status: 'canceled' },
    });
    const times = { expiresAt: expires_at, createdAt: clock().now() };
    await db.invitation.create({
      data: { ...rest, organizationId: team_id, email, inviterId: inviter_id, ...times },
    });
    return true;
  });
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
export function acceptInvitation(
  token_hash: string,
  user_id: string,
  session_id: string,
  proves_address: boolean,
): Promise<boolean> {
  const now = clock().now();
  return inSystemTransaction(async () => {
    const db = systemDb();
    const { count } = await db.invitation.updateMany({
      where: { token_hash, status: 'pending', expiresAt: { gt: now } },
      data: { status: 'accepted' },
    });
    if (count !== 1) return false;
    const invitation = await db.invitation.findUniqueOrThrow({ where: { token_hash } });
    await db.member.upsert({
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
    if (proves_address) await db.user.update({ where: { id: user_id }, data: { emailVerified: true } });
    await db.session.update({ where: { id: session_id }, data: { activeOrganizationId: invitation.organizationId } });
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

/** The addresses of a team's owners, the oldest membership first. */
export const findOwners = (team_id: string) =>
  systemDb().member.findMany({
    where: { organizationId: team_id, role: 'owner' },
    select: { user: { select: { email: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

/** A team's plan and add-ons; its row has no mode. */
export async function findPlan(scope: Scope): Promise<TeamPlan | null> {
  const rows = await scopedDb(scope).$queryRaw<TeamPlan[]>(Prisma.sql`${BEYOND_SCOPE}
    SELECT plan, property_limit, packet_limit FROM teams WHERE id = ${scope.team_id}`);
  return rows[0] ?? null;
}

/** What the sign-in library makes its own queries with. */
export const authDatabase = () => systemDb();
