/**
 * The short form of `npm run test:chaos`. It needs the build that `npm test` makes. STORM_SEED repeats a storm's choices.
 */
import { expect, it } from 'vitest';
import { pagesAreBuilt } from '@/testing/server';
import { raiseStorm } from './storm';

const seed = Number(process.env.STORM_SEED) || Math.floor(Math.random() * 2 ** 31);

it.skipIf(!pagesAreBuilt())(
  `keeps every promise while it is killed again and again (STORM_SEED=${seed}; skipped without a build)`,
  async () => {
    const report = await raiseStorm({
      seed,
      kills: 3,
      life_ms: 2_500,
      partners: 3,
      pause_ms: 250,
      retry_delays_s: [0.3, 0.3, 0.5, 0.5, 1, 1, 1, 1, 1.5],
      lost_answers: 0,
    });
    expect(report.violations).toEqual([]);
    // There was something to break.
    expect(report.acknowledged).toBeGreaterThan(10);
    expect(report.repeated).toBeGreaterThan(0);
    expect(report.kills_signing + report.kills_sealing).toBeGreaterThan(0);
  },
  240_000,
);
