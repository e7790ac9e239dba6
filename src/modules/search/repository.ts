/**
 * Search queries by words and by ids. They use indexes, so they take the same time with 100,000
 * rows as with ten (stress/bench/results.md).
 */
import { Prisma, queryRowsInScope, scopedDb } from '@/infra/db/scoped-client';
import {
  buildWholeWordTsquery,
  buildWordPrefixTsquery,
  RESERVATION_SEARCH_SQL,
  SIGNER_SEARCH_SQL,
} from '@/modules/reservations/rules/search';
import type { ReservationStatus } from '@/modules/reservations/rules/transitions';
import type { Scope } from '@/shared/scope';
import type { IdPrefix, SearchedResourceKind } from './ids.rules';

/** The maximum number of hits that are ranked. Hits of whole words come first. */
const SOME = 200;

/**
 * Returns a condition for rows that contain the words. PostgreSQL makes a new plan for most
 * searches, because a scan is faster than the index for a frequent word such as `com`. For a rare
 * word, planning takes longer than the search itself. A word with a digit, such as a booking code,
 * is assumed to be rare. The team is then a separate condition, which makes the planner expect few
 * rows and reuse its plan.
 */
function hasWords(scope: Scope, indexed: string, words: readonly string[], query: string) {
  const has = (text: string) => Prisma.sql`${Prisma.raw(indexed)} @@ lower(${text})::tsquery`;
  const rare = words.some((word) => /\d/.test(word));
  return rare ? Prisma.sql`${has(buildWordPrefixTsquery(scope.team_id, []))} AND ${has(query)}` : has(query);
}

/** Prefixes of words are searched only when matches of whole words do not fill the list. */
const FEW_WHOLE = Prisma.sql`(SELECT count(*) FROM whole) < ${SOME}::int`;

/**
 * Finds reservations: exact matches first, then whole words, then prefixes of words. Each group is
 * sorted by the distance of the stay from today.
 */
export function findReservations(scope: Scope, text: string, words: readonly string[], today: Date, limit: number) {
  type Found = {
    id: string;
    guest_name: string;
    property_name: string;
    checkin_date: Date;
    checkout_date: Date;
    status: ReservationStatus;
    external_id: string | null;
  };
  const of_scope = Prisma.sql`r.team_id = ${scope.team_id} AND r.mode = ${scope.mode}::"Mode"`;
  const columns = Prisma.raw(
    'r.id, r.guest_name, r.guest_email, r.property_id, r.checkin_date, r.checkout_date, r.status, r.external_id',
  );
  const hits = (query: string, exact: boolean, only = Prisma.sql`true`) => Prisma.sql`
    (SELECT ${columns}, ${exact}::boolean AS exact FROM reservations r
     WHERE ${of_scope} AND ${hasWords(scope, RESERVATION_SEARCH_SQL, words, query)} AND ${only} LIMIT ${SOME}::int)`;
  return queryRowsInScope<Found>(
    scope,
    Prisma.sql`
    WITH whole AS MATERIALIZED ${hits(buildWholeWordTsquery(scope.team_id, words), true)},
      begun AS MATERIALIZED ${hits(buildWordPrefixTsquery(scope.team_id, words), false, FEW_WHOLE)},
      hits AS (SELECT * FROM whole UNION ALL SELECT * FROM begun WHERE id NOT IN (SELECT id FROM whole))
    SELECT h.id, h.guest_name, p.name AS property_name, h.checkin_date, h.checkout_date, h.status, h.external_id
    FROM hits h JOIN properties p ON p.id = h.property_id AND p.team_id = ${scope.team_id} AND p.mode = ${scope.mode}::"Mode"
    ORDER BY ${text} IN (lower(h.guest_name), lower(h.guest_email), lower(h.external_id)) IS TRUE DESC, h.exact DESC,
      h.status = 'ignored', abs(h.checkin_date - ${today.toISOString()}::date), h.id
    LIMIT ${limit}::int`,
  );
}

/**
 * Finds signatures: exact matches first, then whole words, then prefixes of words. Each group is
 * sorted with the newest first.
 */
