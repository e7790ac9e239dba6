import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { database, systemDb } from './client';

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);

/** How often the event loop turned while the work was done. */
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

it('the event loop turns between the queries of transactions that come at once, and none is lost or mixed', async ({
  skip,
}) => {
  if (!database().pglite) skip('The database is external: waiting for it lets the loop turn.');
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
  const numbers = Array.from({ length: 40 }, (_, index) => index);
  let settled: PromiseSettledResult<void>[] = [];
  const turns = await turnsDuring(async () => {
    settled = await Promise.allSettled(numbers.map(transfer));
  });
  // Some 300 queries and more than 100 ms of work; without its turns the loop would stand still from begin to end.
  expect(turns).toBeGreaterThan(10);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(8);
  expect(await systemDb().providerEvent.count()).toBe(32);
});
