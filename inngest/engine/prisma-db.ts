/** Provides the engine with access to the database: raw SQL through Prisma's adapter. */
import type { SqlDb } from './types';

interface RawClient {
  $queryRawUnsafe<T>(sql: string, ...params: unknown[]): Promise<T>;
  $executeRawUnsafe(sql: string, ...params: unknown[]): Promise<number>;
}

interface RootClient extends RawClient {
  $transaction<T>(fn: (tx: RawClient) => Promise<T>): Promise<T>;
}

/**
 * Wraps a Prisma client. Transactions use the client's isolation level (READ COMMITTED) and time
 * limits.
 */
export function createSqlDbFromPrismaClient(client: RootClient): SqlDb {
  return { ...statements(client), transaction: (fn) => client.$transaction((tx) => fn(inside(tx))) };
}

function inside(tx: RawClient): SqlDb {
  // A nested transaction becomes a part of the outer one.
  const db: SqlDb = { ...statements(tx), transaction: (fn) => fn(db) };
  return db;
}

function statements(client: RawClient): Pick<SqlDb, 'query' | 'execute'> {
  return {
    query: <T>(sql: string, params: unknown[]) => client.$queryRawUnsafe<T[]>(sql, ...params),
    execute: (sql, params) => client.$executeRawUnsafe(sql, ...params),
  };
}
