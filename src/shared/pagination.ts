/**
 * Cursor pagination, the pure half (specification, "Limits"): lists are newest first, `starting_after` goes to older
 * items and `ending_before` to newer ones.
 */
import { AppError } from './errors';

export type PageDirection = 'first' | 'after' | 'before';

/** Throws `conflicting_cursors` when both are given. */
export function pageDirection(query: { starting_after?: string; ending_before?: string }): PageDirection {
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    throw new AppError('conflicting_cursors', { param: 'ending_before' });
  }
  if (query.ending_before !== undefined) return 'before';
  return query.starting_after === undefined ? 'first' : 'after';
}

/**
 * The page of `limit + 1` fetched rows. Going back they were fetched oldest first, from the cursor on; the page is
 * newest first either way, and `has_more` tells of more items in the direction of travel.
 */
export function sliceList<Row>(fetched: readonly Row[], limit: number, direction: PageDirection): { data: Row[]; has_more: boolean } {
  const data = fetched.slice(0, limit);
  return { data: direction === 'before' ? data.reverse() : data, has_more: fetched.length > limit };
}
