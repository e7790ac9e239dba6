import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InMemoryRateLimiter } from './memory-limiter';
import { RedisRateLimiter } from './redis-limiter';
import type { RateLimitDecision, RateLimiter } from './window';

const REDIS_SERVER = '/usr/bin/redis-server';
const hasRedis = existsSync(REDIS_SERVER);
if (!hasRedis) console.warn(`The Redis limiter is not tested: there is no ${REDIS_SERVER}.`);

/** 2026-01-01T00:00:00.000Z, a whole second. */
const START = 1_767_225_600_000;

/** Implements the definition of the limit literally, without optimizations. */
class NaiveModel {
  private admitted: number[] = [];

  private usage(at: number): number {
    const age = (time: number) => at - time;
    return this.admitted
      .filter((time) => age(time) < 60_000)
      .reduce((sum, time) => sum + (age(time) < 10_000 ? 0.5 : 1), 0);
  }

  take(limit: number, now: number): RateLimitDecision {
    const allowed = this.usage(now) < limit;
    if (allowed) this.admitted.push(now);
    const newest = Math.max(...this.admitted);
    let reset = Math.floor(now / 1000);
    while (reset * 1000 < newest + 60_000) reset += 1;
    let wait = 1;
    while (!allowed && this.usage(now + wait * 1000) >= limit) wait += 1;
    return {
      allowed,
      limit,
      remaining: Math.max(0, limit - this.admitted.filter((time) => now - time < 60_000).length),
      reset_unix_s: reset,
      retry_after_s: allowed ? 0 : wait,
    };
  }
}

const gap = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 300 }) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 12_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(9_999, 10_000, 10_001, 59_999, 60_000, 60_001) },
);

let keys = 0;
function freshKey(): string {
  keys += 1;
  return `key-${process.pid}-${keys}`;
}

function behavesLikeTheWindow(name: string, open: () => Promise<RateLimiter>, runs: number): void {
  describe(name, () => {
    let limiter: RateLimiter;
    beforeAll(async () => {
      limiter = await open();
    });

    it('counts down, and returns when the full limit is available again', async () => {
      const key = freshKey();
      expect(await limiter.take(key, 10, START)).toEqual({
        allowed: true,
        limit: 10,
        remaining: 9,
        reset_unix_s: START / 1000 + 60,
        retry_after_s: 0,
      });
      expect(await limiter.take(key, 10, START + 1)).toMatchObject({ remaining: 8, reset_unix_s: START / 1000 + 61 });
      expect(await limiter.take(key, 10, START + 2)).toMatchObject({ remaining: 7 });
    });

    it('lets a quiet client burst to twice the limit inside ten seconds, and no further', async () => {
      const key = freshKey();
      for (let index = 0; index < 200; index += 1) {
        expect((await limiter.take(key, 100, START + index * 49)).allowed).toBe(true);
      }
      const refusal = await limiter.take(key, 100, START + 9_999);
      expect(refusal).toMatchObject({ allowed: false, remaining: 0 });
      // From the tenth second on, all 200 requests count fully. Usage falls below 100 only after
      // the hundred-and-first has left the window.
      const at = START + 9_999 + refusal.retry_after_s * 1000;
      expect((await limiter.take(key, 100, at - 1000)).allowed).toBe(false);
      expect((await limiter.take(key, 100, at)).allowed).toBe(true);
    });

    it('never admits more than twice the limit per minute to a client that never pauses', async () => {
      const key = freshKey();
      const times: number[] = [];
      for (let now = START; now < START + 300_000; now += 250) {
        if ((await limiter.take(key, 60, now)).allowed) times.push(now);
      }
      for (const from of times) {
        const minute = times.filter((time) => time >= from && time < from + 60_000).length;
        expect(minute).toBeLessThanOrEqual(120);
      }
      // Over five minutes the client gets at least its limit per minute.
      expect(times.length).toBeGreaterThanOrEqual(5 * 60);
    });

    it('does not count refused requests', async () => {
      const key = freshKey();
      for (let index = 0; index < 2; index += 1) await limiter.take(key, 1, START);
      for (let index = 0; index < 50; index += 1) {
        expect((await limiter.take(key, 1, START + 1_000 + index * 1_000)).allowed).toBe(false);
      }
      expect((await limiter.take(key, 1, START + 60_000)).allowed).toBe(true);
    });

    it('frees capacity to the millisecond: a request counts fully for 60 s, and half for 10 s', async () => {
      const key = freshKey();
      await limiter.take(key, 1, START);
      expect(await limiter.take(key, 1, START + 9_999)).toMatchObject({ allowed: true });
      const other = freshKey();
      await limiter.take(other, 1, START);
      expect(await limiter.take(other, 1, START + 10_000)).toMatchObject({ allowed: false, retry_after_s: 50 });
      expect((await limiter.take(other, 1, START + 59_999)).allowed).toBe(false);
      expect((await limiter.take(other, 1, START + 60_000)).allowed).toBe(true);
    });

    it('rounds Retry-After up to the whole second at which a request passes', async () => {
      const key = freshKey();
      await limiter.take(key, 1, START + 250);
      expect(await limiter.take(key, 1, START + 20_300)).toMatchObject({ allowed: false, retry_after_s: 40 });
      expect(await limiter.take(key, 1, START + 60_249)).toMatchObject({ allowed: false, retry_after_s: 1 });
    });

    it('counts keys separately', async () => {
      const [one, two] = [freshKey(), freshKey()];
      for (let index = 0; index < 2; index += 1) await limiter.take(one, 1, START);
      expect((await limiter.take(one, 1, START)).allowed).toBe(false);
      expect((await limiter.take(two, 1, START)).allowed).toBe(true);
    });

    it('treats a clock that steps back as one that stands still', async () => {
      const key = freshKey();
      await limiter.take(key, 2, START + 5_000);
      const decision = await limiter.take(key, 2, START);
      expect(decision).toMatchObject({ allowed: true, reset_unix_s: START / 1000 + 65 });
    });

    it('applies a changed limit immediately', async () => {
      const key = freshKey();
      for (let index = 0; index < 4; index += 1) await limiter.take(key, 2, START);
      expect((await limiter.take(key, 2, START)).allowed).toBe(false);
      expect(await limiter.take(key, 5, START)).toMatchObject({ allowed: true, limit: 5, remaining: 0 });
    });

    it('admits exactly the burst limit of concurrent requests', async () => {
      const key = freshKey();
      const decisions = await Promise.all(Array.from({ length: 100 }, () => limiter.take(key, 20, START)));
      expect(decisions.filter((decision) => decision.allowed)).toHaveLength(40);
    });

    it('keeps its promise: as many requests as remain are admitted, whenever they arrive', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 8 }),
          fc.array(gap, { maxLength: 30 }),
          fc.array(gap, { minLength: 8, maxLength: 8 }),
          async (limit, gaps, later) => {
            const key = freshKey();
            let now = START;
            let remaining = limit;
            for (const wait of gaps) {
              now += wait;
              remaining = (await limiter.take(key, limit, now)).remaining;
            }
            for (const wait of later.slice(0, remaining)) {
              now += wait;
              expect((await limiter.take(key, limit, now)).allowed).toBe(true);
            }
          },
        ),
        { numRuns: runs },
      );
    });

    it('decides every sequence of requests as the reference model does', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(gap, { maxLength: 80 }), async (limit, gaps) => {
          const key = freshKey();
          const model = new NaiveModel();
          let now = START;
          for (const wait of gaps) {
            now += wait;
            expect(await limiter.take(key, limit, now)).toEqual(model.take(limit, now));
          }
        }),
        { numRuns: runs },
      );
    });
  });
}

