/**
 * Provides a real PostgreSQL for a test file: PGlite in memory, one per worker, emptied for the
 * next file. It is loaded from a dump of the migrated database, which is created once per set of
 * migrations under node_modules/.cache. With TEST_DATABASE_URL each test file uses a database of
 * its own on an external server instead.
 */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { Client, type QueryResult } from 'pg';
import { setConfig } from '@/config';
import { closeDatabase, type Database, systemDb } from '@/infra/db/client';
import { connectEmbeddedDatabase, connectExternalDatabase } from '@/infra/db/driver/connect';
import { openPglite } from '@/infra/db/driver/pglite';
import { migrateEmbeddedDatabase } from '@/infra/db/open';
import { migrateExternalDatabase } from '@/infra/db/opening/external-migrations';
import { listMigrations } from '@/infra/db/opening/migrations';
import { SELECT_TABLES_CHILDREN_FIRST_SQL } from '@/infra/db/table-order';
import { closeCertificateRenderPool } from '@/modules/certificates/render';
import { loadInstallationSealingKey } from '@/modules/certificates/seal/installation-key';
import { resetExternallyStoredCheckpointInTests } from '@/modules/public-log/known-checkpoint';

type RunSql = (sql: string) => Promise<{ name: string }[]>;

/**
 * Deletes all rows except the migrations and the installation's keys, because creating a sealing
 * key takes a second or more. Does not use TRUNCATE, which takes a tenth of a second because it
 * creates new files for each table and all tables that refer to it.
 */
export async function deleteEveryRow(run: RunSql): Promise<void> {
  const tables = await run(SELECT_TABLES_CHILDREN_FIRST_SQL);
  const filled = await run(
    tables.map(({ name }) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name})`).join(' UNION ALL '),
  );
  const rows = new Set(filled.map(({ name }) => name).filter((name) => name !== 'installation_keys'));
  for (const { name } of tables) if (rows.has(name)) await run(`DELETE FROM ${name}`);
}

const MIGRATIONS = join(process.cwd(), 'prisma/migrations');
const CACHE = join(process.cwd(), 'node_modules/.cache/threshold');

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await listMigrations(MIGRATIONS)) {
    hash.update(name).update(await readFile(join(MIGRATIONS, name, 'migration.sql')));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Creates the dump, if there is none for these migrations, and returns its file. Called before the
 * workers start (global-setup.ts): when a worker had run the migrations itself, the schema engine
 * failed in a later test file of that worker.
 */
export async function ensureTestDatabaseDumpExists(): Promise<string> {
  const file = join(CACHE, `template-${await migrationsHash()}.tar`);
  if (existsSync(file)) return file;
  const pglite = await openPglite();
  await migrateEmbeddedDatabase(pglite);
  const dump = await pglite.dumpDataDir('none');
  await pglite.close();
  await mkdir(CACHE, { recursive: true });
  // Two test runs may create the dump at the same time, so it is written to a temporary file and
  // renamed.
  const scratch = `${file}.${process.pid}`;
  await writeFile(scratch, Buffer.from(await dump.arrayBuffer()));
  await rename(scratch, file);
  return file;
}

const setTestConfig = () =>
  setConfig({ app_secret: 'test-secret-test-secret-test-secret', log_level: 'warn', outbound_allow_loopback: true });

/** Opens a migrated, empty database as the process's database. `closeTestDatabase` closes it. */
export async function openTestDatabase(): Promise<Database> {
  // An earlier test of this process may have restored another installation's log, whose checkpoint
  // is still cached.
  resetExternallyStoredCheckpointInTests();
  setTestConfig();
  const server = process.env.TEST_DATABASE_URL;
  if (server) return openExternal(server);
  return connectEmbeddedDatabase(await emptyPglite());
}

/**
 * Opens a new PGlite instead of the worker's, for tests that inspect PostgreSQL's own statistics.
 */
export function openFreshTestDatabase(): Promise<Database> {
  kept = null;
  return openTestDatabase();
}

/** Closes the database of `openTestDatabase`. Keeps the PGlite for the worker's next test file. */
export async function closeTestDatabase(): Promise<void> {
  await closeDatabase();
  await dropExternal?.();
  dropExternal = null;
}

const REUSE_MS = 10_000;
let kept: PGlite | null = null;

/**
 * Returns the worker's PGlite with empty tables. Creates one when there is none, or a test left it
 * unusable.
 */
async function emptyPglite(): Promise<PGlite> {
  if (kept && (await emptied(kept))) return kept;
  kept = await openPglite(undefined, { loadDataDir: new Blob([await readFile(await ensureTestDatabaseDumpExists())]) });
  // Closing has no effect, because the worker's next test file continues to use this PGlite.
  kept.close = async () => {};
  return kept;
}

async function emptied(pglite: PGlite): Promise<boolean> {
  const emptying = (async () => {
    await pglite.exec('ROLLBACK; RESET ALL; SELECT pg_advisory_unlock_all()');
    await deleteEveryRow(async (sql) => (await pglite.query<{ name: string }>(sql)).rows);
    return true;
  })();
  // The wait is limited, because a transaction that a test did not end blocks all others.
  return Promise.race([emptying, sleep(REUSE_MS, false, { ref: false })]).catch(() => false);
}

const getTemplateName = async () => `threshold_template_${await migrationsHash()}`;

/**
 * Creates the template on the given server, if there is none for these migrations. Called before
 * the workers start, like `ensureTestDatabaseDumpExists`.
 */
export async function ensureTestDatabaseTemplateExists(server: string): Promise<void> {
  const template = await getTemplateName();
  await onServer(server, async (run) => {
    // Two test runs may share the server. One creates the template, and the other waits.
    await run('SELECT pg_advisory_lock(7283461)');
    const { rowCount } = await run(`SELECT 1 FROM pg_database WHERE datname = '${template}'`);
    if (rowCount !== 0) return;
    const unfinished = `${template}_unfinished`;
    // Removes a template that a killed process left incomplete.
    await run(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
    await run(`CREATE DATABASE ${unfinished}`);
    await migrateExternalDatabase(at(server, unfinished), MIGRATIONS);
    await insertSealingKey(at(server, unfinished));
    await run(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
  });
}

let dropExternal: (() => Promise<void>) | null = null;

/** Creates a separate database on the given server, as a copy of the template. */
async function openExternal(server: string): Promise<Database> {
  const template = await getTemplateName();
  const name = `threshold_test_${randomBytes(8).toString('hex')}`;
  await onServer(server, async (run) => void (await run(`CREATE DATABASE ${name} TEMPLATE ${template}`)));
  dropExternal = () => onServer(server, async (run) => void (await run(`DROP DATABASE ${name} WITH (FORCE)`)));
  // Without the product's time limits, which a busy machine can exceed.
  return connectExternalDatabase(at(server, name), { patient: true });
}

/** Stores a sealing key in the template, so that no test file must create one. */
async function insertSealingKey(url: string): Promise<void> {
  setTestConfig();
  connectExternalDatabase(url, { patient: true });
  await loadInstallationSealingKey();
  await deleteEveryRow((sql) => systemDb().$queryRawUnsafe(sql));
  await closeDatabase();
  await closeCertificateRenderPool();
}

function at(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

async function onServer(server: string, work: (run: (sql: string) => Promise<QueryResult>) => Promise<void>) {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await work((sql) => client.query(sql));
  } finally {
    await client.end();
  }
}
