/**
 * Connects Prisma to the embedded PostgreSQL (PGlite) or to an external one. Only what opens the database imports this file:
 * Next loads packages by another way than the server, and one that came half loaded broke every page for as long as the process
 * lived (a rule of .dependency-cruiser.cjs keeps drivers out of the pages).
 */
import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { config } from '@/config';
import { PrismaClient } from '@/generated/prisma/client';
import { logger } from '@/infra/logger';
import { type Database, install } from '../client';
import { saysPooled } from '../opening/pooler';
import { embeddedAdapter } from './embedded-adapter';
import { preparingPglite } from './embedded-statements';
import { keepLogShort } from './log-length';
import { statementName } from './statement-names';
import { type RunPrepared, withStatements } from './transaction-statements';
import { yieldingPglite } from './yielding';

/** A database that takes longer is away: who waits is told so. The operator's commands have queries that take long. */
const ANSWER_MS = 4_000;

// PGlite has one session: a transaction may wait for the one before it, hence the long maxWait.
const transactionOptions = { maxWait: 15_000, timeout: 20_000 };

const { DATE, INT8 } = pg.types.builtins;

/** Wraps an open PGlite. */
export async function connectEmbedded(pglite: PGlite): Promise<Database> {
  const client = yieldingPglite(await preparingPglite(pglite));
  const adapter = withStatements(await embeddedAdapter(client), (tx) => preparedBy(tx as PGlite));
  const prisma = new PrismaClient({ adapter, transactionOptions });
  const leaveLog = keepLogShort(pglite);
  return install({
    prisma,
    pglite,
    pool: null,
    runPrepared: preparedBy(client),
    async close() {
      leaveLog();
      await prisma.$disconnect();
      await pglite.close();
    },
  });
}

/**
 * Connects to an external PostgreSQL. Prisma's statements are prepared too, unless a pooler stands between
 * (opening/pooler.ts): one that changes the connection between two statements does not know the names.
 */
export function connectExternal(
  connection_string: string,
  { patient = false, pooled = saysPooled(connection_string) } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: connection_string,
    max: config().database_pool_size,
    keepAlive: true,
    ...(patient ? {} : { query_timeout: ANSWER_MS, connectionTimeoutMillis: ANSWER_MS }),
  });
  // A connection that breaks while nobody uses it is replaced; it must not end the process.
  pool.on('error', ({ message }) => logger().warn({ reason: message }, 'an idle database connection broke'));
  const factory = new PrismaPg(pool, {
    disposeExternalPool: true,
    // The type asks for a name; without one pg runs a statement unnamed, as for all others.
    ...(!pooled && { statementNameGenerator: ({ sql }) => statementName(sql) as string }),
  });
  const adapter = pooled ? factory : withStatements(factory, (connection) => preparedOn(connection as pg.PoolClient));
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return install({
    prisma,
    pglite: null,
    pool: pooled ? null : pool,
    runPrepared: pooled ? null : preparedOn(pool),
    close: () => prisma.$disconnect(),
  });
}

/** Values as Prisma's raw queries give them: a day is midnight UTC, and a bigint is one. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === DATE) return (text: string) => new Date(`${text}T00:00:00.000Z`);
    if (oid === INT8) return BigInt;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** The same text every time, which the server parses and plans once per connection. */
const preparedOn =
  (connection: Pick<pg.Pool, 'query'>): RunPrepared =>
  async <Row>(text: string, values: unknown[]) =>
    (await connection.query({ name: statementName(text), text, values, types })).rows as Row[];

const preparedBy =
  (client: Pick<PGlite, 'query'>): RunPrepared =>
  async <Row>(text: string, values: unknown[]) =>
    (await client.query<Row>(text, values, { parsers: { [INT8]: BigInt } })).rows;
