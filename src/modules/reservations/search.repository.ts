/**
 * The dashboard's list of reservations: searched, filtered, sorted, a page at a time, at 100,000 rows as at ten
 * (bench/results.md). The indexes it relies on are those of the migration reservation_search.
 */
import { Prisma } from '@/generated/prisma/client';
import { findCursor, type Page } from '@/infra/db/keyset';
import { scopedDb, scopedRows } from '@/infra/db/scoped-client';
import { AppError } from '@/shared/errors';
import { pageDirection, sliceList } from '@/shared/pagination';
import type { Scope } from '@/shared/scope';
import type { ReservationSearch, ReservationSort } from './host.schemas';
import * as reads from './reads.repository';
import { searchQuery, searchWords } from './rules/search';

export interface ListedReservation extends reads.ShownReservation {
  property_name: string | null;
  dates_changed_after_send_at: Date | null;
}

type ListedRow = reads.JoinedRow & Pick<ListedReservation, 'property_name' | 'dates_changed_after_send_at'>;

/** The very expression of the index; any other would read the whole table. */
export const WORDS = Prisma.raw(
  `array_to_tsvector(array_remove(string_to_array(translate(lower(r.guest_name || ' ' || coalesce(r.guest_email, '') || ' ' || coalesce(left(r.external_id, 200), '')), '@.,;:+_/()''"#-', '              '), ' ') || ('#' || r.team_id), ''))`,
);

const KEYS: Record<ReservationSort['by'], string> = {
  created: 'r.created_at',
  checkin: 'r.checkin_date',
  guest: 'lower(r.guest_name)',
};

/** Up to this many hits are collected and then sorted; of more, enough turn up on the way along the sort's own index. */
const FEW = 2_000;

/** A page in the query's order. Throws conflicting_cursors and invalid_cursor. */
export async function searchShown(scope: Scope, query: ReservationSearch): Promise<Page<ListedReservation>> {
  const direction = pageDirection(query);
  const cursor_id = query.starting_after ?? query.ending_before;
  const source = await rowsToSearch(scope, query.search);
  if (cursor_id === undefined) return sliceList(await page(scope, query, source, null), query.limit, direction);
  const key = Prisma.raw(KEYS[query.sort.by]);
  const place = Prisma.sql`(SELECT ${key} FROM reservations r WHERE r.id = ${cursor_id} AND ${reads.ofScope(scope)})`;
  let rows = await page(scope, query, source, { id: cursor_id, key: place });
  // The end of the list; or a cursor that was deleted or is nobody's.
  if (rows.length === 0) {
    const position = await findCursor(scopedDb(scope).reservation, 'reservation', 'reservation', query);
    if (query.sort.by === 'created') {
      // Its id still says when it was made.
      rows = await page(scope, query, source, {
        id: cursor_id,
        key: Prisma.sql`${position?.created_at}::timestamptz`,
      });
    } else if (!(await reads.findShown(scope, cursor_id))) {
      throw new AppError('invalid_cursor', { param: query.starting_after ? 'starting_after' : 'ending_before' });
    }
  }
  return sliceList(rows, query.limit, direction);
}

/** Where the page's rows come from: everything, a few hits collected first, or everything with the search as one more condition. */
interface Source {
  with: Prisma.Sql;
  from: Prisma.Sql;
  condition: Prisma.Sql | null;
}

/**
 * With `ORDER BY … LIMIT` the planner hopes to meet hits soon along the sort's index; for a rare word it would read
 * everything. So hits are counted first, to a limit, and the way is chosen here.
 */
async function rowsToSearch(scope: Scope, search: string | undefined): Promise<Source> {
  const all = { with: Prisma.empty, from: Prisma.raw('reservations'), condition: null };
  const words = searchWords(search ?? '');
  if (words.length === 0) return all;
  const match = Prisma.sql`${WORDS} @@ lower(${searchQuery(scope.team_id, words)})::tsquery`;
  const hits = Prisma.sql`FROM reservations r WHERE ${reads.ofScope(scope)} AND ${match}`;
  const [counted] = await scopedRows<{ few: boolean }>(
    scope,
    Prisma.sql`SELECT count(*) <= ${FEW}::int AS few FROM (SELECT 1 ${hits} LIMIT ${FEW + 1}::int) h`,
  );
  if (!counted?.few) return { ...all, condition: match };
  return {
    with: Prisma.sql`WITH hits AS MATERIALIZED (SELECT r.* ${hits})`,
    from: Prisma.raw('hits'),
    condition: null,
  };
}

async function page(
  scope: Scope,
  query: ReservationSearch,
  source: Source,
  position: { id: string; key: Prisma.Sql } | null,
): Promise<ListedReservation[]> {
  const backwards = query.ending_before !== undefined;
  const down = query.sort.descending !== backwards;
  const key = Prisma.raw(KEYS[query.sort.by]);
  const order = Prisma.raw(`${KEYS[query.sort.by]} ${down ? 'DESC' : 'ASC'}, r.id ${down ? 'DESC' : 'ASC'}`);
  const conditions = [
    reads.ofScope(scope),
    ...reads.filters(query),
    ...(query.attention ? [ATTENTION[query.attention]] : []),
    ...(source.condition ? [source.condition] : []),
    ...(position ? [Prisma.sql`(${key}, r.id) ${Prisma.raw(down ? '<' : '>')} (${position.key}, ${position.id})`] : []),
  ];
  const rows = await scopedRows<ListedRow>(
    scope,
    Prisma.sql`${source.with} SELECT ${reads.columns}, ${reads.packetColumns}, r.dates_changed_after_send_at, p.name AS property_name
      FROM (SELECT * FROM ${source.from} r WHERE ${Prisma.join(conditions, ' AND ')} ORDER BY ${order} LIMIT ${query.limit + 1}) r
      LEFT JOIN properties p ON p.id = r.property_id AND p.team_id = r.team_id AND p.mode = r.mode
      ${reads.packetJoins} ORDER BY ${order}`,
  );
  return rows.map((row) => ({
    ...reads.split(row),
    property_name: row.property_name,
    dates_changed_after_send_at: row.dates_changed_after_send_at,
  }));
}

const ATTENTION: Record<NonNullable<ReservationSearch['attention']>, Prisma.Sql> = {
  address_missing: Prisma.sql`r.guest_email IS NULL AND r.status IN ('draft', 'synced')`,
  dates_changed: Prisma.sql`r.dates_changed_after_send_at IS NOT NULL`,
};
