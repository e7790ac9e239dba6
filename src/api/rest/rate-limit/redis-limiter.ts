/**
 * The rate limiter that several instances share. A Redis script decides atomically, with the
 * arithmetic of window.ts. While Redis is unavailable, each instance applies the limit on its own,
 * because an API with separate limits is better than no API.
 */
import { Redis } from 'ioredis';
import { logger } from '@/infra/logger';
import { InMemoryRateLimiter } from './memory-limiter';
import {
  BURST_WINDOW_MS,
  buildAllowedRateLimitDecision,
  buildRefusedRateLimitDecision,
  RATE_LIMIT_WINDOW_MS,
  type RateLimitDecision,
  type RateLimiter,
} from './window';

/**
 * Redis script on a sorted set of admissions by time, with sequence numbers as members. Returns
 * `{1, in_window, now}` when admitted, otherwise `{0, now, …times}`. The instances' clocks differ,
 * so the script never uses a `now` before the newest admission.
 */
const TAKE = `
local limit, now = tonumber(ARGV[1]), tonumber(ARGV[2])
local window, burst = tonumber(ARGV[3]), tonumber(ARGV[4])
local sequence = 0
local newest = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
if newest[1] then
  sequence = tonumber(newest[1])
  now = math.max(now, tonumber(newest[2]))
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - window))
local in_window = redis.call('ZCARD', KEYS[1])
local in_burst = redis.call('ZCOUNT', KEYS[1], string.format('(%.0f', now - burst), '+inf')
if 2 * in_window - in_burst >= 2 * limit then
  local reply = {0, now}
  local entries = redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
  for index = 2, #entries, 2 do reply[#reply + 1] = tonumber(entries[index]) end
  return reply
end
redis.call('ZADD', KEYS[1], string.format('%.0f', now), string.format('%015.0f', sequence + 1))
redis.call('PEXPIRE', KEYS[1], window + burst)
return {1, in_window + 1, now}
`;

const COMMAND_TIMEOUT_MS = 500;
const CONNECT_TIMEOUT_MS = 3_000;
const LONGEST_RECONNECT_MS = 2_000;

type WithTake = Redis & {
  takeFromWindow(key: string, limit: number, now: number, window: number, burst: number): Promise<number[]>;
};

export class RedisRateLimiter implements RateLimiter {
  private readonly redis: WithTake;
  private readonly prefix: string;
  private readonly alone = new InMemoryRateLimiter();
  private failing = false;

  /** The limiter owns `redis`: `close` closes the connection too. */
  constructor(redis: Redis, options: { prefix?: string } = {}) {
    redis.defineCommand('takeFromWindow', { numberOfKeys: 1, lua: TAKE });
    redis.on('error', (error) => this.note(error));
    this.redis = redis as WithTake;
    this.prefix = options.prefix ?? 'threshold:rate:';
  }

  /** Connects to Redis. Throws when no Redis answers at the URL. */
  static async connect(url: string, options: { prefix?: string } = {}): Promise<RedisRateLimiter> {
    const redis = new Redis(url, {
      lazyConnect: true,
      // While Redis is unavailable, a command fails at once instead of waiting in a queue, and the
      // local limit applies.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      retryStrategy: (attempt) => Math.min(attempt * 100, LONGEST_RECONNECT_MS),
    });
    let cause: unknown;
    const noteCause = (error: unknown) => {
      cause = error;
    };
    redis.on('error', noteCause);
    try {
      await redis.connect();
      await redis.ping();
    } catch (error) {
      redis.disconnect();
      const host = URL.canParse(url) ? new URL(url).host : 'the given address';
      throw new Error(`No Redis answers at ${host} (REDIS_URL).`, { cause: cause ?? error });
    }
    const limiter = new RedisRateLimiter(redis, options);
    redis.off('error', noteCause);
    return limiter;
  }

  async take(key: string, limit: number, now_ms: number): Promise<RateLimitDecision> {
    let reply: number[];
    try {
      reply = await this.redis.takeFromWindow(this.prefix + key, limit, now_ms, RATE_LIMIT_WINDOW_MS, BURST_WINDOW_MS);
    } catch (error) {
      this.note(error);
      return this.alone.takeNow(key, limit, now_ms);
    }
    if (this.failing) {
      this.failing = false;
      logger().info('Redis is available again: rate limits are shared by all instances.');
    }
    if (reply[0] === 1) {
      const [, in_window = 1, now = now_ms] = reply;
      return buildAllowedRateLimitDecision(limit, in_window, now);
    }
    const [, now = now_ms, ...times] = reply;
    return buildRefusedRateLimitDecision(limit, times, now);
  }

  async close(): Promise<void> {
    this.redis.disconnect();
  }

  /** Logs the start of an outage once, not for each request. */
  private note(error: unknown): void {
    if (this.failing) return;
    this.failing = true;
    logger().warn({ err: error }, 'Redis is not available: each instance limits requests on its own.');
  }
}
