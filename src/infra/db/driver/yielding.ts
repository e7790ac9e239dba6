/**
 * Lets the event loop run between queries of the embedded database. The database answers without
 * real I/O, so a chain of queries is one long run of microtasks. Without yielding, twenty
 * concurrent transactions blocked every request, health check and timer for a second. If the loop
 * has not turned for a while, a query therefore yields to it first.
 */
import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { PgliteClientMethods } from './embedded-statements';

/** Longest run of queries without a turn of the event loop. */
const MAX_RUN_MS = 4;

let turned_at = 0;

/** Callers that wait for a turn of the loop, in the order of their arrival. */
const waiting: (() => void)[] = [];

function letLoopTurn(): Promise<void> | undefined {
  if (waiting.length === 0 && performance.now() - turned_at < MAX_RUN_MS) return undefined;
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

/**
 * Resumes one caller per turn. If one turn resumed all callers, each would run for the full time
 * allowed, and a request that only needs to send its answer would wait for all of them.
 */
function resumeOne(): void {
  turned_at = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOne);
}

type Queries = Pick<Transaction, 'query' | 'exec'>;

/** Wraps the methods that Prisma's adapter calls on a client or a transaction. */
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

/** Returns the part of PGlite that Prisma's adapter uses, with yields between queries. */
export function createEventLoopYieldingClient(pglite: PgliteClientMethods): PGlite {
  const client = {
    ...queriesOf(pglite),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) =>
      pglite.transaction((tx) => work({ ...queriesOf(tx), rollback: () => tx.rollback() } as Transaction)),
  };
  return client as unknown as PGlite;
}
