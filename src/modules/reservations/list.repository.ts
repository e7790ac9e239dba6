/**
 * Queries for the list of reservations, with filters. Hosts can also search and sort. A page takes
 * the same time with 100,000 rows as with ten (stress/bench/results.md). The baseline migration has
 * the indexes.
 */
import { Prisma } from '@/generated/prisma/client';
import { findCursorPosition, type Page } from '@/infra/db/keyset';
import { queryRowsInScope, scopedDb } from '@/infra/db/scoped-client';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { getPaginationDirection, slicePageFromRows } from '@/shared/lists/pagination';
import { createRefusal } from '@/shared/refusals/refusal';
import { shouldMaskGuestData } from '@/shared/roles';
import type { Scope } from '@/shared/scope';
import type { HostReservationListQuery, ReservationSort } from './host.schemas';
import * as reads from './reads.repository';
import { buildWordPrefixTsquery, RESERVATION_SEARCH_SQL, splitSearchWords } from './rules/search';
import { AWAITING_SIGNATURE_STATUSES } from './rules/transitions';

/** Columns that only hosts see. */
export interface HostOnlyReservationColumns {
  property_name: string | null;
  property_timezone: string | null;
  dates_changed_after_send_at: Date | null;
  guest_reply: string | null;
}
export type ListedReservationRow = reads.ReservationWithPacketColumns & HostOnlyReservationColumns;

interface Selection {
  columns: Prisma.Sql;
  joins: Prisma.Sql;
}
const RESOURCE: Selection = { columns: Prisma.empty, joins: Prisma.empty };
const FOR_HOST: Selection = {
  columns: Prisma.sql`, r.dates_changed_after_send_at, r.guest_reply, p.name AS property_name, p.timezone AS property_timezone`,
  joins: Prisma.sql`LEFT JOIN properties p ON p.id = r.property_id AND p.team_id = r.team_id AND p.mode = r.mode`,
};

const NEWEST_FIRST: ReservationSort = { by: 'created', descending: true };

/** Must equal the index's expression exactly. Otherwise the index is not used. */
export const RESERVATION_SEARCH_PRISMA_SQL = Prisma.raw(RESERVATION_SEARCH_SQL);

const KEYS: Record<ReservationSort['by'], string> = {
  created: 'r.created_at',
  checkin: 'r.checkin_date',
  guest: 'lower(r.guest_name)',
};

/**
 * A search with at most this many hits collects and sorts them. With more hits, scanning the index
 * of the sort order finds a page faster.
 */
const FEW = 2_000;
/**
 * A search first tests this many rows in sort order. For a frequent word they already contain a
 * full page, so the hits need not be counted.
 */
const NEAR = 200;

/**
 * Returns a page in the query's order, by default newest first. Throws conflicting_cursors and
 * invalid_cursor.
 */
export async function listPartnerReservations(
  scope: Scope,
  query: HostReservationListQuery,
): Promise<Page<reads.ReservationWithPacketColumns>> {
  const { data, has_more } = await listRows<reads.ReservationPacketJoinRow>(scope, query, RESOURCE);
  return { data: data.map(reads.splitReservationAndPacketColumns), has_more };
}

/** Returns a page with the columns for hosts. */
export async function listReservationsWithHostColumns(
  scope: Scope,
  query: HostReservationListQuery,
): Promise<Page<ListedReservationRow>> {
  const { data, has_more } = await listRows<reads.ReservationPacketJoinRow & HostOnlyReservationColumns>(
    scope,
    query,
    FOR_HOST,
  );
  const shown = data.map((row) => {
    const { property_name, property_timezone, dates_changed_after_send_at, guest_reply } = row;
    return {
      ...reads.splitReservationAndPacketColumns(row),
      property_name,
      property_timezone,
      dates_changed_after_send_at,
      guest_reply,
    };
  });
  return { data: shown, has_more };
}

