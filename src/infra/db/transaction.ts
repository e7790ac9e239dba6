/**
 * The only way to open a transaction. Nested calls join it, so no function takes a client as a
 * parameter.
 */
import type { Scope } from '@/shared/scope';
import { database } from './client';
import { withStatementRunner } from './driver/transaction-statements';
import { CurrentTransaction, getCurrentTransaction, runAsCurrentTransaction } from './open-transaction';
import { getScopedDatabaseClient } from './scoped-client';

/** Opens a Prisma transaction of a scoped client or of the unscoped client. */
type Begin = <T>(inside: (client: object) => Promise<T>) => Promise<T>;

/**
 * Runs `work` in a transaction of this scope: in the current transaction if there is one, otherwise
 * in a new transaction. The whole transaction commits or rolls back, even if a caller catches an
 * error of nested work. Do no I/O other than queries inside, because on the embedded database an
 * open transaction blocks all other queries. Throws inside a transaction of another team or mode.
 */
export function inTransaction<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
  return run(scope, (inside) => getScopedDatabaseClient(scope).$transaction(inside), work);
}

/**
 * Does the same as `inTransaction` over all teams. Inside, `systemDb()` is the transaction's
 * client.
 */
export function inSystemTransaction<T>(work: () => Promise<T>): Promise<T> {
  return run(null, (inside) => database().prisma.$transaction(inside), work);
}

async function run<T>(owner: Scope | null, begin: Begin, work: () => Promise<T>): Promise<T> {
  const around = getCurrentTransaction();
  if (around) {
    around.assertOwner(owner);
    await around.begin();
    return around.join(work);
  }
  const transaction = new CurrentTransaction(owner);
  const result = await withStatementRunner(transaction, () =>
    begin((client) => {
      transaction.client = client;
      return runAsCurrentTransaction(transaction, work);
    }),
  );
  transaction.runHooks();
  return result;
}

/**
 * Registers a function that runs after the current transaction commits. Registering the same
 * function again has no effect. A crash may prevent the call, so nothing may depend on it. Throws
 * outside a transaction.
 */
export function runAfterCommit(hook: () => void): void {
  const transaction = getCurrentTransaction();
  if (!transaction?.client) throw new Error('runAfterCommit was called outside of a transaction.');
  transaction.addHook(hook);
}
