/**
 * Cursor pagination without the database (specification, "Limits": Pagination). Lists are newest
 * first by creation time, then id. A page is fetched in its reading direction, with one extra row
 * that shows whether more rows follow. `after` (starting_after, or no cursor) reads rows older than
 * the cursor, newest first. `before` (ending_before) reads rows newer than the cursor, oldest
 * first, so that the rows nearest to the cursor are found.
 */
import { AppError } from '../errors';

export type PageDirection = 'after' | 'before';

export interface PageCursors {
  starting_after?: string | null | undefined;
  ending_before?: string | null | undefined;
}

/**
 * Returns the reading direction of a page. Throws AppError `conflicting_cursors` when both cursors
 * are given.
 */
export function getPaginationDirection({ starting_after, ending_before }: PageCursors): PageDirection {
  if (starting_after != null && ending_before != null) {
    throw new AppError('conflicting_cursors', { param: 'ending_before' });
  }
  return ending_before == null ? 'after' : 'before';
}

/**
 * Returns the page from up to `limit + 1` rows in fetched order. `data` is always newest first.
 * `has_more` is whether there are more rows in the reading direction: older rows for `after`, newer
 * rows for `before`.
 */
export function slicePageFromRows<Row>(
  rows: readonly Row[],
  limit: number,
  direction: PageDirection,
): { data: Row[]; has_more: boolean } {
  const data = rows.slice(0, limit);
  return { data: direction === 'before' ? data.reverse() : data, has_more: rows.length > limit };
}

/** The list envelope from a page of rows (specification, "List envelope"). */
export interface ListEnvelope<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
}

/** Builds the list envelope. `url` is the list's path, such as `/v1/properties`. */
export function toListEnvelope<Row, T>(
  page: { data: Row[]; has_more: boolean },
  url: string,
  serialize: (row: Row) => T,
): ListEnvelope<T> {
  return { object: 'list', data: page.data.map(serialize), has_more: page.has_more, url };
}
