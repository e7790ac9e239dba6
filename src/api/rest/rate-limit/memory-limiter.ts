/**
 * The rate limiter of a single instance. For each key it stores the times of the admitted requests,
 * at most twice the limit. Two indexes advance over these times, so a request takes constant time
 * on average. Idle keys are removed when other requests arrive.
 */
import {
  BURST_WINDOW_MS,
  buildAllowedRateLimitDecision,
  buildRefusedRateLimitDecision,
  computeDoubledRateLimitUsage,
  RATE_LIMIT_WINDOW_MS,
  type RateLimitDecision,
  type RateLimiter,
} from './window';

interface Admissions {
  /** Unix ms, oldest first. Times before the index `expired` have left the window. */
  times: number[];
  expired: number;
  /** Admissions before this index count fully, and later admissions count half. */
  matured: number;
}

export class InMemoryRateLimiter implements RateLimiter {
  /** Keys in the order of their latest admission, so that idle keys are found first. */
  private readonly keys = new Map<string, Admissions>();
  private readonly max_keys: number;

  /**
   * `max_keys` limits the memory. When there are more keys, the key that has been idle longest is
   * removed.
   */
  constructor(options: { max_keys?: number } = {}) {
    this.max_keys = options.max_keys ?? 100_000;
  }

  /** Number of keys in memory. */
  get size(): number {
    return this.keys.size;
  }

  async take(key: string, limit: number, now_ms: number): Promise<RateLimitDecision> {
    return this.takeNow(key, limit, now_ms);
  }

  /** Does the same as `take`, synchronously. */
  takeNow(key: string, limit: number, now_ms: number): RateLimitDecision {
    const known = this.keys.get(key);
    const admissions = known ?? { times: [], expired: 0, matured: 0 };
    const { times } = admissions;
    const now = Math.max(now_ms, times.at(-1) ?? 0);
    advance(admissions, now);
    const in_window = times.length - admissions.expired;
    const in_burst = times.length - admissions.matured;
    if (computeDoubledRateLimitUsage(in_window, in_burst) >= 2 * limit) {
      return buildRefusedRateLimitDecision(limit, times.slice(admissions.expired), now);
    }
    times.push(now);
    if (known) this.keys.delete(key);
    this.keys.set(key, admissions);
    this.evict(now);
    return buildAllowedRateLimitDecision(limit, in_window + 1, now);
  }

  /**
   * Removes idle keys. Keys are ordered by their latest admission, so the search ends at the first
   * active key.
   */
  private evict(now: number): void {
    for (const [key, { times }] of this.keys) {
      const idle = (times.at(-1) ?? 0) <= now - RATE_LIMIT_WINDOW_MS;
      if (!idle && this.keys.size <= this.max_keys) return;
      this.keys.delete(key);
    }
  }
}

function advance(admissions: Admissions, now: number): void {
  const { times } = admissions;
  while (admissions.expired < times.length && times[admissions.expired]! <= now - RATE_LIMIT_WINDOW_MS)
    admissions.expired += 1;
  while (admissions.matured < times.length && times[admissions.matured]! <= now - BURST_WINDOW_MS)
    admissions.matured += 1;
  // Expired entries are removed only when they fill half of the array, so that the average cost of
  // a request stays constant.
  if (admissions.expired > 32 && admissions.expired * 2 > times.length) {
    times.splice(0, admissions.expired);
    admissions.matured -= admissions.expired;
    admissions.expired = 0;
  }
}
