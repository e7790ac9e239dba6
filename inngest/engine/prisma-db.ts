/** The engine's database through Prisma: raw SQL on whichever adapter the client has. */
import type { SqlDb } from './types';

interface RawClient {
  $queryRawUnsafe<T>(sql: string, ...params: unknown[]): Promise<T>;
  $executeRawUnsafe(sql: string, ...params: unknown[]): Promise<number>;
}

interface RootClient extends RawClient {
  $transaction<T>(fn: (tx: RawClient) => Promise<T>): Promise<T>;
}

/** Wraps a Prisma client. Transactions have the client's own isolation (READ COMMITTED) and time limits. */
export function prismaDb(client: RootClient): SqlDb {
  return { ...statements(client), transaction: (fn) => client.$transaction((tx) => fn(inside(tx))) };
}

function inside(tx: RawClient): SqlDb {
  // A transaction within a transaction is the same one.
  const db: SqlDb = { ...statements(tx), transaction: (fn) => fn(db) };
  return db;
}

function statements(client: RawClient): Pick<SqlDb, 'query' | 'execute'> {
  return {
    query: <T>(sql: string, params: unknown[]) => client.$queryRawUnsafe<T[]>(sql, ...params),
    execute: (sql, params) => client.$executeRawUnsafe(sql, ...params),
  };
}
