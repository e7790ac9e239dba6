/**
 * Statements on the connection of a Prisma transaction, past Prisma: its engine takes about 0.2 ms of this process's time for each
 * raw one, several times what the driver takes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Runs a prepared statement, with rows as Prisma's raw queries give them. */
export type RunPrepared = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

interface Beginning {
  runPrepared: RunPrepared | null;
}

const beginning = new AsyncLocalStorage<Beginning>();

/** Calls `begin`, which opens `transaction`, and notes there how statements run in it; nothing behind a pooler. */
export const notingHowToRun = <T>(transaction: Beginning, begin: () => Promise<T>): Promise<T> =>
  beginning.run(transaction, begin);

/** Has an adapter's transactions noted. `runOn`: how a statement runs on what the adapter has of a transaction. */
export function withStatements<Factory extends SqlMigrationAwareDriverAdapterFactory>(
  factory: Factory,
  runOn: (client: object) => RunPrepared,
): Factory {
  const connect = factory.connect.bind(factory);
  factory.connect = async () => {
    const adapter = await connect();
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const transaction = await start(level);
      const { client } = transaction as unknown as { client: object };
      const begun = beginning.getStore();
      // What is begun inside later, by work left running, is another transaction's.
      if (begun) begun.runPrepared ??= runOn(client);
      return transaction;
    };
    return adapter;
  };
  return factory;
}
