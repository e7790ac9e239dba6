/**
 * When a feed can be trusted about what is missing in it (DESIGN "Calendar sync"): it answered 2xx,
 * is whole, could be parsed, and has at least one event and half of the bookings of the last
 * healthy run. Entries of an unhealthy feed are still read, but nothing is cancelled or moved.
 */
import type { ReadFeed } from '../feed/reader';

/** A calendar that stays small for this long, whole and without failures, has lost its events. */
export const SHRINK_ACCEPTED_AFTER_MS = 24 * 60 * 60 * 1_000;

export interface FeedHealth {
  readonly healthy: boolean;
  /** `asks`: too much would change at once (held.ts). */
  readonly reason: 'not_whole' | 'no_events' | 'shrunk' | 'asks' | null;
  /** To store as `last_healthy_count`. */
  readonly healthy_count: number | null;
  /**
   * To store and to pass to the next run, so that a calendar that really shrank is trusted again.
   */
  readonly shrunk_since: Date | null;
}

export interface HealthInput {
  readonly feed: Pick<ReadFeed, 'entries' | 'whole' | 'event_count'>;
  readonly last_healthy_count: number | null;
  readonly shrunk_since: Date | null;
  readonly now: Date;
}

/**
 * Entries that are bookings, or would be if the host said so: all except the channel's own blocks.
 * So the host's statements about entries do not make a calendar smaller.
 */
export function countBookings({ entries }: Pick<ReadFeed, 'entries'>): number {
  return entries.filter((entry) => entry.class !== 'block').length;
}

/** The feed's health, with the values to store. */
export function assessHealth({ feed, last_healthy_count, shrunk_since, now }: HealthInput): FeedHealth {
  const unhealthy = (reason: 'not_whole' | 'no_events' | 'shrunk', since: Date | null): FeedHealth => ({
    healthy: false,
    reason,
    healthy_count: last_healthy_count,
    shrunk_since: since,
  });
  // A truncated or empty feed does not show how long the calendar has been small.
  if (!feed.whole) return unhealthy('not_whole', shrunk_since);
  if (feed.event_count === 0) return unhealthy('no_events', shrunk_since);
  const bookings = countBookings(feed);
  // With one booking before, its absence is a cancellation or the end of the season.
  if (last_healthy_count !== null && last_healthy_count > 1 && bookings * 2 < last_healthy_count) {
    const since = shrunk_since ?? now;
    if (now.getTime() - since.getTime() < SHRINK_ACCEPTED_AFTER_MS) return unhealthy('shrunk', since);
  }
  return { healthy: true, reason: null, healthy_count: bookings, shrunk_since: null };
}
