/**
 * Stores the answer of an idempotent request in the same transaction as its change
 * (docs/decisions/idempotent-answer-in-the-transaction.md). Only for the REST bridge.
 */
import type { Scope } from '@/shared/scope';
import { withStatementRunner } from './driver/transaction-statements';
import { CurrentTransaction, runAsCurrentTransaction } from './open-transaction';
import { getScopedDatabaseClient } from './scoped-client';

/**
 * A transaction that begins at the first `inTransaction` of the operation, and commits after the
 * answer is stored.
 */
class AnsweredTransaction extends CurrentTransaction {
  private end: { commit(): void; roll_back(error: unknown): void } | null = null;
  private ended: Promise<void> | null = null;
  private begun: Promise<void> | null = null;

  constructor(private readonly scope: Scope) {
    super(scope);
  }

  override begin(): Promise<void> {
    this.begun ??= new Promise((opened, refused) => {
      const end = new Promise<void>((commit, roll_back) => {
        this.end = { commit, roll_back };
      });
      end.catch(() => {});
      this.ended = withStatementRunner(this, () =>
        getScopedDatabaseClient(this.scope).$transaction((client) => {
          this.client = client;
          opened();
          return end;
        }),
      );
      this.ended.catch(refused);
    });
    return this.begun;
  }

  async commit(): Promise<void> {
    this.end?.commit();
    await this.ended;
    this.runHooks();
  }

  async rollBack(error: unknown): Promise<void> {
    this.end?.roll_back(error);
    await this.ended?.catch(() => {});
  }
}

/**
 * Runs `operation`, then `store` with its answer, then commits. If the operation opened a
 * transaction, `store` runs in it. When either function throws, everything rolls back.
 */
export async function runOperationThenStoreResultAndCommit<T>(
  scope: Scope,
  operation: () => Promise<T>,
  store: (answer: T) => Promise<void>,
): Promise<T> {
  const transaction = new AnsweredTransaction(scope);
  let answer: T;
  try {
    answer = await runAsCurrentTransaction(transaction, async () => {
      const given = await operation();
      transaction.throwNestedError();
      await store(given);
      return given;
    });
  } catch (error) {
    await transaction.rollBack(error);
    throw error;
  }
  await transaction.commit();
  return answer;
}