async function listRows<Row extends reads.ReservationPacketJoinRow>(
  scope: Scope,
  query: HostReservationListQuery,
  selection: Selection,
): Promise<Page<Row>> {
  const direction = getPaginationDirection(query);
  const sort = query.sort ?? NEWEST_FIRST;
  // Searching, filtering by code and sorting by name would reveal masked guest data.
  if (shouldMaskGuestData(scope) && (query.search || query.external_id !== undefined || sort.by === 'guest'))
    throw new AppError('insufficient_scope', { message: createRefusal('needs_guest_data') });
  const cursor_id = query.starting_after ?? query.ending_before;
  const match = matchOf(scope, query.search);
  // The source of the search hits, kept for a second call of `page`, so that the hits are counted
  // only once.
  let counted: ReturnType<typeof rowsToSearch> | undefined;
  const page = async (position: Position | null) => {
    const asked = { sort, selection, position };
    const near = match ? await pageOf<Row>(scope, query, { ...asked, source: EVERYTHING, match, among: NEAR }) : [];
    if (near.length > query.limit) return near;
    counted ??= rowsToSearch(scope, match);
    return pageOf<Row>(scope, query, { ...asked, ...(await counted) });
  };
  if (cursor_id === undefined) return slicePageFromRows(await page(null), query.limit, direction);
  const key = Prisma.raw(KEYS[sort.by]);
  const place = Prisma.sql`(SELECT ${key} FROM reservations r WHERE r.id = ${cursor_id} AND ${reads.buildReservationScopeCondition(scope)})`;
  let rows = await page({ id: cursor_id, key: place });
  // Either the list has ended, or the cursor's row was deleted or never existed.
  if (rows.length === 0) {
    const position = await findCursorPosition(scopedDb(scope).reservation, 'reservation', 'reservation', query);
    if (sort.by === 'created') {
      // The row may have been deleted, but the id in the cursor contains its creation time.
      rows = await page({ id: cursor_id, key: Prisma.sql`${position?.created_at}::timestamptz` });
    } else if (!(await reads.findReservationWithPacketColumns(scope, cursor_id))) {
      throw new AppError('invalid_cursor', { param: query.starting_after ? 'starting_after' : 'ending_before' });
    }
  }
  return slicePageFromRows(rows, query.limit, direction);
}

/** The rows from which a page is taken. */
interface Source {
  with: Prisma.Sql;
  from: Prisma.Sql;
}
const EVERYTHING: Source = { with: Prisma.empty, from: Prisma.raw('reservations') };

function matchOf(scope: Scope, search: string | undefined): Prisma.Sql | null {
  const words = splitSearchWords(search ?? '');
  return words.length === 0
    ? null
    : Prisma.sql`${RESERVATION_SEARCH_PRISMA_SQL} @@ lower(${buildWordPrefixTsquery(scope.team_id, words)})::tsquery`;
}

/**
 * Counts the hits of a search up to a limit. Few hits are collected and then sorted. Many hits are
 * found by scanning the index of the sort order with the search as a condition. Without the count,
 * PostgreSQL would choose that scan even for a rare word and read the whole table.
 */
async function rowsToSearch(
  scope: Scope,
  match: Prisma.Sql | null,
): Promise<{ source: Source; match: Prisma.Sql | null }> {
  if (!match) return { source: EVERYTHING, match };
  const hits = Prisma.sql`FROM reservations r WHERE ${reads.buildReservationScopeCondition(scope)} AND ${match}`;
  const [counted] = await queryRowsInScope<{ few: boolean }>(
    scope,
    Prisma.sql`SELECT count(*) <= ${FEW}::int AS few FROM (SELECT 1 ${hits} LIMIT ${FEW + 1}::int) h`,
  );
  if (!counted?.few) return { source: EVERYTHING, match };
  const collected = { with: Prisma.sql`WITH hits AS MATERIALIZED (SELECT r.* ${hits})`, from: Prisma.raw('hits') };
  return { source: collected, match: null };
}

/** Returns ids of signed reservations that match a search. */
export async function findSignedReservationIds(
  scope: Scope,
  words: readonly string[],
  limit: number,
): Promise<string[]> {
  const rows = await queryRowsInScope<{ id: string }>(
    scope,
    Prisma.sql`SELECT r.id FROM reservations r WHERE ${reads.buildReservationScopeCondition(scope)} AND r.signature_id IS NOT NULL
      AND ${RESERVATION_SEARCH_PRISMA_SQL} @@ lower(${buildWordPrefixTsquery(scope.team_id, words)})::tsquery LIMIT ${limit}::int`,
  );
  return rows.map(({ id }) => id);
}

interface Position {
  id: string;
  key: Prisma.Sql;
}

interface PageSelection {
  sort: ReservationSort;
  source: Source;
  selection: Selection;
  position: Position | null;
  match: Prisma.Sql | null;
  /** The maximum number of rows after the position that are tested for a match. */
  among?: number;
}

