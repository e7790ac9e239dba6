/**
 * Decides whether a feed is healthy. Only a booking that is missing from a healthy feed is
 * considered removed (design "Calendar sync"). A feed is healthy if the server responded with 2xx,
 * the file is complete and could be parsed, and it has at least one event and half of the bookings
 * of the last healthy run. Entries of an unhealthy feed are still read, but nothing is cancelled or
 * moved.
 */
import type { ParsedFeed } from '../feed/reader';

/**
 * If a calendar has less than half of its earlier bookings for this long, the bookings were really
 * removed, and the calendar is accepted as healthy.
 */
export const SHRUNK_FEED_ACCEPTED_AFTER_MS = 24 * 60 * 60 * 1_000;

export interface FeedHealth {
  readonly healthy: boolean;
  /**
   * `asks`: the run asks the host first, because it would change too much at once
   * (calendar-question.ts).
   */
  readonly reason: 'not_whole' | 'no_events' | 'shrunk' | 'asks' | null;
  /** The count to store as the source's `last_healthy_count`. */
  readonly healthy_count: number | null;
  /**
   * Since when the calendar has had less than half of the bookings of the last healthy run. Stored
   * for the next run, so that a calendar that really shrank becomes healthy again.
   */
  readonly shrunk_since: Date | null;
}

export interface FeedHealthInput {
  readonly feed: Pick<ParsedFeed, 'entries' | 'whole' | 'event_count'>;
  readonly last_healthy_count: number | null;
  readonly shrunk_since: Date | null;
  readonly now: Date;
}

/**
 * Counts the entries that are bookings, or could become bookings by the host's decision: all except
 * the channel's own blocks. The host's decisions about entries therefore do not make a calendar
 * look smaller.
 */
export function countBookingEntriesInFeed({ entries }: Pick<ParsedFeed, 'entries'>): number {
  return entries.filter((entry) => entry.class !== 'block').length;
}

/** Returns the feed's health, with the values to store. */
export function assessFeedHealth({ feed, last_healthy_count, shrunk_since, now }: FeedHealthInput): FeedHealth {
  const unhealthy = (reason: 'not_whole' | 'no_events' | 'shrunk', since: Date | null): FeedHealth => ({
    healthy: false,
    reason,
    healthy_count: last_healthy_count,
    shrunk_since: since,
  });
  // A truncated or empty feed does not show whether the calendar is still small, so `shrunk_since`
  // does not change.
  if (!feed.whole) return unhealthy('not_whole', shrunk_since);
  if (feed.event_count === 0) return unhealthy('no_events', shrunk_since);
  const bookings = countBookingEntriesInFeed(feed);
  // If there was only one booking before, its absence is a cancellation or the end of the season.
  if (last_healthy_count !== null && last_healthy_count > 1 && bookings * 2 < last_healthy_count) {
    const since = shrunk_since ?? now;
    if (now.getTime() - since.getTime() < SHRUNK_FEED_ACCEPTED_AFTER_MS) return unhealthy('shrunk', since);
  }
  return { healthy: true, reason: null, healthy_count: bookings, shrunk_since: null };
}
