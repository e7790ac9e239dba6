/**
 * When a feed may be believed about what is no longer in it (DESIGN "Calendar sync"): it answered 2xx, is whole, could
 * be parsed, has at least one event and not under half of the bookings of the last healthy run. What came is still read
 * when it is not healthy; only nothing is cancelled or taken for moved.
 */
import type { ReadFeed } from '../feed/reader';

/** A calendar that stays small for this long, whole and answering, has really lost its events. */
export const SHRINK_ACCEPTED_AFTER_MS = 24 * 60 * 60 * 1_000;

export interface FeedHealth {
  readonly healthy: boolean;
  /** `asks`: too much would change at once (held.ts). */
  readonly reason: 'not_whole' | 'no_events' | 'shrunk' | 'asks' | null;
  /** To store as `last_healthy_count`. */
  readonly healthy_count: number | null;
  /** To store, and to give back at the next run. Without it a calendar that really shrank would be distrusted for ever. */
  readonly shrunk_since: Date | null;
}

export interface HealthInput {
  readonly feed: Pick<ReadFeed, 'entries' | 'whole' | 'event_count'>;
  readonly last_healthy_count: number | null;
  readonly shrunk_since: Date | null;
  readonly now: Date;
}

/**
 * How many entries are bookings, or would be if the host said so: all but what the channel itself calls a block. A host
 * who says what an entry is makes no calendar smaller.
 */
export function countBookings({ entries }: Pick<ReadFeed, 'entries'>): number {
  return entries.filter((entry) => entry.class !== 'block').length;
}

/** Whether the feed is healthy, and what to remember of it. */
export function assessHealth({ feed, last_healthy_count, shrunk_since, now }: HealthInput): FeedHealth {
  const unhealthy = (reason: 'not_whole' | 'no_events' | 'shrunk', since: Date | null): FeedHealth => ({
    healthy: false,
    reason,
    healthy_count: last_healthy_count,
    shrunk_since: since,
  });
  // A cut or empty answer says nothing about how long the calendar has been small.
  if (!feed.whole) return unhealthy('not_whole', shrunk_since);
  if (feed.event_count === 0) return unhealthy('no_events', shrunk_since);
  const bookings = countBookings(feed);
  // The only one that is gone is a cancellation, or was the last stay of the year.
  if (last_healthy_count !== null && last_healthy_count > 1 && bookings * 2 < last_healthy_count) {
    const since = shrunk_since ?? now;
    if (now.getTime() - since.getTime() < SHRINK_ACCEPTED_AFTER_MS) return unhealthy('shrunk', since);
  }
  return { healthy: true, reason: null, healthy_count: bookings, shrunk_since: null };
}
