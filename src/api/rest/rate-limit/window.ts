/**
 * The arithmetic of the sliding window, pure (design, "Rate limit"). Usage is the number of
 * requests admitted in the last 60 s. Requests admitted in the last 10 s count half.
 *
 * A request passes while usage is below the limit. A client without earlier requests may therefore
 * burst to twice the limit within ten seconds. Ten seconds later the burst counts fully, so usage
 * can rise without a request. Usage is calculated in units of half a request, so that it is a whole
 * number.
 */

export const RATE_LIMIT_WINDOW_MS = 60_000;
/** Admissions younger than this count half. */
export const BURST_WINDOW_MS = 10_000;

/**
 * Calculates the usage, in units of half a request, from the numbers of requests admitted in the
 * whole window and in the last 10 s.
 */
export function computeDoubledRateLimitUsage(in_window: number, in_burst: number): number {
  return 2 * in_window - in_burst;
}

/**
 * Returns the decision for an admitted request. `in_window` includes the request, and `newest_ms`
 * is its time. `remaining` counts recent admissions fully, because it is the number of requests
 * that will certainly pass.
 */
export function buildAllowedRateLimitDecision(limit: number, in_window: number, newest_ms: number): RateLimitDecision {
  return {
    allowed: true,
    limit,
    remaining: Math.max(0, limit - in_window),
    reset_unix_s: resetSecond(newest_ms),
    retry_after_s: 0,
  };
}

/**
 * Returns the decision for a refused request. `times` are the admissions in the window, oldest
 * first.
 */
export function buildRefusedRateLimitDecision(
  limit: number,
  times: readonly number[],
  now_ms: number,
): RateLimitDecision {
  return {
    allowed: false,
    limit,
    remaining: 0,
    reset_unix_s: resetSecond(times.at(-1) ?? now_ms),
    retry_after_s: retryAfter(limit, times, now_ms),
  };
}

/**
 * Returns the second at which the newest admission leaves the window, and the full limit is
 * available again.
 */
function resetSecond(newest_ms: number): number {
  return Math.ceil((newest_ms + RATE_LIMIT_WINDOW_MS) / 1000);
}

/**
 * Returns the fewest whole seconds, at least 1, after which a request would pass if no other
 * request were admitted. Checks each second, because usage can rise as well as fall. The loop ends
 * because the window is empty after 60 s.
 */
function retryAfter(limit: number, times: readonly number[], now_ms: number): number {
  let expired = 0;
  let matured = 0;
  for (let seconds = 1; ; seconds += 1) {
    const at = now_ms + seconds * 1000;
    while (expired < times.length && times[expired]! <= at - RATE_LIMIT_WINDOW_MS) expired += 1;
    while (matured < times.length && times[matured]! <= at - BURST_WINDOW_MS) matured += 1;
    const usage = computeDoubledRateLimitUsage(times.length - expired, times.length - matured);
    if (usage < 2 * limit || expired === times.length) return seconds;
  }
}

export interface RateLimitDecision {
  allowed: boolean;
  /** `X-RateLimit-Limit`: requests per minute. */
  limit: number;
  /**
   * `X-RateLimit-Remaining`: the number of further requests that will certainly pass. More may pass
   * in a burst.
   */
  remaining: number;
  /** `X-RateLimit-Reset`: the Unix second at which the full limit is available again. */
  reset_unix_s: number;
  /**
   * `Retry-After`: seconds after which the next request passes. At least 1 when refused, 0 when
   * allowed.
   */
  retry_after_s: number;
}

export interface RateLimiter {
  /**
   * Counts one request of `key` against `limit` requests per minute, and returns whether it may
   * pass. Refused requests do not count. `now_ms` is in Unix milliseconds. If the clock moves
   * backwards, the latest time is used.
   */
  take(key: string, limit: number, now_ms: number): Promise<RateLimitDecision>;
}