export function findCertificates(scope: Scope, text: string, words: readonly string[], limit: number) {
  type Found = { id: string; signer_name: string; property_name: string | null; signed_at: Date };
  const of_scope = Prisma.sql`s.team_id = ${scope.team_id} AND s.mode = ${scope.mode}::"Mode"`;
  const columns = Prisma.raw('s.id, s.signer_name, s.signer_email, s.property_id, s.signed_at');
  const hits = (query: string, exact: boolean, only = Prisma.sql`true`) => Prisma.sql`
    (SELECT ${columns}, ${exact}::boolean AS exact FROM signatures s
     WHERE ${of_scope} AND ${hasWords(scope, SIGNER_SEARCH_SQL, words, query)} AND ${only} LIMIT ${SOME}::int)`;
  return queryRowsInScope<Found>(
    scope,
    Prisma.sql`
    WITH whole AS MATERIALIZED ${hits(buildWholeWordTsquery(scope.team_id, words), true)},
      begun AS MATERIALIZED ${hits(buildWordPrefixTsquery(scope.team_id, words), false, FEW_WHOLE)},
      hits AS (SELECT * FROM whole UNION ALL SELECT * FROM begun WHERE id NOT IN (SELECT id FROM whole))
    SELECT h.id, h.signer_name, p.name AS property_name, h.signed_at
    FROM hits h LEFT JOIN properties p ON p.id = h.property_id AND p.team_id = ${scope.team_id} AND p.mode = ${scope.mode}::"Mode"
    ORDER BY ${text} IN (lower(h.signer_name), lower(h.signer_email)) IS TRUE DESC, h.exact DESC, h.signed_at DESC
    LIMIT ${limit}::int`,
  );
}

/**
 * Finds properties with the text in name, city or address. A team has few properties, so no index
 * is needed.
 */
export function findProperties(scope: Scope, text: string, limit: number) {
  const contains = { contains: text, mode: 'insensitive' } as const;
  return scopedDb(scope).property.findMany({
    where: { OR: [{ name: contains }, { city: contains }, { address: contains }] },
    select: { id: true, name: true, city: true, address: true },
    orderBy: { created_at: 'desc' },
    take: limit,
  });
}

/**
 * The table of each kind, and its columns for the label and the parent. All tables have an index on
 * the creation time.
 */
const TABLES: Record<SearchedResourceKind, { table: string; label: string; parent?: string }> = {
  reservation: { table: 'reservations', label: 'guest_name' },
  signature: { table: 'signatures', label: 'signer_name' },
  property: { table: 'properties', label: 'name' },
  packet: { table: 'packets', label: 'name', parent: 'property_id' },
  event: { table: 'events', label: 'type' },
  request: { table: 'request_logs', label: "method || ' ' || path" },
  api_key: { table: 'api_keys', label: 'name' },
  webhook_endpoint: { table: 'webhook_endpoints', label: 'url' },
  sync_source: { table: 'sync_sources', label: 'NULL::text' },
  mail: { table: 'mail_messages', label: 'subject' },
};

/** Finds the newest rows whose id has the prefix, using the index on the creation time. */
export function findResourcesByIdPrefix(scope: Scope, { kind, prefix, whole, from, to }: IdPrefix, limit: number) {
  type Found = { id: string; label: string | null; parent_id: string | null };
  const { table, label, parent } = TABLES[kind];
  // A whole id is looked up as the primary key.
  const begins = whole
    ? Prisma.sql`t.id = ${prefix}`
    : Prisma.sql`t.created_at BETWEEN ${from.toISOString()}::timestamptz AND ${to.toISOString()}::timestamptz
      AND starts_with(t.id, ${prefix})`;
  return scopedDb(scope).$queryRaw<Found[]>(Prisma.sql`
    SELECT t.id, ${Prisma.raw(label)} AS label, ${Prisma.raw(parent ?? 'NULL::text')} AS parent_id FROM ${Prisma.raw(table)} t
    WHERE t.team_id = ${scope.team_id} AND t.mode = ${scope.mode}::"Mode"
      AND ${begins} ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}::int`);
}