function pageOf<Row>(scope: Scope, query: HostReservationListQuery, selected: PageSelection): Promise<Row[]> {
  const { sort, source, selection, position, match, among } = selected;
  const backwards = query.ending_before !== undefined;
  const down = sort.descending !== backwards;
  const key = Prisma.raw(KEYS[sort.by]);
  const order = Prisma.raw(`${KEYS[sort.by]} ${down ? 'DESC' : 'ASC'}, r.id ${down ? 'DESC' : 'ASC'}`);
  const wanted = query.statuses && Prisma.sql`${[...new Set(query.statuses)]}::text[]::"ReservationStatus"[]`;
  // The index is sorted only within each status. One page of each status is read, and the pages are
  // merged.
  const state_by_state = wanted !== undefined && sort.by !== 'guest' && !match && source === EVERYTHING;
  const conditions = [
    reads.buildReservationScopeCondition(scope),
    ...reads.buildReservationFilterConditions(query),
    ...(wanted ? [state_by_state ? Prisma.sql`r.status = wanted.status` : Prisma.sql`r.status = ANY(${wanted})`] : []),
    ...(query.attention ? [ATTENTION[query.attention](scope)] : []),
    ...(match && !among ? [match] : []),
    ...(position ? [Prisma.sql`(${key}, r.id) ${Prisma.raw(down ? '<' : '>')} (${position.key}, ${position.id})`] : []),
  ];
  const first = (rows: number) => Prisma.sql`ORDER BY ${order} LIMIT ${rows}`;
  const page = first(query.limit + 1);
  let rows = Prisma.sql`SELECT * FROM ${source.from} r WHERE ${Prisma.join(conditions, ' AND ')} ${among ? first(among) : page}`;
  if (state_by_state)
    rows = Prisma.sql`SELECT r.* FROM unnest(${wanted}) AS wanted(status) CROSS JOIN LATERAL (${rows}) r ${page}`;
  if (among) rows = Prisma.sql`SELECT r.* FROM (${rows}) r WHERE ${match} ${page}`;
  return queryRowsInScope<Row>(
    scope,
    Prisma.sql`${source.with} SELECT ${reads.RESERVATION_COLUMNS_SQL}, ${reads.PACKET_ARRIVAL_COLUMNS_SQL} ${selection.columns}
      FROM (${rows}) r ${selection.joins} ${reads.PACKET_JOINS_SQL} ORDER BY ${order}`,
  );
}

/**
 * A condition for reservations that share nights with another reservation and whose pair the host
 * has not confirmed.
 */
const sameNights = ({ team_id, mode }: Scope) => Prisma.sql`r.status NOT IN ('ignored', 'expired') AND r.id IN (
    SELECT unnest(ARRAY[s.reservation_id, s.other_id]) FROM same_nights s
    JOIN reservations a ON a.id = s.reservation_id AND a.team_id = s.team_id AND a.mode = s.mode
    JOIN reservations b ON b.id = s.other_id AND b.team_id = s.team_id AND b.mode = s.mode
    JOIN properties p ON p.id = a.property_id AND p.team_id = s.team_id AND p.mode = s.mode AND NOT p.parallel_stays
    WHERE s.both_real_at IS NULL AND s.team_id = ${team_id} AND s.mode = ${mode}::"Mode"
      AND a.status NOT IN ('ignored', 'expired') AND b.status NOT IN ('ignored', 'expired')
      AND a.checkout_date > b.checkin_date AND b.checkout_date > a.checkin_date
      AND least(a.checkout_date, b.checkout_date) >= ${clock().now().toISOString()}::date - 1)`;

const IS_WITH_THE_GUEST = Prisma.raw(
  `r.status IN (${AWAITING_SIGNATURE_STATUSES.map((status) => `'${status}'`).join(', ')})`,
);

const ATTENTION: Record<NonNullable<HostReservationListQuery['attention']>, (scope: Scope) => Prisma.Sql> = {
  guest_replied: () => Prisma.sql`r.guest_reply IS NOT NULL AND ${IS_WITH_THE_GUEST}`,
  same_nights: sameNights,
  address_missing: () => Prisma.sql`r.guest_email IS NULL AND r.status IN ('draft', 'synced')`,
  dates_changed: () => Prisma.sql`r.dates_changed_after_send_at IS NOT NULL AND ${IS_WITH_THE_GUEST}`,
};
