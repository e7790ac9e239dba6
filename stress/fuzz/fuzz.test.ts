/** The short form of `npm run fuzz`. Its limits are wide, since tests run beside others; the long form's are the product's. */
import { expect, it } from 'vitest';
import { pagesAreBuilt } from '@/testing/server';
import { fuzz } from './run';

it.runIf(pagesAreBuilt())(
  'nothing that a stranger sends makes the server fail or wait',
  async () => {
    const seed = Number(process.env.FUZZ_SEED ?? 20261121);
    const report = await fuzz({ seed, requests: 600, lanes: 4, max_answer_ms: 10_000, max_health_ms: 3_000 });
    expect(report.violations).toEqual([]);
    expect(report.requests).toBeGreaterThan(500);
    // The requests got past the doors: without answers of every kind there was nothing to see.
    for (const status of [200, 303, 400, 404]) expect(report.by_status[status], `${status}`).toBeGreaterThan(0);
  },
  300_000,
);
