/**
 * When a feed may be believed about what is no longer in it (DESIGN "Calendar sync"): it answered 2xx, is whole, could
 * be parsed, has at least one event and not under half of the last healthy count. What came is still read when it is
 * not healthy; only nothing is cancelled or taken for moved.
 */

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
  readonly feed: { readonly whole: boolean; readonly event_count: number };
  readonly last_healthy_count: number | null;
  readonly shrunk_since: Date | null;
  readonly now: Date;
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
  if (last_healthy_count !== null && feed.event_count * 2 < last_healthy_count) {
    const since = shrunk_since ?? now;
    if (now.getTime() - since.getTime() < SHRINK_ACCEPTED_AFTER_MS) return unhealthy('shrunk', since);
  }
  return { healthy: true, reason: null, healthy_count: feed.event_count, shrunk_since: null };
}
