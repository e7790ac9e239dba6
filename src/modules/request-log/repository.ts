/** Queries on the request log. */
import type { Prisma, RequestLog } from '@/generated/prisma/client';
import { listRowsByKeyset, type Page } from '@/infra/db/keyset';
import { Prisma as Sql, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { HostRequestLogListQuery } from './host.schemas';

/** Lists omit the bodies, because they take up to twelve kilobytes per request. */
const WITHOUT_BODY = { error_body: true, request_body: true } as const;

export type RequestLogWithoutBodies = Omit<RequestLog, 'error_body' | 'request_body'>;

export function listLoggedRequestRows(
  scope: Scope,
  query: HostRequestLogListQuery,
): Promise<Page<RequestLogWithoutBodies>> {
  const { requestLog } = scopedDb(scope);
  const heads = {
    findFirst: (args: { where: object; select: object }) => requestLog.findFirst(args as never),
    findMany: (args: { where: object; orderBy: object[]; take: number }) =>
      requestLog.findMany({ ...args, omit: WITHOUT_BODY }),
  };
  return listRowsByKeyset<RequestLogWithoutBodies>(heads, 'requestLog', 'request', conditions(query), query);
}

function conditions(query: HostRequestLogListQuery): Prisma.RequestLogWhereInput {
  const { status, statuses, method, path, api_key, error_code, from, to } = query;
  const hundreds = (statuses ?? (status ? [status] : [])).map((each) => Number(each[0]) * 100);
  return {
    ...(hundreds.length > 0 && { OR: hundreds.map((gte) => ({ status: { gte, lt: gte + 100 } })) }),
    ...((from || to) && { created_at: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(to) }) } }),
    ...(method && { method }),
    ...(path && { path: { contains: literal(path), mode: 'insensitive' as const } }),
    ...(api_key && { api_key_id: api_key }),
    ...(error_code && { error_code }),
  };
}

/** Escapes the wildcards of LIKE. */
const literal = (text: string) => text.replace(/[\\%_]/g, '\\$&');

export function findLoggedRequestRow(scope: Scope, id: string): Promise<RequestLog | null> {
  return scopedDb(scope).requestLog.findFirst({ where: { id } });
}

export interface ApiKeyUsageRow {
  method: string;
  /** The path with placeholders in place of ids: `/v1/reservations/{id}`. */
  route: string;
  user_agent: string | null;
  ips: string[];
  count: number;
  last_at: Date;
}

/**
 * Counts a key's requests by method, path without ids, and client program. The most frequent group
 * is first.
 */
export function findApiKeyUsageByRouteAndClient(
  scope: Scope,
  api_key_id: string,
  since: Date,
  limit: number,
): Promise<ApiKeyUsageRow[]> {
  return scopedDb(scope).$queryRaw<ApiKeyUsageRow[]>(Sql.sql`
    SELECT method, regexp_replace(path, '/[a-z]+_[0-9A-Za-z_-]{16,}', '/{id}', 'g') AS route, user_agent,
      (array_remove(array_agg(DISTINCT ip), NULL))[1:5] AS ips, count(*)::int AS count, max(created_at) AS last_at
    FROM request_logs
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND api_key_id = ${api_key_id}
      AND created_at >= ${since.toISOString()}::timestamptz
    GROUP BY 1, 2, 3 ORDER BY count(*) DESC, max(created_at) DESC LIMIT ${limit}::int`);
}
