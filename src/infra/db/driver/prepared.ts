/**
 * Statements of the hot paths: the same text every time, which PostgreSQL parses and plans once per connection.
 *
 * Why not Prisma's own queries there: each costs about 0.3 ms of this process's time (its arguments are compiled and its
 * result interpreted), and a table of fifty columns costs PostgreSQL a millisecond of planning for a tenth of it of work.
 * These statements go straight to the pool, or the embedded PostgreSQL, that Prisma uses too. Behind a pooler there are no
 * names; there they are Prisma's raw queries, with the same rows.
 */
import type { Prisma } from '@/generated/prisma/client';
import { isDatabaseAway, isDiskFull } from '@/infra/database-away';
import { AppError } from '@/shared/errors';
import { database } from '../client';

/**
 * Runs a prepared statement: outside of any transaction, unless `run` is one's. Throws `service_unavailable` when the database cannot
 * be reached.
 */
export async function preparedRows<Row>(query: Prisma.Sql, run = database().runPrepared): Promise<Row[]> {
  if (!run) return database().prisma.$queryRaw<Row[]>(query);
  const values = query.values.map((value) => (value instanceof Date ? value.toISOString() : value));
  try {
    return await run<Row>(query.text, values);
  } catch (error) {
    // Named by whoever translates errors.
    if (isDiskFull(error)) throw error;
    throw isDatabaseAway(error) ? new AppError('service_unavailable', { internal: error, retryAfter: 1 }) : error;
  }
}
