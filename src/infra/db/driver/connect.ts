/**
 * Connects Prisma to the embedded PostgreSQL (PGlite) or to an external server. Only code that
 * opens the database may import this file (a rule of .dependency-cruiser.cjs). The rule exists
 * because Next once loaded a driver incompletely, and every page failed until the process ended.
 */

import { createHash } from 'node:crypto';
import type { PGlite } from '@electric-sql/pglite';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { config } from '@/config';
import { PrismaClient } from '@/generated/prisma/client';
import { logger } from '@/infra/logger';
import { type Database, setDatabaseOfProcess } from '../client';
import { hasConnectionUrlPoolerParameter } from '../opening/pooler';
import { createPrismaAdapterForPglite } from './embedded-adapter';
import { createStatementPreparingClient } from './embedded-statements';
import { startWalCheckpoints } from './pglite';
import { makeAdapterFactoryRecordStatementRunners, type PreparedStatementRunner } from './transaction-statements';
import { createEventLoopYieldingClient } from './yielding';

/**
 * Time limit of a statement. A database that takes longer counts as unreachable. Operator commands
 * have no limit, because they run longer queries.
 */
const ANSWER_MS = 4_000;

// `maxWait` is long, because PGlite has a single session, in which a transaction waits for all
// earlier transactions.
const transactionOptions = { maxWait: 15_000, timeout: 20_000 };

const { DATE, INT8 } = pg.types.builtins;

/** Connects to an open PGlite. */
export async function connectEmbeddedDatabase(pglite: PGlite): Promise<Database> {
  const client = createEventLoopYieldingClient(await createStatementPreparingClient(pglite));
  const adapter = makeAdapterFactoryRecordStatementRunners(await createPrismaAdapterForPglite(client), (tx) =>
    preparedBy(tx as PGlite),
  );
  const prisma = new PrismaClient({ adapter, transactionOptions });
  const leaveLog = startWalCheckpoints(pglite);
  return setDatabaseOfProcess({
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
 * Connects to an external PostgreSQL. Prisma's statements are prepared too, except behind a pooler
 * (opening/pooler.ts). A pooler may switch to a connection that does not have the prepared
 * statements.
 */
export function connectExternalDatabase(
  connection_string: string,
  { patient = false, pooled = hasConnectionUrlPoolerParameter(connection_string) } = {},
): Database {
  const pool = new pg.Pool({
    connectionString: connection_string,
    max: config().database_pool_size,
    keepAlive: true,
    ...(patient ? {} : { query_timeout: ANSWER_MS, connectionTimeoutMillis: ANSWER_MS }),
  });
  // The pool replaces a broken idle connection. Without this listener, its error would end the
  // process.
  pool.on('error', ({ message }) => logger().warn({ reason: message }, 'an idle database connection broke'));
  const factory = new PrismaPg(pool, {
    disposeExternalPool: true,
    // The type requires a string, but pg also accepts undefined and then runs the statement
    // unnamed.
    ...(!pooled && { statementNameGenerator: ({ sql }) => getPreparedStatementName(sql) as string }),
  });
  const adapter = pooled
    ? factory
    : makeAdapterFactoryRecordStatementRunners(factory, (connection) => preparedOn(connection as pg.PoolClient));
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return setDatabaseOfProcess({
    prisma,
    pglite: null,
    pool: pooled ? null : pool,
    runPrepared: pooled ? null : preparedOn(pool),
    close: () => prisma.$disconnect(),
  });
}

/**
 * Parsers that return the types of Prisma's raw queries: a date is midnight UTC, an int8 is a
 * bigint.
 */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === DATE) return (text: string) => new Date(`${text}T00:00:00.000Z`);
    if (oid === INT8) return BigInt;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/**
 * Runs a statement under a name. A name always has the same text, so the server parses and plans it
 * once per connection.
 */
const preparedOn =
  (connection: Pick<pg.Pool, 'query'>): PreparedStatementRunner =>
  async <Row>(text: string, values: unknown[]) =>
    (await connection.query({ name: getPreparedStatementName(text), text, values, types })).rows as Row[];

const preparedBy =
  (client: Pick<PGlite, 'query'>): PreparedStatementRunner =>
  async <Row>(text: string, values: unknown[]) =>
    (await client.query<Row>(text, values, { parsers: { [INT8]: BigInt } })).rows;

/**
 * Maximum number of named statements, more than the product has. Further statements run unnamed,
 * which limits the number of plans per connection.
 */
const NAMED_AT_MOST = 600;
/**
 * Maximum length of an SQL text that is prepared under a name. Longer texts are batches of varying
 * length, whose plans are rarely reused.
 */
const LONGEST_NAMED = 8_000;

const names = new Map<string, string>();

/**
 * Returns the name under which a text is prepared, or undefined for a text that runs unnamed. The
 * name is a hash of the text, so that Next's copy of this module, which uses the same connections,
 * chooses the same name.
 */
export function getPreparedStatementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || text.length > LONGEST_NAMED || names.size >= NAMED_AT_MOST) return known;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}
