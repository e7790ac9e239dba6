/**
 * The process's only Prisma client, for the embedded PostgreSQL (PGlite) or an external server.
 *
 * Next bundles a second copy of every module, but PGlite must be opened exactly once. The open
 * database is therefore on globalThis: the server opens it (driver/connect.ts), and pages use it
 * without loading a driver.
 *
 * Requests on behalf of a team use scoped-client.ts. The unscoped client is for this folder,
 * migrations, background work, accounts, and signing links, whose token identifies the reservation.
 */
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import type { PrismaClient } from '@/generated/prisma/client';
import type { PreparedStatementRunner } from './driver/transaction-statements';
import { getCurrentTransaction } from './open-transaction';

export interface Database {
  readonly prisma: PrismaClient;
  /** The embedded database, if it is open in this process. */
  readonly pglite: PGlite | null;
  /** The connection pool of an external PostgreSQL that accepts named statements. */
  readonly pool: Pool | null;
  /**
   * Runs a prepared statement outside any transaction. Its rows have the types of Prisma's raw
   * queries. Null behind a pooler.
   */
  readonly runPrepared: PreparedStatementRunner | null;
  close(): Promise<void>;
}

const slot = globalThis as typeof globalThis & { __thresholdDatabase?: Database };

/** Makes `database` the database of this process. */
export function setDatabaseOfProcess(database: Database): Database {
  slot.__thresholdDatabase = database;
  return database;
}

/**
 * Returns the open database. Throws when this process has not opened one, for example during a
 * build.
 */
export function database(): Database {
  if (slot.__thresholdDatabase) return slot.__thresholdDatabase;
  throw new Error('The database is not open in this process.');
}

/**
 * Returns the client without tenant conditions, for background work over all teams, migrations and
 * the operator CLI. Inside a transaction over all teams it is the transaction's client. Throws
 * inside a team's transaction, because the embedded database would deadlock: the query would wait
 * for the end of the transaction that contains it.
 */
export function systemDb(): PrismaClient {
  const transaction = getCurrentTransaction();
  if (!transaction?.client) return database().prisma;
  transaction.assertOwner(null);
  return transaction.client as PrismaClient;
}

/** Closes the database and clears the global reference. */
export async function closeDatabase(): Promise<void> {
  const open = slot.__thresholdDatabase;
  slot.__thresholdDatabase = undefined;
  await open?.close();
}
