/**
 * Runs plain statements in one transaction, for backup and restore. They bypass Prisma, because
 * Prisma retains every row of a transaction until it ends: the heap grew by three megabytes for
 * each megabyte restored.
 */
import pg from 'pg';
import { config } from '@/config';
import { database } from './client';

export type StatementRunner = <Row>(sql: string, values?: unknown[]) => Promise<Row[]>;

/**
 * Runs `work` in one transaction over all teams. With `snapshot` all statements read the data as of
 * the first statement.
 */
export async function runInSingleTransaction<Result>(
  isolation: 'snapshot' | 'read committed',
  work: (run: StatementRunner) => Promise<Result>,
): Promise<Result> {
  const level = `isolation level ${isolation === 'snapshot' ? 'repeatable read' : isolation}`;
  const { pglite, pool } = database();
  if (pglite) {
    return pglite.transaction(async (session) => {
      await session.query(`set transaction ${level}`);
      return work(async <Row>(sql: string, values?: unknown[]) => (await session.query<Row>(sql, values)).rows);
    });
  }
  const { client, end } = await externalSession(pool);
  try {
    await client.query(`begin ${level}`);
    const result = await work(
      async <Row>(sql: string, values?: unknown[]) => (await client.query(sql, values)).rows as Row[],
    );
    await client.query('commit');
    return result;
  } finally {
    await end();
  }
}

/** Opens a connection that is closed after use, so that no later query inherits a failed state. */
async function externalSession(pool: pg.Pool | null): Promise<{ client: pg.ClientBase; end: () => unknown }> {
  if (pool) {
    const client = await pool.connect();
    return { client, end: () => client.release(true) };
  }
  const client = new pg.Client({ connectionString: config().database_url });
  await client.connect();
  return { client, end: () => client.end() };
}
