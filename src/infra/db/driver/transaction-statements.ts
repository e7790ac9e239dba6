/**
 * Runs the statements of a Prisma transaction directly on its connection. Prisma's engine takes
 * about 0.2 ms of this process's time for each raw statement, several times as long as the driver.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Runs a prepared statement. Its rows have the types of Prisma's raw queries. */
export type PreparedStatementRunner = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

interface Beginning {
  runPrepared: PreparedStatementRunner | null;
}

const beginning = new AsyncLocalStorage<Beginning>();

/**
 * Runs `begin`, which starts a database transaction. `transaction.runPrepared` is then set to a
 * function that runs prepared statements on its connection. Behind a pooler it is not set.
 */
export const withStatementRunner = <T>(transaction: Beginning, begin: () => Promise<T>): Promise<T> =>
  beginning.run(transaction, begin);

/**
 * Changes an adapter factory so that a transaction begun in `withStatementRunner` records its
 * statement runner, a function that runs statements directly on its connection. `runOn` creates
 * this function for a connection. Returns the factory.
 */
export function makeAdapterFactoryRecordStatementRunners<Factory extends SqlMigrationAwareDriverAdapterFactory>(
  factory: Factory,
  runOn: (client: object) => PreparedStatementRunner,
): Factory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const transaction = await start(level);
      const { client } = transaction as unknown as { client: object };
      const begun = beginning.getStore();
      // Work that is still running in the background may begin another transaction. That
      // transaction must not replace the statement runner that is already recorded.
      if (begun) begun.runPrepared ??= runOn(client);
      return transaction;
    };
    return adapter;
  };
  return factory;
}
