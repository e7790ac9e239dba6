/** The process's rate limiter: on Redis when several instances share it, otherwise in memory. */
import { config } from '@/config';
import { InMemoryRateLimiter } from './memory-limiter';
import type { RateLimiter } from './window';

/**
 * This slot is shared with Next's copy of this module (ARCHITECTURE, "Two copies of every module").
 */
const slot = globalThis as typeof globalThis & { __thresholdRateLimiter?: RateLimiter };

/** Opens the configured limiter. Called at start, so that a wrong REDIS_URL is reported then. */
export async function initializeProcessRateLimiter(): Promise<() => Promise<void>> {
  const url = config().redis_url;
  if (!url) {
    slot.__thresholdRateLimiter = new InMemoryRateLimiter();
    return async () => {};
  }
  const { RedisRateLimiter } = await import('./redis-limiter');
  const redis = await RedisRateLimiter.connect(url);
  slot.__thresholdRateLimiter = redis;
  return () => redis.close();
}

/** Resets the counts in memory. For tests. */
export function resetRateLimiter(): void {
  slot.__thresholdRateLimiter = undefined;
}

export function getRateLimiter(): RateLimiter {
  slot.__thresholdRateLimiter ??= new InMemoryRateLimiter();
  return slot.__thresholdRateLimiter;
}
