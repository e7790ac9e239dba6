/**
 * Queries on users, teams, members, invitations and sessions. A user may be in several teams, so
 * these queries use the system client, and their arguments limit them to one user or team.
 */
import { systemDb } from '@/infra/db/client';
import { Prisma, scopedDb, UNSCOPED_SQL_COMMENT } from '@/infra/db/scoped-client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import type { SenderDetails } from '@/shared/guest-text/sender';
import { newId } from '@/shared/ids';
import { parseRole } from '@/shared/roles';
import type { Mode, Scope } from '@/shared/scope';
import type { TeamPricePlanColumns } from './plans.rules';
import type { Role } from './schemas';
import type { TeamSignInRules } from './sign-in/team-rules.rules';

export const findUser = (id: string) => systemDb().user.findUnique({ where: { id } });

export const findUserByEmail = (email: string) => systemDb().user.findUnique({ where: { email: email.toLowerCase() } });

/** Returns the team, or null when it was deleted. */
export const findTeam = (team_id: string) =>
  systemDb().team.findFirst({ where: { id: team_id, plan: { not: 'deleted' } } });

export async function doesAnyUserOrTeamExist(): Promise<boolean> {
  const select = { id: true } as const;
  return ((await systemDb().user.findFirst({ select })) ?? (await systemDb().team.findFirst({ select }))) !== null;
}

