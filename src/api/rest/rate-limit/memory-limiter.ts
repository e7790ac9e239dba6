/**
 * The limiter of a single instance. Each key holds the times of its admissions, at most twice its limit of them; two
 * marks move along them, so a request costs constant time on average. Idle keys go as others come.
 */
import type { Decision, RateLimiter } from './limiter';
import { admitted, BURST_MS, refused, usageInHalves, WINDOW_MS } from './window';

interface Admissions {
  /** Unix ms, oldest first; those before `expired` have left the window. */
  times: number[];
  expired: number;
  /** Those before this mark count in full, those after it one half. */
  matured: number;
}

export class MemoryLimiter implements RateLimiter {
  /** Least recently admitted first, which is what makes eviction cheap. */
  private readonly keys = new Map<string, Admissions>();
  private readonly max_keys: number;

  /** Past `max_keys` the key that was quiet the longest is forgotten, so that a flood of keys cannot fill the memory. */
  constructor(options: { max_keys?: number } = {}) {
    this.max_keys = options.max_keys ?? 100_000;
  }

  /** Keys in memory. */
  get size(): number {
    return this.keys.size;
  }

  async take(key: string, limit: number, now_ms: number): Promise<Decision> {
    return this.takeNow(key, limit, now_ms);
  }

  /** `take` without a promise. */
  takeNow(key: string, limit: number, now_ms: number): Decision {
    const known = this.keys.get(key);
    const admissions = known ?? { times: [], expired: 0, matured: 0 };
    const { times } = admissions;
    const now = Math.max(now_ms, times.at(-1) ?? 0);
    advance(admissions, now);
    const in_window = times.length - admissions.expired;
    const in_burst = times.length - admissions.matured;
    if (usageInHalves(in_window, in_burst) >= 2 * limit) {
      return refused(limit, times.slice(admissions.expired), now);
    }
    times.push(now);
    if (known) this.keys.delete(key);
    this.keys.set(key, admissions);
    this.evict(now);
    return admitted(limit, in_window + 1, now);
  }

  /** Keys are in the order of their newest admission: the first that is not idle ends the search. */
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
  // Cutting the front off only when it is half of the array keeps the cost per request constant.
  if (admissions.expired > 32 && admissions.expired * 2 > times.length) {
    times.splice(0, admissions.expired);
    admissions.matured -= admissions.expired;
    admissions.expired = 0;
  }
}
