/**
 * Queries on the audit log. The log covers both modes: a scope of either mode reads all of the
 * team's entries.
 */
import type { AuditLog, Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { listRowsByKeyset } from '@/infra/db/keyset';
import { requireTransactionDb, Prisma as Sql, scopedDb, UNSCOPED_SQL_COMMENT } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { AuditEntryFilters, AuditEntryListQuery } from './schemas';

const DAY_MS = 86_400_000;

function where({ actor, action, from, to }: AuditEntryFilters): Prisma.AuditLogWhereInput {
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...((from || to) && {
      created_at: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(Date.parse(to) + DAY_MS) }) },
    }),
  };
}

export function listAuditEntryRows(
  scope: Scope,
  { limit, starting_after, ending_before, ...filters }: AuditEntryListQuery,
) {
  const page = { limit, starting_after, ending_before };
  return listRowsByKeyset<AuditLog>(scopedDb(scope).auditLog, 'auditLog', 'audit', where(filters), page);
}

/**
 * Returns each actor's latest name. The recursive query skips from actor to actor in the index,
 * because there are many entries and few actors.
 */
export function findAuditActors(scope: Scope, limit: number): Promise<{ actor: string; actor_name: string | null }[]> {
  return scopedDb(scope).$queryRaw(Sql.sql`${UNSCOPED_SQL_COMMENT}
    WITH RECURSIVE actors AS (
      SELECT min(actor) AS actor FROM audit_logs WHERE team_id = ${scope.team_id}
      UNION ALL
      SELECT (SELECT min(a.actor) FROM audit_logs a WHERE a.team_id = ${scope.team_id} AND a.actor > actors.actor)
      FROM actors WHERE actors.actor IS NOT NULL
    )
    SELECT actors.actor, latest.actor_name FROM actors CROSS JOIN LATERAL (
      SELECT a.actor_name, a.created_at, a.id FROM audit_logs a
      WHERE a.team_id = ${scope.team_id} AND a.actor = actors.actor ORDER BY a.created_at DESC, a.id DESC LIMIT 1
    ) latest
    ORDER BY latest.created_at DESC, latest.id DESC LIMIT ${limit}::int`);
}

export async function insertAuditEntry(scope: Scope, row: Prisma.AuditLogUncheckedCreateInput): Promise<void> {
  await requireTransactionDb(scope).auditLog.create({ data: row });
}

/** Inserts entries outside of a scope, for example about sign-ins and the operator's actions. */
export async function insertAuditEntries(rows: Prisma.AuditLogCreateManyInput[]): Promise<void> {
  await systemDb().auditLog.createMany({ data: rows, skipDuplicates: true });
}
