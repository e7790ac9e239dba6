/**
 * The rate limiter of a single instance. Each key stores the times of its admissions, at most twice
 * its limit. Two indexes advance over these times, so a request takes constant time on average.
 * Idle keys are removed as other requests arrive.
 */
import {
  BURST_MS,
  computeUsageInHalfRequests,
  createAdmittedDecision,
  createRefusedDecision,
  type RateLimitDecision,
  type RateLimiter,
  WINDOW_MS,
} from './window';

interface Admissions {
  /** Unix ms, oldest first. Times before the index `expired` have left the window. */
  times: number[];
  expired: number;
  /** Admissions before this index count fully, the others half. */
  matured: number;
}

export class MemoryLimiter implements RateLimiter {
  /** The least recently admitted key is first, so that eviction is cheap. */
  private readonly keys = new Map<string, Admissions>();
  private readonly max_keys: number;

  /**
   * When there are more than `max_keys` keys, the key with the longest idle time is removed, so
   * that a flood of keys cannot fill the memory.
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

  /** `take` without a promise. */
  takeNow(key: string, limit: number, now_ms: number): RateLimitDecision {
    const known = this.keys.get(key);
    const admissions = known ?? { times: [], expired: 0, matured: 0 };
    const { times } = admissions;
    const now = Math.max(now_ms, times.at(-1) ?? 0);
    advance(admissions, now);
    const in_window = times.length - admissions.expired;
    const in_burst = times.length - admissions.matured;
    if (computeUsageInHalfRequests(in_window, in_burst) >= 2 * limit) {
      return createRefusedDecision(limit, times.slice(admissions.expired), now);
    }
    times.push(now);
    if (known) this.keys.delete(key);
    this.keys.set(key, admissions);
    this.evict(now);
    return createAdmittedDecision(limit, in_window + 1, now);
  }

  /**
   * Removes idle keys. Keys are ordered by their newest admission, so the search ends at the first
   * active key.
   */
  private evict(now: number): void {
    for (const [key, { times }] of this.keys) {
      const idle = (times.at(-1) ?? 0) <= now - WINDOW_MS;
      if (!idle && this.keys.size <= this.max_keys) return;
      this.keys.delete(key);
    }
  }
}

function advance(admissions: Admissions, now: number): void {
  const { times } = admissions;
  while (admissions.expired < times.length && times[admissions.expired]! <= now - WINDOW_MS) admissions.expired += 1;
  while (admissions.matured < times.length && times[admissions.matured]! <= now - BURST_MS) admissions.matured += 1;
  // Expired entries are removed only when they fill half of the array. The cost per request stays
  // constant.
  if (admissions.expired > 32 && admissions.expired * 2 > times.length) {
    times.splice(0, admissions.expired);
    admissions.matured -= admissions.expired;
    admissions.expired = 0;
  }
}
