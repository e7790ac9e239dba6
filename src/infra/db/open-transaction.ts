/**
 * Provides the transaction that contains the running code. It follows the call chain
 * (AsyncLocalStorage) instead of being a parameter. A query in that code belongs to the transaction
 * regardless of which code opened it, and a nested `inTransaction` joins it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scope } from '@/shared/scope';
import type { PreparedStatementRunner } from './driver/transaction-statements';

type Owner = Pick<Scope, 'team_id' | 'mode' | 'properties'>;

export class CurrentTransaction {
  /** The transaction's client. Null until a statement needs one (commit-with-answer.ts). */
  client: object | null = null;
  /** Runs a statement in the transaction without Prisma. Null where statements are not prepared. */
  runPrepared: PreparedStatementRunner | null = null;
  /**
   * False once the transaction's work is done. Work that is still running in the background must
   * not use its client.
   */
  open = true;
  private readonly hooks = new Set<() => void>();
  private broken: { error: unknown } | null = null;

  /** `owner` is null for a transaction over all teams. */
  constructor(readonly owner: Owner | null) {}

  /**
   * Opens the transaction if it is not open yet. Only the transaction of an idempotent request is
   * opened late, at its first use.
   */
  async begin(): Promise<void> {}

  /** Throws unless this is a transaction of the given team and mode, or of all teams (null). */
  assertOwner(wanted: Owner | null): void {
    const { owner } = this;
    if (owner?.team_id === wanted?.team_id && owner?.mode === wanted?.mode) {
      // The client is limited to the properties of the scope that opened the transaction. A scope
      // without limits may use that client. A scope with different limits may not.
      if (!wanted?.properties || wanted.properties.join() === owner?.properties?.join()) return;
      throw new Error('Inside a transaction without limits of properties a scope with them cannot be used.');
    }
    const name = (of: Owner | null) => (of ? `${of.team_id} in ${of.mode} mode` : 'all teams');
    throw new Error(`Inside a transaction of ${name(owner)} nothing else can be reached, and not ${name(wanted)}.`);
  }

  /**
   * Runs nested work. If it throws, the whole transaction rolls back, even if a caller catches the
   * error.
   */
  async join<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.broken ??= { error };
      throw error;
    }
  }

  /** Throws the error of nested work, if any. */
  throwNestedError(): void {
    if (this.broken) throw this.broken.error;
  }

  addHook(hook: () => void): void {
    this.hooks.add(hook);
  }

  runHooks(): void {
    for (const hook of this.hooks) hook();
  }
}

const current = new AsyncLocalStorage<CurrentTransaction>();

/**
 * Returns the current transaction. Undefined outside of a transaction, and in background work after
 * its transaction has ended.
 */
export function getCurrentTransaction(): CurrentTransaction | undefined {
  const transaction = current.getStore();
  return transaction?.open ? transaction : undefined;
}

/** Runs `work` inside `transaction` and marks the transaction as closed at the end. */
export function runAsCurrentTransaction<T>(transaction: CurrentTransaction, work: () => Promise<T>): Promise<T> {
  return current.run(transaction, async () => {
    try {
      const result = await work();
      transaction.throwNestedError();
      return result;
    } finally {
      transaction.open = false;
    }
  });
}
