/**
 * The one Prisma client of the process, on the embedded PostgreSQL (PGlite) or an external one.
 *
 * Next bundles a second copy of every module, and PGlite must be opened exactly once, so the open database lives on
 * globalThis. Nothing but this folder, migrations and the background workers uses the unscoped client; everything a
 * request does goes through scoped-client.ts.
 */
import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import { config } from '@/config';
import { PrismaClient } from '@/generated/prisma/client';

export interface Database {
  readonly prisma: PrismaClient;
  /** Set when the embedded database is open in this process. */
  readonly pglite: PGlite | null;
  close(): Promise<void>;
}

const slot = globalThis as typeof globalThis & { __thresholdDatabase?: Database };

// PGlite has one session: a transaction may wait for the one before it, hence the long maxWait.
const transactionOptions = { maxWait: 15_000, timeout: 20_000 };

/** Wraps an open PGlite. */
export async function connectEmbedded(pglite: PGlite): Promise<Database> {
  const { PrismaPGlite } = await import('pglite-prisma-adapter');
  const prisma = new PrismaClient({ adapter: new PrismaPGlite(pglite), transactionOptions });
  return install({
    prisma,
    pglite,
    async close() {
      await prisma.$disconnect();
      await pglite.close();
    },
  });
}

/** Connects to an external PostgreSQL. */
export function connectExternal(connection_string: string): Database {
  const prisma = new PrismaClient({
    adapter: new PrismaPg({ connectionString: connection_string, max: config().database_pool_size }),
    transactionOptions,
  });
  return install({ prisma, pglite: null, close: () => prisma.$disconnect() });
}

function install(database: Database): Database {
  slot.__thresholdDatabase = database;
  return database;
}

/** The open database. Throws when the embedded one was not opened by this process (a build, for example). */
export function database(): Database {
  if (slot.__thresholdDatabase) return slot.__thresholdDatabase;
  const url = config().database_url;
  if (url) return connectExternal(url);
  throw new Error('The database is not open in this process.');
}

/** The client without tenant conditions: for background work over all teams, migrations and the operator CLI only. */
export function systemDb(): PrismaClient {
  return database().prisma;
}

/** Closes and forgets the database. */
export async function closeDatabase(): Promise<void> {
  const open = slot.__thresholdDatabase;
  slot.__thresholdDatabase = undefined;
  await open?.close();
}
