/**
 * The one Prisma client of the process, on the embedded PostgreSQL (PGlite) or an external one.
 *
 * Next bundles a second copy of every module, and PGlite must be opened exactly once, so the open database lives on
 * globalThis. What a request does for a team goes through scoped-client.ts; the unscoped client is for this
 * folder, migrations, background work, accounts, and links whose token says what they are for.
 */
import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { config } from '@/config';
import { PrismaClient } from '@/generated/prisma/client';
import { logger } from '@/infra/logger';
import { embeddedAdapter } from './driver/embedded-adapter';
import { statementName } from './driver/statement-names';
import { yieldingPglite } from './driver/yielding';
import { openTransaction } from './open-transaction';

export interface Database {
  readonly prisma: PrismaClient;
  /** Set when the embedded database is open in this process. */
  readonly pglite: PGlite | null;
  /** The connections of an external PostgreSQL, which Prisma and the prepared statements (prepared.ts) share. */
  readonly pool: pg.Pool | null;
  close(): Promise<void>;
}

const slot = globalThis as typeof globalThis & { __thresholdDatabase?: Database };

/** A database that takes longer is away: who waits is told so. The operator's commands have queries that take long. */
const ANSWER_MS = 4_000;

// PGlite has one session: a transaction may wait for the one before it, hence the long maxWait.
const transactionOptions = { maxWait: 15_000, timeout: 20_000 };

/** Wraps an open PGlite. */
export async function connectEmbedded(pglite: PGlite): Promise<Database> {
  const adapter = await embeddedAdapter(yieldingPglite(pglite));
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return install({
    prisma,
    pglite,
    pool: null,
    async close() {
      await prisma.$disconnect();
      await pglite.close();
    },
  });
}

/**
 * Connects to an external PostgreSQL. Prisma's statements are prepared too, unless the address says `pgbouncer=true`
 * (as Prisma's own addresses do): a pooler that changes the connection between two statements does not know the names.
 */
export function connectExternal(connection_string: string, { patient = false } = {}): Database {
  const pool = new pg.Pool({
    connectionString: connection_string,
    max: config().database_pool_size,
    keepAlive: true,
    ...(patient ? {} : { query_timeout: ANSWER_MS, connectionTimeoutMillis: ANSWER_MS }),
  });
  // A connection that breaks while nobody uses it is replaced; it must not end the process.
  pool.on('error', (error) => logger().warn({ err: error }, 'an idle database connection broke'));
  const named = !/[?&]pgbouncer=true(&|$)/.test(connection_string);
  const adapter = new PrismaPg(pool, {
    disposeExternalPool: true,
    // The type asks for a name; without one pg runs a statement unnamed, as for all others.
    ...(named && { statementNameGenerator: ({ sql }) => statementName(sql) as string }),
  });
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return install({ prisma, pglite: null, pool: named ? pool : null, close: () => prisma.$disconnect() });
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
