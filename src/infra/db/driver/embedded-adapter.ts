/** Corrects Prisma's adapter for PGlite, which reports a failed script or COMMIT as successful. */
import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/**
 * Creates the adapter for an open PGlite. The adapter awaits scripts and passes their notices to
 * `on_notice`. When COMMIT fails (a deferred constraint, a full disk), the commit's promise
 * rejects.
 */
export async function createPrismaAdapterForPglite(
  pglite: PGlite,
  on_notice?: (notice: { message?: string | undefined }) => void,
): Promise<SqlMigrationAwareDriverAdapterFactory> {
  const { PrismaPGlite } = await import('pglite-prisma-adapter');
  const ends = new WeakMap<object, Promise<unknown>>();
  const client: Pick<PGlite, 'query' | 'exec' | 'transaction'> = {
    query: (...args) => pglite.query(...args),
    exec: (...args) => pglite.exec(...args),
    transaction: <T>(work: (tx: Transaction) => Promise<T>) => {
      const end: Promise<T> = pglite.transaction((tx) => {
        ends.set(tx, end);
        return work(tx);
      });
      return end;
    },
  };
  const factory: SqlMigrationAwareDriverAdapterFactory = new PrismaPGlite(client as PGlite);
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    adapter.executeScript = async (script) => {
      await pglite.exec(script, { onNotice: on_notice });
    };
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const transaction = await begin(level);
      const { client: tx } = transaction as unknown as { client: object };
      const commit = transaction.commit.bind(transaction);
      transaction.commit = async () => {
        await commit();
        await ends.get(tx);
      };
      return transaction;
    };
    return adapter;
  };
  return factory;
}
