/** The record of a calendar's run. `json-columns.schemas.ts` defines its counts and entries. */
import type { RunChange, RunCounts } from '../json-columns.schemas';

export type RunTrigger = 'forced' | 'schedule';

/** `unchanged`: the server responded with 304, or the content equals the content applied last. */
export type RunStatus = 'succeeded' | 'unchanged' | 'failed';

/** Returns whether a run changed anything that partners can see. */
export function hasPartnerVisibleChanges(counts: RunCounts): boolean {
  return counts.created + counts.updated + counts.moved + counts.restored + counts.cancelled > 0;
}

/** The order of changes, the most severe first. */
const ORDER: readonly RunChange['what'][] = ['cancelled', 'moved', 'updated', 'restored', 'created'];

/** Sorts the changes into the order of a run's record. */
export function sortChanges(changes: readonly RunChange[]): RunChange[] {
  return ORDER.flatMap((what) => changes.filter((change) => change.what === what));
}
