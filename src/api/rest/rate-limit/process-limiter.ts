/** The process's rate limiter: on Redis when several instances share it, else in memory. */
import { config } from '@/config';
import type { RateLimiter } from './limiter';
import { MemoryLimiter } from './memory-limiter';

/** Next's copy of this module limits with the very same (ARCHITECTURE, "Two copies of every module"). */
const slot = globalThis as typeof globalThis & { __thresholdRateLimiter?: RateLimiter };

/** Opens the configured limiter; called at start, so that a wrong REDIS_URL is found then. */
export async function openRateLimiter(): Promise<() => Promise<void>> {
  const url = config().redis_url;
  if (!url) {
    slot.__thresholdRateLimiter = new MemoryLimiter();
    return async () => {};
  }
  const { RedisLimiter } = await import('./redis-limiter');
  const redis = await RedisLimiter.connect(url);
  slot.__thresholdRateLimiter = redis;
  return () => redis.close();
}

/** Forgets whatever was counted in memory; for tests. */
export function resetRateLimiter(): void {
  slot.__thresholdRateLimiter = undefined;
}

export function rateLimiter(): RateLimiter {
  slot.__thresholdRateLimiter ??= new MemoryLimiter();
  return slot.__thresholdRateLimiter;
}
