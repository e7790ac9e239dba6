import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeTestDatabase, openFreshTestDatabase } from '@/testing/database';
import { database } from './client';
import { vacuumDatabase } from './housekeeping';

beforeAll(openFreshTestDatabase);
afterAll(closeTestDatabase);

const run = async <Row>(sql: string) => (await database().pglite?.query<Row>(sql))?.rows ?? [];
const bytes = async () => (await run<{ n: number }>(`SELECT pg_relation_size('engine_jobs')::int AS n`))[0]?.n ?? 0;

/** Inserts, leases and deletes jobs like the engine. */
async function churn(jobs: number): Promise<void> {
  await run(`INSERT INTO engine_jobs (id, run_id, function_id, run_at, created_at)
    SELECT gen_random_uuid()::text, 'run', 'fn', now(), now() FROM generate_series(1, ${jobs})`);
  await run(`UPDATE engine_jobs SET lease_token = 'x', lease_until = now()`);
  await run('DELETE FROM engine_jobs');
}

describe.skipIf(process.env.TEST_DATABASE_URL)('housekeeping of the embedded database', () => {
  it('frees the space of deleted rows, and skips tables that do not need it', async () => {
    await churn(3_000);
    const before = await bytes();
    expect(before).toBeGreaterThan(500_000);
    const { tables, longest_ms } = await vacuumDatabase();
    expect(tables).toContain('public.engine_jobs');
    expect(tables).not.toContain('public.reservations');
    expect(longest_ms).toBeLessThan(10_000);
    expect(await bytes()).toBeLessThan(before / 10);
    expect((await vacuumDatabase()).tables).not.toContain('public.engine_jobs');
  });

  it('keeps the size of a constantly used queue stable', async () => {
    const sizes: number[] = [];
    for (let hour = 0; hour < 4; hour++) {
      await churn(2_000);
      sizes.push(await bytes());
      await vacuumDatabase();
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(sizes[0]! * 1.2);
  });

  it('lets other queries run during and after it', async () => {
    await churn(2_000);
    const [report, answer] = await Promise.all([vacuumDatabase(), run<{ one: number }>('SELECT 1 AS one')]);
    expect(report.tables.length).toBeGreaterThan(0);
    expect(answer).toEqual([{ one: 1 }]);
  });
});
