import type { FeedEntry } from '../feed/reader';
import { EMPTY_CALENDAR_QUESTIONS_TO_HOST } from '../plan/calendar-question';
import { getGuestNameForNewReservation } from '../plan/guest-identity';
import type { StoredBooking } from '../plan/match-bookings';
import { planSync, type SyncPlan, type SyncPlanInput } from '../plan/planner';

export const TODAY = '2026-05-15';
export const NOW = new Date('2026-05-15T10:00:00Z');
export const HOUR_MS = 3_600_000;
export const getTimeHoursFromNow = (hours: number) => new Date(NOW.getTime() + hours * HOUR_MS);

export function buildFeedEntry(checkin_date: string, checkout_date: string, over: Partial<FeedEntry> = {}): FeedEntry {
  const uid = over.uid === undefined ? `uid-${checkin_date}` : over.uid;
  const nights = (Date.parse(checkout_date) - Date.parse(checkin_date)) / 86_400_000;
  return {
    external_id: over.reservation_code ?? uid ?? `${checkin_date}/${checkout_date}`,
    uid,
    reservation_code: null,
    checkin_date,
    checkout_date,
    nights,
    class: 'booking',
    cancelled: false,
    guest_name: null,
    phone_last4: null,
    guest_language: null,
    summary: 'Reserved',
    ...over,
  };
}

export function buildStoredBooking(
  id: string,
  checkin_date: string,
  checkout_date: string,
  over: Partial<StoredBooking> = {},
): StoredBooking {
  return {
    id,
    owned: true,
    external_id: `uid-${checkin_date}`,
    external_uid: `uid-${checkin_date}`,
    guest_name: 'Guest',
    checkin_date,
    checkout_date,
    status: 'synced',
    cancel_reason: null,
    signed: false,
    manual_override: false,
    redacted: false,
    legal_hold: false,
    feed_misses: 0,
    feed_first_missed_at: null,
    ...over,
  };
}

export function buildTestSyncPlan(
  known: StoredBooking[],
  entries: FeedEntry[],
  over: Partial<SyncPlanInput> = {},
): SyncPlan {
  return planSync({
    channel: 'channel_b',
    known,
    feed: { entries, seen: [], whole: true, event_count: entries.length },
    last_healthy_count: null,
    shrunk_since: null,
    closures_are_blocks: false,
    marks: [],
    held: EMPTY_CALENDAR_QUESTIONS_TO_HOST,
    now: NOW,
    today: TODAY,
    ...over,
  });
}

export const FEED_ENTRY_UNRELATED_TO_TESTED_STAY = buildFeedEntry('2026-12-01', '2026-12-05', { uid: 'other' });
export const BOOKING_UNRELATED_TO_TESTED_STAY = buildStoredBooking('other', '2026-12-01', '2026-12-05', {
  external_id: 'other',
  external_uid: 'other',
});

/** Applies a plan to rows in memory, as the service applies it in the database. */
export function applySyncPlanInMemory(known: StoredBooking[], result: SyncPlan, _now: Date): StoredBooking[] {
  const changes = new Map(
    [...result.updates, ...result.moved, ...result.returned].map((change) => [change.id, change]),
  );
  const restored = new Set(result.returned.map((change) => change.id));
  const missed = new Map(result.vanished.map((miss) => [miss.id, miss]));
  const cancelled = new Set(result.cancels.map((cancel) => cancel.id));
  const rows = known.map((old): StoredBooking => {
    const { adopt, ...change } = changes.get(old.id) ?? { id: old.id };
    return {
      ...old,
      ...change,
      ...missed.get(old.id),
      ...(adopt && { owned: true }),
      ...(restored.has(old.id) && { status: 'synced' as const, cancel_reason: null }),
      ...(cancelled.has(old.id) && { status: 'ignored' as const, cancel_reason: 'feed_removed' }),
    };
  });
  const made = result.creates.map((source, index) =>
    buildStoredBooking(`new-${known.length + index}`, source.checkin_date, source.checkout_date, {
      external_id: source.external_id,
      external_uid: source.uid,
      guest_name: getGuestNameForNewReservation(source),
    }),
  );
  return [...rows, ...made];
}
