/** The record of a calendar's run. Its counts and entries are in `json-columns.schemas.ts`. */
import type { RunChange, RunCounts } from '../json-columns.schemas';

export type RunTrigger = 'forced' | 'schedule';

/** `unchanged`: the server responded with 304, or the content is the one applied last. */
export type RunStatus = 'succeeded' | 'unchanged' | 'failed';

/** Returns whether a run changed anything that partners can see. */
export function hasChangedData(counts: RunCounts): boolean {
  return counts.created + counts.updated + counts.moved + counts.restored + counts.cancelled > 0;
}

/** The order of changes, the most severe first. */
const ORDER: readonly RunChange['what'][] = ['cancelled', 'moved', 'updated', 'restored', 'created'];

/** Sorts the changes into the order of a run's record. */
export function sortChanges(changes: readonly RunChange[]): RunChange[] {
  return ORDER.flatMap((what) => changes.filter((change) => change.what === what));
}
