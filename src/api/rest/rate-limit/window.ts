/**
 * The arithmetic of the sliding window, pure (DESIGN, "Rate limit"): usage(t) = admissions of the
 * last 60 s, where those of the last 10 s count half.
 *
 * A request passes while usage is below the limit. A client that was quiet may therefore burst to
 * twice the limit within ten seconds. Ten seconds later the burst counts fully, so usage can rise
 * without a request. All values are in half requests, which are whole numbers.
 */

export const WINDOW_MS = 60_000;
/** Admissions younger than this count half. */
export const BURST_MS = 10_000;

/**
 * Returns the usage in half requests, from the number of admissions in the window and in its
 * youngest part.
 */
export function computeUsageInHalfRequests(in_window: number, in_burst: number): number {
  return 2 * in_window - in_burst;
}

/**
 * Returns the decision for an admitted request, which `in_window` includes. `newest_ms` is its
 * time. That many `remaining` requests are guaranteed at any time: the half weight of the burst
 * does not add to them, because those admissions soon count fully.
 */
export function createAdmittedDecision(limit: number, in_window: number, newest_ms: number): RateLimitDecision {
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
export function createRefusedDecision(limit: number, times: readonly number[], now_ms: number): RateLimitDecision {
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
  return Math.ceil((newest_ms + WINDOW_MS) / 1000);
}

/**
 * Returns the fewest whole seconds, at least 1, after which a request would pass if none were
 * admitted in the meantime. Checks each second, because usage can rise as well as fall. After 60 s
 * the window is empty.
 */
function retryAfter(limit: number, times: readonly number[], now_ms: number): number {
  let expired = 0;
  let matured = 0;
  for (let seconds = 1; ; seconds += 1) {
    const at = now_ms + seconds * 1000;
    while (expired < times.length && times[expired]! <= at - WINDOW_MS) expired += 1;
    while (matured < times.length && times[matured]! <= at - BURST_MS) matured += 1;
    const usage = computeUsageInHalfRequests(times.length - expired, times.length - matured);
    if (usage < 2 * limit || expired === times.length) return seconds;
  }
}

export interface RateLimitDecision {
  allowed: boolean;
  /** `X-RateLimit-Limit`: requests per minute. */
  limit: number;
  /**
   * `X-RateLimit-Remaining`: the number of further requests that are sure to pass. More may pass in
   * a burst.
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
