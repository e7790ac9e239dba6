/**
 * The transaction that the running code is in. It goes with the call chain (AsyncLocalStorage) and not through
 * signatures: a query made inside belongs to it, whoever opened it, and a nested `inTransaction` joins it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Scope } from '@/shared/scope';
import type { RunPrepared } from './driver/transaction-statements';

type Owner = Pick<Scope, 'team_id' | 'mode'>;

export class OpenTransaction {
  /** The transaction's client; null while nothing has needed one yet (commit-with-answer.ts). */
  client: object | null = null;
  /** Runs a statement in it past Prisma; null where nothing is prepared. */
  runPrepared: RunPrepared | null = null;
  /** False once its work is done: what it left running in the background must not reach for its client. */
  open = true;
  private readonly hooks = new Set<() => void>();
  private broken: { error: unknown } | null = null;

  /** `owner` is null for one over all teams. */
  constructor(readonly owner: Owner | null) {}

  /** Makes sure that there is a client. Only an idempotent request opens its transaction this late. */
  async begin(): Promise<void> {}

  /** Throws unless it is the transaction of this team and mode, or of all teams (null). */
  assertOwner(wanted: Owner | null): void {
    const { owner } = this;
    if (owner?.team_id === wanted?.team_id && owner?.mode === wanted?.mode) return;
    const name = (of: Owner | null) => (of ? `${of.team_id} in ${of.mode} mode` : 'all teams');
    throw new Error(`Inside a transaction of ${name(owner)} nothing else can be reached, and not ${name(wanted)}.`);
  }

  /** Runs work that joins it. What throws takes the whole transaction with it, even where a caller goes on. */
  async join<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.broken ??= { error };
      throw error;
    }
  }

  /** Throws what a part of it threw. */
  assertWhole(): void {
    if (this.broken) throw this.broken.error;
  }

  addHook(hook: () => void): void {
    this.hooks.add(hook);
  }

  runHooks(): void {
    for (const hook of this.hooks) hook();
  }
}

const current = new AsyncLocalStorage<OpenTransaction>();

/** The transaction under way; undefined outside of one, and for what it left running when it ended. */
export function openTransaction(): OpenTransaction | undefined {
  const transaction = current.getStore();
  return transaction?.open ? transaction : undefined;
}

/** Runs `work` as the inside of `transaction`, which is closed when it ends. */
export function runInside<T>(transaction: OpenTransaction, work: () => Promise<T>): Promise<T> {
  return current.run(transaction, async () => {
    try {
      const result = await work();
      transaction.assertWhole();
      return result;
    } finally {
      transaction.open = false;
    }
  });
}
