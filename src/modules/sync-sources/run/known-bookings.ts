/**
 * Determines which reservations a calendar's run may match with entries, and which belong to
 * another calendar.
 */
import type { SyncSource } from '@/generated/prisma/client';
import type { Scope } from '@/shared/scope';
import { addDays } from '../feed/calendar-days';
import type { FeedEntry } from '../feed/reader';
import type { BookingChannelOrDirect, StoredBooking } from '../plan/match-bookings';
import type { SyncPlan } from '../plan/planner';
import * as repository from '../repository';

/** Runs ignore stays that ended more than this many days ago. */
const HISTORY_DAYS = 365;

/**
 * Returns the property's reservations of the channel: the source's own, and reservations from a
 * mail, the API or an inactive calendar, which the source may adopt. A reservation of another
 * active calendar is returned only if it has the same code or UID as an entry, so that the entry
 * does not create it again. The ids of these reservations are in `foreign`. Without a common code
 * or UID, it is omitted, because two rooms of one property may be let for the same days.
 */
export async function loadStoredBookings(
  scope: Scope,
  source: Pick<SyncSource, 'id' | 'property_id'>,
  channel: BookingChannelOrDirect,
  entries: readonly FeedEntry[],
  today: string,
) {
  const rows = await repository.listPropertyBookings(scope, source.property_id, channel, addDays(today, -HISTORY_DAYS));
  const others = await repository.listIdsOfOtherSyncSourcesOfProperty(scope, source);
  const named = new Set(entries.flatMap((entry) => [entry.external_id, entry.uid, entry.reservation_code]));
  const foreign = new Set<string>();
  const known: StoredBooking[] = [];
  for (const row of rows) {
    const is_foreign = row.sync_source_id !== null && others.has(row.sync_source_id);
    if (is_foreign) {
      const same = [row.external_id, row.external_uid].some((id) => id !== null && named.has(id));
      if (!same) continue;
      foreign.add(row.id);
    }
    known.push({ ...row, owned: row.sync_source_id === source.id });
  }
  return { known, foreign };
}

/** Returns the plan without its changes of another calendar's bookings. */
export function excludeBookingsOfOtherCalendars(plan: SyncPlan, foreign: ReadonlySet<string>): SyncPlan {
  if (foreign.size === 0) return plan;
  const own = <T extends { readonly id: string }>(changes: readonly T[]) =>
    changes.filter(({ id }) => !foreign.has(id));
  return {
    ...plan,
    updates: own(plan.updates),
    moved: own(plan.moved),
    returned: own(plan.returned),
    cancels: own(plan.cancels),
  };
}
