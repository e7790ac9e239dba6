import { inTransaction, type ScopedDb, withDeferredCommit } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

/**
 * A transaction of its own that other modules' services join when they are called inside. Also within an idempotent
 * request: what it does stands by itself, and a request repeated because its answer was lost finds nothing left to do.
 */
export function inOneTransaction<T>(scope: Scope, work: (tx: ScopedDb) => Promise<T>): Promise<T> {
  return withDeferredCommit(
    scope,
    () => inTransaction(scope, work),
    async () => {},
  );
}
