import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import type { Engine } from './engine';
import { createSqlDbFromPrismaClient } from './prisma-db';
import {
  createTestEngine,
  createTestInngestClient,
  openEngineTestDatabase,
  waitForDurableRun,
  waitUntil,
} from './testing/harness';
import type { SqlDb } from './types';

let db: SqlDb;

beforeAll(async () => {
  db = createSqlDbFromPrismaClient((await openTestDatabase()).prisma);
});
afterAll(() => closeTestDatabase());

it('the tests’ tables match those of the product’s migrations', async () => {
  const own = await openEngineTestDatabase();
  const columns = (of: SqlDb) =>
    of.query(
      `SELECT table_name, column_name, data_type, is_nullable, datetime_precision FROM information_schema.columns
       WHERE table_name LIKE 'engine\\_%' AND table_schema = current_schema() ORDER BY 1, 2`,
      [],
    );
  const unique = (of: SqlDb) =>
    of.query(
      `SELECT regexp_replace(indexdef, '^.* ON (\\w+\\.)?', '') AS def FROM pg_indexes
       WHERE tablename LIKE 'engine\\_%' AND schemaname = current_schema() AND indexdef LIKE 'CREATE UNIQUE%' ORDER BY 1`,
      [],
    );
  expect(await columns(db)).toEqual(await columns(own.db));
  expect(await unique(db)).toEqual(await unique(own.db));
  await own.close();
});

it('every kind of step works through Prisma on the migrated database; failed runs can be retried and pruned', async () => {
  const target: { engine: Engine | null } = { engine: null };
  const client = createTestInngestClient(target);
  let broken = true;
  const fn = client.createFunction(
    {
      id: 'all',
      retries: 1,
      triggers: [{ event: 'go' }],
      concurrency: [{ limit: 2 }, { limit: 1, key: 'event.data.id' }],
      throttle: { limit: 10, period: '1s', key: 'event.data.id' },
      cancelOn: [{ event: 'stop', match: 'data.id' }],
    },
    async ({ event, step }) => {
      const a = await step.run('a', () => 'a');
      await step.sleep('b', event.data.id === 1 ? '1h' : '1s');
      await step.sendEvent('c', { name: 'sent', data: { id: event.data.id } });
      await step.run('d', () => {
        if (broken) throw new Error('broken');
      });
      return a;
    },
  );
  const cron = client.createFunction({ id: 'cron', retries: 0, triggers: [{ cron: '* * * * *' }] }, () => null);
  const engine = createTestEngine(client, [fn, cron], { db });
  target.engine = engine;
  await engine.start();
  try {
    await engine.send([
      { name: 'go', data: { id: 1 } },
      { name: 'go', data: { id: 2 } },
    ]);
    await waitUntil(async () => {
      const runs = await engine.listRuns({ function_id: 'app-all', limit: 9 });
      return runs.length === 2 && runs.every((run) => run.steps.length >= 2);
    });
    await client.send({ name: 'stop', data: { id: 1 } });
    const failed = await waitForDurableRun(engine, 'app-all', 'failed');
    expect(failed.error?.message).toBe('broken');
    broken = false;
    expect(await engine.retryRun(failed.id)).toBe(true);
    expect((await waitForDurableRun(engine, 'app-all', 'completed')).output).toBe('a');
    const runs = await engine.listRuns({ function_id: 'app-all', limit: 9 });
    expect(runs.map((run) => run.status)).toEqual(['cancelled', 'completed']);
    const { events } = await engine.prune(new Date(Date.now() + 1_000));
    expect(events).toBe(4);
    expect(await engine.listRuns({ limit: 9 })).toEqual([]);
  } finally {
    await engine.stop();
  }
});
