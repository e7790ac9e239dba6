import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { systemDb } from '../client';
import { createEventLoopYieldingClient } from './yielding';

let pglite: PGlite;
beforeAll(async () => {
  await openTestDatabase();
  pglite = await PGlite.create();
});
afterAll(async () => {
  await pglite.close();
  await closeTestDatabase();
});

/** Returns the number of turns of the event loop during the work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  await work();
  done = true;
  return turns;
}

it('the event loop turns between consecutive queries', async () => {
  const client = createEventLoopYieldingClient(pglite);
  // 5 ms of work per query, inside and outside of a transaction.
  const slow = "SELECT count(*) FROM generate_series(1, 40000) AS n WHERE md5(n::text) LIKE 'a%'";
  const many = async (run: (sql: string) => Promise<unknown>) => {
    for (let index = 0; index < 30; index++) await run(slow);
  };
  const within = (database: PGlite) => database.transaction((tx) => many((sql) => tx.query(sql)));
  expect(await turnsDuring(() => within(client))).toBeGreaterThan(20);
  expect(await turnsDuring(() => many((sql) => client.query(sql)))).toBeGreaterThan(20);
});

it('the event loop turns between concurrent queries, however many are waiting', async () => {
  const client = createEventLoopYieldingClient(pglite);
  const slow = "SELECT count(*) FROM generate_series(1, 40000) AS n WHERE md5(n::text) LIKE 'a%'";
  const chain = async () => {
    for (let index = 0; index < 3; index++) await client.query(slow);
  };
  // With twenty concurrent requests, the loop turns once for each query and not once for each group
  // of twenty.
  expect(await turnsDuring(() => Promise.all(Array.from({ length: 20 }, chain)))).toBeGreaterThan(40);
});

it('concurrent transactions lose and mix up nothing', async () => {
  const transfer = (number: number) =>
    systemDb().$transaction(async (tx) => {
      const id = `pe_${number}`;
      await tx.providerEvent.create({ data: { id, created_at: new Date(number) } });
      for (let index = 0; index < 5; index++) {
        const row = await tx.providerEvent.findUniqueOrThrow({ where: { id } });
        if (row.created_at.getTime() !== number) throw new Error('Another query’s row.');
      }
      if (number % 5 === 0) throw new Error('rolled back');
    });
  const settled = await Promise.allSettled(Array.from({ length: 40 }, (_, number) => transfer(number)));
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(8);
  expect(await systemDb().providerEvent.count()).toBe(32);
});
