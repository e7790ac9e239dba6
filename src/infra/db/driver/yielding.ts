/**
 * The embedded database answers without ever waiting for anything, so a chain of queries is one long run of microtasks:
 * twenty transactions at once kept the event loop, and with it every request, health check and timer, for a second.
 * Here a query that comes when the loop has not turned for a while lets it turn first.
 */
import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { EmbeddedClient } from './embedded-statements';

/** How long queries may follow each other before the loop gets its turn. */
const MAX_RUN_MS = 4;

let turned_at = 0;

/** Who waits for a turn of the loop, in the order of coming. */
const waiting: (() => void)[] = [];

function letLoopTurn(): Promise<void> | undefined {
  if (waiting.length === 0 && performance.now() - turned_at < MAX_RUN_MS) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

/**
 * One a turn: all that wait, resumed in one turn, would each run for as long as one may, and a request that has only to
 * be answered would wait for them all.
 */
function resumeOne(): void {
  turned_at = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOne);
}

type Queries = Pick<Transaction, 'query' | 'exec'>;

/** What the adapter calls of a client or a transaction. */
function queriesOf(client: Queries): Queries {
  return {
    query: async (...args) => {
      await letLoopTurn();
      return client.query(...args) as never;
    },
    exec: async (...args) => {
      await letLoopTurn();
      return client.exec(...args);
    },
  };
}

/** The part of PGlite that Prisma's adapter uses, letting the event loop turn between queries. */
export function yieldingPglite(pglite: EmbeddedClient): PGlite {
  const client = {
    ...queriesOf(pglite),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
      pglite.transaction((tx) => work({ ...queriesOf(tx), rollback: () => tx.rollback() } as Transaction)),
  };
  return client as unknown as PGlite;
}