behavesLikeTheWindow('in memory', async () => new InMemoryRateLimiter(), 300);

describe('memory of the in-process limiter', () => {
  it('evicts idle keys when new ones arrive', () => {
    const limiter = new InMemoryRateLimiter();
    for (let index = 0; index < 1_000; index += 1) limiter.takeNow(`idle-${index}`, 10, START + index);
    expect(limiter.size).toBe(1_000);
    limiter.takeNow('busy', 10, START + 60_500);
    expect(limiter.size).toBe(500);
    limiter.takeNow('busy', 10, START + 120_000);
    expect(limiter.size).toBe(1);
  });

  it('never exceeds its maximum number of keys', () => {
    const limiter = new InMemoryRateLimiter({ max_keys: 100 });
    for (let index = 0; index < 5_000; index += 1) limiter.takeNow(`flood-${index}`, 10, START);
    expect(limiter.size).toBe(100);
  });

  it('decides a hundred thousand requests in well under a second', () => {
    const limiter = new InMemoryRateLimiter();
    const started = performance.now();
    for (let index = 0; index < 100_000; index += 1) limiter.takeNow(`key-${index % 50}`, 100, START + index * 6);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe.skipIf(!hasRedis)('on Redis', () => {
  let server: ChildProcess;
  let directory: string;
  let url: string;
  const open: RedisRateLimiter[] = [];
  const connect = async () => {
    const limiter = await RedisRateLimiter.connect(url);
    open.push(limiter);
    return limiter;
  };

  beforeAll(async () => {
    const port = await freePort();
    directory = mkdtempSync(join(tmpdir(), 'threshold-redis-'));
    url = `redis://127.0.0.1:${port}`;
    server = spawn(
      REDIS_SERVER,
      ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', directory],
      { stdio: 'ignore' },
    );
    for (let attempt = 0; ; attempt += 1) {
      try {
        await connect();
        return;
      } catch (error) {
        if (attempt > 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  });
  afterAll(async () => {
    for (const limiter of open) await limiter.close();
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  });

  behavesLikeTheWindow('the same window', connect, 40);

  it('shares its counts between instances', async () => {
    const [one, two] = [await connect(), await connect()];
    const key = freshKey();
    const decisions = await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).take(key, 10, START)),
    );
    expect(decisions.filter((decision) => decision.allowed)).toHaveLength(20);
  });

  it('fails at the start when Redis does not respond', async () => {
    const nobody = `redis://:secret@127.0.0.1:${await freePort()}`;
    const error = await RedisRateLimiter.connect(nobody).catch((reason: Error) => reason);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain('REDIS_URL');
    expect((error as Error).message).not.toContain('secret');
  });

  it('falls back to limiting in the process when Redis is gone', async () => {
    const limiter = await connect();
    server.kill('SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const key = freshKey();
    expect((await limiter.take(key, 1, START)).allowed).toBe(true);
    expect((await limiter.take(key, 1, START)).allowed).toBe(true);
    expect((await limiter.take(key, 1, START)).allowed).toBe(false);
  });
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
