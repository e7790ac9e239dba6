/**
 * Deletes a team. The tables are read from the database's catalogue, so that no table is forgotten.
 */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { SELECT_TABLES_CHILDREN_FIRST_SQL } from '@/infra/db/table-order';
import { inSystemTransaction } from '@/infra/db/transaction';
import type { TeamDeletionPreview } from './schemas';

/**
 * The plan of a deleted team whose rows are not all removed yet. Such a team has no members and no
 * keys.
 */
export const PLAN_VALUE_MARKING_DELETED_TEAMS = 'deleted';

/**
 * The maximum number of rows per DELETE statement, so that a statement does not block the embedded
 * database for long.
 */
const BATCH = 1_000;

/**
 * Counts a team's data. `held` is the number of certificates under legal hold, plus the held
 * reservations that have no held certificate.
 */
export async function countTeamDataForDeletionPreview(team_id: string): Promise<TeamDeletionPreview> {
  const [row] = await systemDb().$queryRaw<[TeamDeletionPreview]>(Prisma.sql`
    SELECT (SELECT count(*) FROM properties WHERE team_id = ${team_id})::int AS properties,
           (SELECT count(*) FROM reservations WHERE team_id = ${team_id})::int AS reservations,
           (SELECT count(*) FROM signatures WHERE team_id = ${team_id})::int AS certificates,
           ((SELECT count(*) FROM reservations r WHERE r.team_id = ${team_id} AND r.legal_hold
              AND NOT EXISTS (SELECT 1 FROM signatures s WHERE s.reservation_id = r.id AND s.legal_hold))
           + (SELECT count(*) FROM signatures WHERE team_id = ${team_id} AND legal_hold))::int AS held`);
  return row;
}

export const findTeamName = async (team_id: string) =>
  (await systemDb().team.findUniqueOrThrow({ where: { id: team_id }, select: { name: true } })).name;

/** Returns whether the user still owns the team. */
const isOwner = async (team_id: string, user_id: string): Promise<boolean> =>
  (await systemDb().member.count({ where: { organizationId: team_id, userId: user_id, role: 'owner' } })) > 0;

/**
 * Closes the team in one transaction: removes its members, keys, endpoints and calendars, and
 * deletes the accounts of people who were in no other team. Returns `held` without a change when
 * anything is under legal hold. Locks the team's row first, because setting a legal hold and
 * changing members lock it too.
 */
export function closeTeam(team_id: string, doer_id: string): Promise<'closed' | 'held' | 'missing'> {
  return inSystemTransaction(async () => {
    const db = systemDb();
    const [team] = await db.$queryRaw<
      { plan: string }[]
    >`SELECT plan FROM teams WHERE id = ${team_id} FOR NO KEY UPDATE`;
    if (!team || team.plan === PLAN_VALUE_MARKING_DELETED_TEAMS || !(await isOwner(team_id, doer_id))) return 'missing';
    if ((await countTeamDataForDeletionPreview(team_id)).held > 0) return 'held';
    await db.apiKey.deleteMany({ where: { team_id } });
    await db.webhookEndpoint.deleteMany({ where: { team_id } });
    await db.syncSource.deleteMany({ where: { team_id } });
    await deletePeople(team_id);
    await db.team.update({
      where: { id: team_id },
      // The remaining rows are removed within minutes. Until then they must not identify the team.
      data: {
        ...{ plan: PLAN_VALUE_MARKING_DELETED_TEAMS, name: 'Deleted', slug: team_id, logo: null, metadata: null },
        ...{ legal_name: null, postal_address: null, contact_email: null },
      },
    });
    return 'closed';
  });
}

async function deletePeople(team_id: string): Promise<void> {
  const db = systemDb();
  const members = await db.member.findMany({
    where: { organizationId: team_id },
    select: { user: { select: { id: true, email: true, members: { select: { organizationId: true } } } } },
  });
  const only_here = members
    .map(({ user }) => user)
    .filter((user) => user.members.every(({ organizationId }) => organizationId === team_id));
  const ids = only_here.map(({ id }) => id);
  const invitations = await db.invitation.findMany({ where: { organizationId: team_id }, select: { mail_id: true } });
  // Account mails belong to no team. Deletes the mails to deleted people and the mails with the
  // team's invitations.
  await db.mailMessage.deleteMany({ where: { team_id: null, to: { in: only_here.map(({ email }) => email) } } });
  const mails = invitations.flatMap(({ mail_id }) => mail_id ?? []);
  await db.mailMessage.deleteMany({ where: { team_id: null, id: { in: mails } } });
  await db.invitation.deleteMany({ where: { organizationId: team_id } });
  await db.member.deleteMany({ where: { organizationId: team_id } });
  await db.session.updateMany({ where: { activeOrganizationId: team_id }, data: { activeOrganizationId: null } });
  const changes = ids.map((id) => `email-change:${id}`);
  await db.verification.deleteMany({ where: { OR: [{ value: { in: ids } }, { id: { in: changes } }] } });
  // The database deletes their sessions, passwords, passkeys and second factors with the user.
  await db.user.deleteMany({ where: { id: { in: ids } } });
}

export const findDeletedTeams = () =>
  systemDb().team.findMany({
    where: { plan: PLAN_VALUE_MARKING_DELETED_TEAMS, members: { none: {} } },
    select: { id: true },
  });

/**
 * Returns the quoted names of all tables with a `team_id`. A table that refers to another table
 * precedes it, so that deleting rows cascades to few other rows.
 */
async function teamTables(): Promise<string[]> {
  const rows = await systemDb().$queryRawUnsafe<{ name: string; of_team: boolean }[]>(SELECT_TABLES_CHILDREN_FIRST_SQL);
  return rows.filter(({ of_team }) => of_team).map(({ name }) => name);
}

/**
 * Removes a deleted team's rows from every table in batches. Returns the number of removed rows.
 */
export async function removeAllRowsOfDeletedTeam(team_id: string): Promise<number> {
  let total = 0;
  for (const table of await teamTables()) {
    for (;;) {
      const removed = await systemDb().$executeRawUnsafe(
        `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE team_id = $1 LIMIT ${BATCH}))`,
        team_id,
      );
      total += removed;
      if (removed < BATCH) break;
    }
  }
  return total + (await removeEngineRows(team_id));
}

/**
 * Removes events and ended runs of the embedded engine, which would otherwise stay for two weeks. A
 * later call removes runs that have not ended yet.
 */
async function removeEngineRows(team_id: string): Promise<number> {
  const mention = `%${team_id}%`;
  const runs = Prisma.sql`SELECT id FROM engine_runs WHERE event LIKE ${mention} AND ended_at IS NOT NULL`;
  const db = systemDb();
  await db.$executeRaw`DELETE FROM engine_steps WHERE run_id IN (${runs})`;
  const removed = await db.$executeRaw`DELETE FROM engine_runs WHERE event LIKE ${mention} AND ended_at IS NOT NULL`;
  return removed + (await db.$executeRaw`DELETE FROM engine_events WHERE payload LIKE ${mention}`);
}

/** Deletes the row of a deleted team. */
export const deleteTeamRow = (team_id: string) =>
  systemDb().team.deleteMany({ where: { id: team_id, plan: PLAN_VALUE_MARKING_DELETED_TEAMS } });
