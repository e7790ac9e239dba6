/**
 * The short form of `npm run fuzz`. Its limits are generous, because other tests run in parallel.
 * The long form uses the product's limits.
 */
import { describe, expect, it } from 'vitest';
import { hasNextJsBuild } from '@/testing/server';
import { runFuzz } from './run';

const SHORT = { seed: Number(process.env.FUZZ_SEED ?? 20261121), requests: 300 };
const LONG = { seed: Number(process.env.FUZZ_SEED ?? process.env.TEST_SEED ?? 1), requests: 3_000 };

describe.runIf(hasNextJsBuild()).each([
  ['300 requests', SHORT, []],
  ['3,000 requests, chosen by the day', LONG, ['exhaustive']],
] as const)('%s', (_name, choice, tags) => {
  it('no input from outside makes the server fail or hang', { tags: [...tags], timeout: 600_000 }, async () => {
    const report = await runFuzz({ ...choice, lanes: 4, max_answer_ms: 10_000, max_health_ms: 3_000 });
    expect(report.violations).toEqual([]);
    expect(report.requests).toBeGreaterThan((choice.requests * 5) / 6);
    // Some requests must pass the entry checks. The test is only meaningful if answers of every
    // kind occur.
    for (const status of [200, 303, 400, 404]) expect(report.by_status[status], `${status}`).toBeGreaterThan(0);
  });
});
