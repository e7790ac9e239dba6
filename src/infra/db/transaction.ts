/** The one way to be in a transaction. Who is called inside joins it: no client is handed on. */
import type { Scope } from '@/shared/scope';
import { database } from './client';
import { notingHowToRun } from './driver/transaction-statements';
import { OpenTransaction, openTransaction, runInside } from './open-transaction';
import { clientFor } from './scoped-client';

/** What opens a transaction: Prisma's, of a scoped client or of the plain one. */
type Begin = <T>(inside: (client: object) => Promise<T>) => Promise<T>;

/**
 * Runs `work` in a transaction of this scope: the one that is under way, or a new one. All of it commits or none, also
 * where a caller swallows what a part of it threw. Never do I/O other than queries inside: on the embedded database
 * an open transaction holds everyone up. Throws inside a transaction of another team or mode.
 */
export function inTransaction<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  return run(scope, (inside) => clientFor(scope).$transaction(inside), work);
}

/** The same over all teams: inside, `systemDb()` is the transaction's client. */
export function inSystemTransaction<T>(work: () => Promise<T>): Promise<T> {
  return run(null, (inside) => database().prisma.$transaction(inside), work);
}

async function run<T>(owner: Scope | null, begin: Begin, work: () => Promise<T>): Promise<T> {
  const around = openTransaction();
  if (around) {
    around.assertOwner(owner);
    await around.begin();
    return around.join(work);
  }
  const transaction = new OpenTransaction(owner);
  const result = await notingHowToRun(transaction, () =>
    begin((client) => {
      transaction.client = client;
      return runInside(transaction, work);
    }),
  );
  transaction.runHooks();
  return result;
}

/**
 * Registers something to do after the transaction under way commits; the same function registers once. Nothing may
 * depend on it: a crash forgets it. Throws outside of a transaction.
 */
export function afterCommit(hook: () => void): void {
  const transaction = openTransaction();
  if (!transaction?.client) throw new Error('afterCommit was called outside of a transaction.');
  transaction.addHook(hook);
}
