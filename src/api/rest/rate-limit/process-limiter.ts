/** The process's rate limiter: on Redis when several instances share it, else in memory. */
import { config } from '@/config';
import type { RateLimiter } from './limiter';
import { MemoryLimiter } from './memory-limiter';

let limiter: RateLimiter | undefined;

/** Opens the configured limiter; called at start, so that a wrong REDIS_URL is found then. */
export async function openRateLimiter(): Promise<() => Promise<void>> {
  const url = config().redis_url;
  if (!url) {
    limiter = new MemoryLimiter();
    return async () => {};
  }
  const { RedisLimiter } = await import('./redis-limiter');
  const redis = await RedisLimiter.connect(url);
  limiter = redis;
  return () => redis.close();
}

/** Forgets whatever was counted in memory; for tests. */
export function resetRateLimiter(): void {
  limiter = undefined;
}

export function rateLimiter(): RateLimiter {
  limiter ??= new MemoryLimiter();
  return limiter;
}
