/** What the bridge asks of a rate limiter, and what it is told (DESIGN, "Rate limit"). */

export interface Decision {
  allowed: boolean;
  /** `X-RateLimit-Limit`: requests per minute. */
  limit: number;
  /** `X-RateLimit-Remaining`: so many further requests pass, whenever they come; a burst may pass beyond them. */
  remaining: number;
  /** `X-RateLimit-Reset`: the unix second at which the full limit is available again. */
  reset_unix_s: number;
  /** `Retry-After`: after so many whole seconds the next request passes. At least 1 when refused, 0 when allowed. */
  retry_after_s: number;
}

export interface RateLimiter {
  /**
   * Counts one request of `key` against `limit` requests per minute, and says whether it may pass. Refused requests do
   * not count. `now_ms` is unix milliseconds; a clock that steps back counts as standing still.
   */
  take(key: string, limit: number, now_ms: number): Promise<Decision>;
}
