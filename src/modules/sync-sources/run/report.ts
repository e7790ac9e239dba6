/** What a run of a calendar leaves behind (SyncRun.counts, SyncRun.skipped, the event's `run`). */
import type { SkipReason } from '../plan/planner';

export type RunTrigger = 'forced' | 'schedule';

/** `unchanged`: the calendar said so, or its content is the one that was applied last. */
export type RunStatus = 'succeeded' | 'unchanged' | 'failed';

export interface RunCounts {
  /** Events that could be read, of any kind. */
  seen: number;
  created: number;
  /** Reservations whose dates or external id changed. */
  updated: number;
  /** Bookings recognised under another UID, with other dates. */
  moved: number;
  /** Taken back, because the calendar has them again. */
  restored: number;
  unchanged: number;
  /** Entries that create nothing: blocks, tentative ones, reservations that may not be touched. */
  skipped: number;
  /** Missing for the first time. */
  vanished: number;
  cancelled: number;
  /** Events that could not be read. */
  problems: number;
}

export const NO_COUNTS: RunCounts = {
  seen: 0,
  created: 0,
  updated: 0,
  moved: 0,
  restored: 0,
  unchanged: 0,
  skipped: 0,
  vanished: 0,
  cancelled: 0,
  problems: 0,
};

/** Whether a run changed what partners can see. */
export function changedData(counts: RunCounts): boolean {
  return counts.created + counts.updated + counts.moved + counts.restored + counts.cancelled > 0;
}

/** An entry that created nothing, or an event that could not be read, with the reason. */
export interface SkippedEntry {
  reason: SkipReason | string;
  message: string | null;
  summary: string | null;
  checkin_date: string | null;
  checkout_date: string | null;
  reservation_id: string | null;
}

/** What a run did to a reservation. It names it by its id: the name is read where it is shown, so that a redaction reaches it. */
export interface RunChange {
  what: 'cancelled' | 'moved' | 'updated' | 'restored' | 'created';
  reservation_id: string;
  checkin_date: string;
  checkout_date: string;
  /** The dates before, where they changed. */
  was: { checkin_date: string; checkout_date: string } | null;
}

/** What a host has to know first comes first. */
const ORDER: readonly RunChange['what'][] = ['cancelled', 'moved', 'updated', 'restored', 'created'];

/** The changes as a run's record has them. */
export function inOrder(changes: readonly RunChange[]): RunChange[] {
  return ORDER.flatMap((what) => changes.filter((change) => change.what === what));
}
