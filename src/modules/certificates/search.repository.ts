/** Searches certificates by signer. The index is `expression_signatures_search`. */
import { Prisma, queryRowsInScope } from '@/infra/db/scoped-client';
import { buildWordPrefixTsquery, SIGNER_SEARCH_SQL as signerWords } from '@/modules/reservations/rules/search';
import type { Scope } from '@/shared/scope';

/**
 * The SQL must be identical to the index's expression. Otherwise PostgreSQL does not use the index.
 */
export const SIGNER_SEARCH_COLUMN = Prisma.raw(signerWords);

/**
 * Returns the newest certificates whose signer matches these words or whose reservation is in the
 * list.
 */
export async function findCertificateIdsBySearchWords(
  scope: Scope,
  words: readonly string[],
  reservation_ids: readonly string[],
  limit: number,
): Promise<string[]> {
  const of_scope = Prisma.sql`s.team_id = ${scope.team_id} AND s.mode = ${scope.mode}::"Mode"`;
  const by_reservation =
    reservation_ids.length > 0
      ? Prisma.sql`s.reservation_id IN (${Prisma.join([...reservation_ids])})`
      : Prisma.sql`false`;
  const found = Prisma.sql`${SIGNER_SEARCH_COLUMN} @@ lower(${buildWordPrefixTsquery(scope.team_id, words)})::tsquery`;
  const [counted] = await queryRowsInScope<{ few: boolean }>(
    scope,
    Prisma.sql`SELECT count(*) <= ${limit}::int AS few
      FROM (SELECT 1 FROM signatures s WHERE ${of_scope} AND ${found} LIMIT ${limit + 1}::int) h`,
  );
  // If at most `limit` signers match, the first query collects and sorts all matches. Otherwise the
  // second query scans certificates by date until it has enough matches. With few matches, that
  // scan would read almost all certificates.
  const hits = counted?.few
    ? Prisma.sql`WITH hits AS MATERIALIZED (SELECT s.id, s.created_at FROM signatures s WHERE ${of_scope} AND ${found}
          UNION SELECT s.id, s.created_at FROM signatures s WHERE ${of_scope} AND ${by_reservation})
        SELECT id FROM hits ORDER BY created_at DESC, id DESC LIMIT ${limit}::int`
    : Prisma.sql`SELECT s.id FROM signatures s WHERE ${of_scope} AND (${found} OR ${by_reservation}) ORDER BY s.created_at DESC, s.id DESC LIMIT ${limit}::int`;
  const rows = await queryRowsInScope<{ id: string }>(scope, hits);
  return rows.map(({ id }) => id);
}
