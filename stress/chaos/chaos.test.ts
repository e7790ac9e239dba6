/**
 * The short form of `npm run test:chaos`. Needs the build that `npm test` creates. CHAOS_SEED
 * repeats the random choices of an earlier run.
 */
import { describe, expect, it } from 'vitest';
import { hasNextJsBuild } from '@/testing/server';
import { runChaosTest } from './chaos-run';

const seed = Number(process.env.CHAOS_SEED) || Math.floor(Math.random() * 2 ** 31);

describe.skipIf(!hasNextJsBuild()).each([
  [2, []],
  [8, ['exhaustive']],
] as const)('%i kills (skipped without a build)', (kills, tags) => {
  it(`break no promise (CHAOS_SEED=${seed})`, { tags: [...tags], timeout: 100_000 + kills * 50_000 }, async () => {
    const report = await runChaosTest({
      seed,
      kills,
      life_ms: 2_500,
      partners: 3,
      pause_ms: 250,
      retry_delays_s: [0.3, 0.3, 0.5, 0.5, 1, 1, 1, 1, 1.5],
      lost_answers: 0,
    });
    expect(report.violations).toEqual([]);
    // Requires a minimum of work, because the checks would also pass without any.
    expect(report.acknowledged).toBeGreaterThan(10);
    expect(report.repeated).toBeGreaterThan(0);
    expect(report.kills_signing + report.kills_sealing).toBeGreaterThan(0);
  });
});
