/**
 * Cursor pagination, the part without a database (specification, "Limits": Pagination). Lists are newest first by
 * creation time, then id. A page is fetched with one row more than asked for, in the direction it reads:
 *
 *   after   (starting_after, or no cursor): rows older than the cursor, newest first;
 *   before  (ending_before): rows newer than the cursor, oldest first, so that the nearest ones are found.
 */
import { AppError } from '../errors';

export type PageDirection = 'after' | 'before';

export interface Cursors {
  starting_after?: string | null | undefined;
  ending_before?: string | null | undefined;
}

/** Which way the page reads. Throws AppError `conflicting_cursors` when both cursors are given. */
export function pageDirection({ starting_after, ending_before }: Cursors): PageDirection {
  if (starting_after != null && ending_before != null) {
    throw new AppError('conflicting_cursors', { param: 'ending_before' });
  }
  return ending_before == null ? 'after' : 'before';
}

/**
 * The page from up to `limit + 1` rows in the order they were fetched. `data` is newest first whatever the direction;
 * `has_more` says whether there are further rows that way: older ones for `after`, newer ones for `before`.
 */
export function sliceList<Row>(
  rows: readonly Row[],
  limit: number,
  direction: PageDirection,
): { data: Row[]; has_more: boolean } {
  const data = rows.slice(0, limit);
  return { data: direction === 'before' ? data.reverse() : data, has_more: rows.length > limit };
}
