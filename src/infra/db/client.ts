/**
 * The one Prisma client of the process, on the embedded PostgreSQL (PGlite) or an external one.
 *
 * Next bundles a second copy of every module, and PGlite must be opened exactly once, so the open database lives on
 * globalThis: the server opens it (driver/connect.ts), and pages take it from here without loading a driver. What a request does for a team goes through scoped-client.ts; the unscoped client is for this
 * folder, migrations, background work, accounts, and links whose token says what they are for.
 */
import type { PGlite } from '@electric-sql/pglite';
import type { Pool } from 'pg';
import type { PrismaClient } from '@/generated/prisma/client';
import type { RunPrepared } from './driver/transaction-statements';
import { openTransaction } from './open-transaction';

export interface Database {
  readonly prisma: PrismaClient;
  /** Set when the embedded database is open in this process. */
  readonly pglite: PGlite | null;
  /** The connections of an external PostgreSQL that knows the names of statements. */
  readonly pool: Pool | null;
  /** Runs a prepared statement outside of any transaction, with rows as Prisma's raw queries give them; null behind a pooler. */
  readonly runPrepared: RunPrepared | null;
  close(): Promise<void>;
}

const slot = globalThis as typeof globalThis & { __thresholdDatabase?: Database };

/** Makes it the process's. */
export function install(database: Database): Database {
  slot.__thresholdDatabase = database;
  return database;
}

/** The open database. Throws when this process opened none (a build, for example). */
export function database(): Database {
  if (slot.__thresholdDatabase) return slot.__thresholdDatabase;
  throw new Error('The database is not open in this process.');
}

/**
 * The client without tenant conditions: for background work over all teams, migrations and the operator CLI only. In a
 * transaction over all teams it is its client; in a team's it throws, where the embedded database would wait for ever
 * for the end of the very transaction that asks.
 */
export function systemDb(): PrismaClient {
  const transaction = openTransaction();
  if (!transaction?.client) return database().prisma;
  transaction.assertOwner(null);
  return transaction.client as PrismaClient;
}

/** Closes and forgets the database. */
export async function closeDatabase(): Promise<void> {
  const open = slot.__thresholdDatabase;
  slot.__thresholdDatabase = undefined;
  await open?.close();
}