/** Returns a user's memberships with their teams, oldest first. */
export const findMembershipsOfUser = (user_id: string) =>
  systemDb().member.findMany({
    where: { userId: user_id },
    include: {
      organization: true,
      user: { select: { name: true, email: true, locale: true, twoFactorEnabled: true } },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

/** Returns the ids of a co-host's assigned properties in one mode, in order. */
export async function findAssignedPropertyIds(member_id: string, mode: Mode): Promise<string[]> {
  const rows = await systemDb().memberProperty.findMany({
    where: { member_id, mode },
    select: { property_id: true },
    orderBy: { property_id: 'asc' },
  });
  return rows.map(({ property_id }) => property_id);
}

/** Returns the assigned properties of all co-hosts of a team in one mode. */
export const findPropertyAssignments = (team_id: string, mode: Mode) =>
  systemDb().memberProperty.findMany({
    where: { team_id, mode },
    select: { member_id: true, property_id: true },
    orderBy: { property_id: 'asc' },
  });

export const setUserLocale = (user_id: string, locale: string) =>
  systemDb().user.update({ where: { id: user_id }, data: { locale } });

/** Returns whether one of the teams is the installation's first team. */
export const isInstallationFirstTeamAmong = async (team_ids: string[]): Promise<boolean> =>
  (await systemDb().team.count({ where: { id: { in: team_ids }, is_first: true } })) > 0;

export const findMembers = (team_id: string) =>
  systemDb().member.findMany({
    where: { organizationId: team_id },
    include: { user: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

export const findMember = (team_id: string, id: string) =>
  systemDb().member.findFirst({ where: { id, organizationId: team_id }, include: { user: true } });

/** Finds an invitation by the hash of its link's secret. */
export const findInvitation = (token_hash: string) =>
  systemDb().invitation.findUnique({ where: { token_hash }, include: { organization: true, user: true } });

/** Returns the user's second factor if it is turned on and verified. */
export const findSecondFactor = (user_id: string) =>
  systemDb().twoFactor.findFirst({ where: { userId: user_id, verified: true, user: { twoFactorEnabled: true } } });

/**
 * Returns the encrypted secret of the user's authenticator app, even before its setup is complete.
 * Null without one.
 */
export const findTotpSecret = async (user_id: string): Promise<string | null> =>
  (await systemDb().twoFactor.findFirst({ where: { userId: user_id }, select: { secret: true } }))?.secret ?? null;

/** Inserts a row into better-auth's table of temporary values. Returns false when the id exists. */
async function insertOnce(id: string, expiresAt: Date): Promise<boolean> {
  const row = { id, identifier: id, value: '', expiresAt, createdAt: clock().now() };
  return (await systemDb().verification.createMany({ data: [row], skipDuplicates: true })).count === 1;
}

/**
 * Records that the TOTP code of a time step was used. Returns false when it was recorded before.
 */
export const insertUsedTotpTimeStep = (user_id: string, step: number, expires_at: Date): Promise<boolean> =>
  insertOnce(`totp:${user_id}:${step}`, expires_at);

const factorLease = (user_id: string) => `factor-change:${user_id}`;

/**
 * Locks changes of the user's second factors for one request, until the given time. Returns false
 * while another request has the lock.
 */
export async function acquireSecondFactorChangeLock(user_id: string, until: Date): Promise<boolean> {
  const id = factorLease(user_id);
  // Deletes an expired lock, which a crashed process left behind.
  await systemDb().verification.deleteMany({ where: { id, expiresAt: { lte: clock().now() } } });
  return insertOnce(id, until);
}

export const releaseSecondFactorChangeLock = (user_id: string) =>
  systemDb().verification.deleteMany({ where: { id: factorLease(user_id) } });

/** Returns whether the user has a passkey or two-factor switched on. */
export const hasAnySecondFactor = async (user_id: string): Promise<boolean> =>
  (await systemDb().user.count({
    where: { id: user_id, OR: [{ twoFactorEnabled: true }, { passkeys: { some: {} } }] },
  })) > 0;

/** Returns the hash of a user's password, or null without one. */
export async function findPasswordHash(user_id: string): Promise<string | null> {
  const where = { userId: user_id, providerId: 'credential' };
  return (await systemDb().account.findFirst({ where, select: { password: true } }))?.password ?? null;
}

/**
 * Finds the user of a sign-in that awaits its second factor. `identifier` is the value of
 * better-auth's cookie for this step.
 */
export async function findPendingSignIn(identifier: string): Promise<{ id: string; email: string } | null> {
  const row = await systemDb().verification.findFirst({ where: { identifier, expiresAt: { gt: clock().now() } } });
  return row && systemDb().user.findUnique({ where: { id: row.value }, select: { id: true, email: true } });
}

/** Returns whether the user has an account at the company's identity provider. */
export const hasCompanyIdentityProviderAccount = async (user_id: string): Promise<boolean> =>
  (await systemDb().account.count({ where: { userId: user_id, providerId: { not: 'credential' } } })) > 0;

/** Returns whether an account exists for an identity at a provider. */
export const hasAccountForProviderIdentity = async (providerId: string, accountId: string): Promise<boolean> =>
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
  /** Null when the owner has an account already. */
  new_user: { id: string; name: string; email: string; password_hash: string } | null;
}

/** Inserts a team with its first owner. Returns false when the user owns `limit` teams. */
export function insertTeam({ team, user_id, new_user }: NewTeam, limit = Number.POSITIVE_INFINITY): Promise<boolean> {
  const now = clock().now();
  return inSystemTransaction(async () => {
    const db = systemDb();
    // Locks the user's row, so that concurrent calls count the user's teams one after the other.
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

export const updateTeam = (
  team_id: string,
  data: { name?: string; plan?: string } & Partial<SenderDetails & TeamSignInRules>,
) => systemDb().team.update({ where: { id: team_id }, data });

/**
 * A member's new role, access to guests' data, and assigned properties. Only the assignments of the
 * given mode change.
 */
export interface MemberAccessUpdate {
  role: Role;
  sees_guests?: boolean;
  assigned?: { mode: Mode; property_ids: readonly string[] };
}

/** Returns how many of these properties belong to the team, in both modes. */
export const countPropertiesOwnedByTeam = (team_id: string, ids: readonly string[]): Promise<number> =>
  systemDb().property.count({ where: { team_id, id: { in: [...ids] } } });

/**
 * Replaces a co-host's assigned properties. A foreign key refuses properties that do not exist or
 * belong to another team.
 */
async function assign(team_id: string, member_id: string, { role, assigned }: MemberAccessUpdate): Promise<void> {
  const db = systemDb();
  if (role !== 'co_host') await db.memberProperty.deleteMany({ where: { member_id } });
  else if (assigned) {
    const { mode, property_ids } = assigned;
    await db.memberProperty.deleteMany({ where: { member_id, mode } });
    await db.memberProperty.createMany({
      data: [...new Set(property_ids)].map((property_id) => ({ member_id, property_id, team_id, mode })),
    });
  }
}

/** Returns whether the user owns the team. */
export const isTeamOwner = async (team_id: string, user_id: string): Promise<boolean> =>
  (await systemDb().member.count({ where: { organizationId: team_id, userId: user_id, role: 'owner' } })) > 0;

/**
 * Changes or removes a member, but never the last owner. The team's row is locked before owners are
 * counted, so that two owners cannot leave or remove each other at the same time.
 */
export function updateMemberAccessOrDeleteMemberRow(
  team_id: string,
  doer_id: string,
  member_id: string,
  change: MemberAccessUpdate | 'remove',
): Promise<'changed' | 'missing' | 'last_owner' | 'not_owner'> {
  return inSystemTransaction(async () => {
    const db = systemDb();
    // FOR NO KEY UPDATE is enough. FOR UPDATE would also wait for members who are creating
    // something, because they hold a key-share lock on the team (lock-membership.ts).
    await db.$queryRaw`select id from teams where id = ${team_id} for no key update`;
    if (!(await isTeamOwner(team_id, doer_id))) return 'not_owner';
    const member = await db.member.findFirst({ where: { id: member_id, organizationId: team_id } });
    if (!member) return 'missing';
    const loses_owner = member.role === 'owner' && (change === 'remove' || change.role !== 'owner');
    const owners = await db.member.count({ where: { organizationId: team_id, role: 'owner' } });
    if (loses_owner && owners === 1) return 'last_owner';
    if (loses_owner) {
      // Withdraws the former owner's invitations: an invitation is valid only while its inviter is
      // an owner.
      await db.invitation.updateMany({
        where: { organizationId: team_id, inviterId: member.userId, status: 'pending' },
        data: { status: 'canceled' },
      });
    }
    if (change === 'remove') {
      await db.member.delete({ where: { id: member.id } });
      // Sessions in which this team was open continue in another of the user's teams.
      await db.session.updateMany({
        where: { userId: member.userId, activeOrganizationId: team_id },
        data: { activeOrganizationId: null },
      });
    } else {
      const { role, sees_guests = member.sees_guests } = change;
      await db.member.update({
        where: { id: member.id },
        data: { role, sees_guests: role === 'developer' && sees_guests },
      });
      await assign(team_id, member.id, change);
    }
    return 'changed';
  });
}

/**
 * Inserts an invitation and replaces an open one to the same address, so that only the latest link
 * works. Returns false when the inviter is no longer an owner. Takes the same lock as
 * `updateMemberAccessOrDeleteMemberRow` for this check.
 */
export function insertInvitation(row: {
  id: string;
  token_hash: string;
  mail_id: string;
  team_id: string;
  email: string;
  role: Role;
  property_ids: string[];
  inviter_id: string;
  expires_at: Date;
}): Promise<boolean> {
  const { team_id, email, inviter_id, expires_at, ...rest } = row;
  return inSystemTransaction(async () => {
    const db = systemDb();
    await db.$queryRaw`select id from teams where id = ${team_id} for update`;
    if (!(await isTeamOwner(team_id, inviter_id))) return false;
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

/** Withdraws an open invitation and returns it, or null when it was not open. */
export async function cancelInvitation(team_id: string, id: string): Promise<{ email: string } | null> {
  const rows = await systemDb().invitation.updateManyAndReturn({
    where: { id, organizationId: team_id, status: 'pending' },
    data: { status: 'canceled' },
    select: { email: true },
  });
  return rows[0] ?? null;
}

/**
 * Accepts an open invitation and makes its team the session's active team. Returns false if the
 * invitation is not open.
 */
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
    const { organizationId: team_id, property_ids } = invitation;
    const id = newId('member');
    const member = await db.member.upsert({
      where: { organizationId_userId: { organizationId: team_id, userId: user_id } },
      create: { id, organizationId: team_id, userId: user_id, role: parseRole(invitation.role), createdAt: now },
      update: {},
    });
    if (member.id === id && parseRole(member.role) === 'co_host') {
      // Skips properties that were deleted after the invitation was created.
      const there = await db.property.findMany({
        where: { team_id, id: { in: property_ids } },
        select: { id: true, mode: true },
      });
      await db.memberProperty.createMany({
        data: there.map((property) => ({ member_id: id, property_id: property.id, team_id, mode: property.mode })),
      });
    }
    if (proves_address) await db.user.update({ where: { id: user_id }, data: { emailVerified: true } });
    await db.session.update({ where: { id: session_id }, data: { activeOrganizationId: invitation.organizationId } });
    return true;
  });
}

export const setActiveTeam = (session_id: string, team_id: string) =>
  systemDb().session.update({ where: { id: session_id }, data: { activeOrganizationId: team_id } });

/** Ends one session of the user. Returns whether it existed. */
export async function deleteSession(user_id: string, id: string): Promise<boolean> {
  return (await systemDb().session.deleteMany({ where: { id, userId: user_id } })).count === 1;
}

/** Ends all of the user's sessions except the given one. Returns how many. */
export async function deleteOtherSessions(user_id: string, keep_id: string): Promise<number> {
  return (await systemDb().session.deleteMany({ where: { userId: user_id, id: { not: keep_id } } })).count;
}

export const findTeamOwnerEmails = (team_id: string) =>
  systemDb().member.findMany({
    where: { organizationId: team_id, role: 'owner' },
    select: { user: { select: { email: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

/** Returns a team's plan and limits. */
export async function findTeamPricePlan(scope: Scope): Promise<TeamPricePlanColumns | null> {
  const rows = await scopedDb(scope).$queryRaw<TeamPricePlanColumns[]>(Prisma.sql`${UNSCOPED_SQL_COMMENT}
    SELECT plan, property_limit, packet_limit FROM teams WHERE id = ${scope.team_id}`);
  return rows[0] ?? null;
}

/** Returns the database client for better-auth's own queries. */
export const getBetterAuthDatabaseClient = () => systemDb();
