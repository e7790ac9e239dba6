/** The record of a calendar's run. `json-columns.schemas.ts` defines its counts and entries. */
import type { SyncRunChange, SyncRunCounts } from '../json-columns.schemas';

export type SyncRunTrigger = 'forced' | 'schedule';

/** `unchanged`: the server responded with 304, or the content equals the content applied last. */
export type SyncRunStatus = 'succeeded' | 'unchanged' | 'failed';

/** Returns whether a run changed anything that partners can see. */
export function hasReservationChangesVisibleToPartners(counts: SyncRunCounts): boolean {
  return counts.created + counts.updated + counts.moved + counts.restored + counts.cancelled > 0;
}

/** The order of changes, the most severe first. */
const ORDER: readonly SyncRunChange['what'][] = ['cancelled', 'moved', 'updated', 'restored', 'created'];

/** Sorts the changes into the order of a run's record. */
export function sortSyncRunChanges(changes: readonly SyncRunChange[]): SyncRunChange[] {
  return ORDER.flatMap((what) => changes.filter((change) => change.what === what));
}
