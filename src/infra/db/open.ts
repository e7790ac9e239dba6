/**
 * Opens the database at start: an external PostgreSQL, or the embedded database under DATA_DIR,
 * which only one process may open (instance-lock.ts). Migrates it, and reads or creates the
 * installation's master secret.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { config, setConfig } from '@/config';
import { logger } from '@/infra/logger';
import type { Database } from './client';
import { connectEmbeddedDatabase, connectExternalDatabase } from './driver/connect';
import { createPrismaAdapterForPglite } from './driver/embedded-adapter';
import { openPglite } from './driver/pglite';
import { describeConnectionProblem } from './opening/connection-problems';
import { migrateExternalDatabase } from './opening/external-migrations';
import { finishRestore } from './opening/finish-restore';
import { applyMigrations, assertSameMigrationHistory, listMigrations, logMigrationNotice } from './opening/migrations';
import { isBehindPooler } from './opening/pooler';
import { assertAppSecretUnchanged } from './opening/secret-check';

const MIGRATIONS = join(process.cwd(), 'prisma/migrations');

export interface OpenedDatabase {
  database: Database;
  applied: string[];
}

/**
 * Opens and migrates the database, and makes it the one that this process uses. `patient` removes
 * the time limit of queries on an external database. Throws an error whose message is for the
 * operator.
 */
export async function openDatabase({ patient = false } = {}): Promise<OpenedDatabase> {
  const url = config().database_url;
  if (url) {
    if (!config().app_secret)
      throw new Error('APP_SECRET: missing; with DATABASE_URL it is required, since it encrypts stored secrets');
    const applied = await migrateExternalDatabase(url, MIGRATIONS).catch((error: unknown) => {
      const problem = describeConnectionProblem(error, url);
      throw problem ? new Error(problem) : error;
    });
    const pooled = await isBehindPooler(url);
    if (pooled) logger().info('PostgreSQL is behind a pooler: statements are not prepared');
    const database = connectExternalDatabase(url, { patient, pooled });
    await assertAppSecretUnchanged();
    return { database, applied };
  }
  await finishRestore(resolve(config().data_dir));
  await ensureAppSecret();
  const opened = await openEmbedded();
  await assertAppSecretUnchanged();
  return opened;
}

async function openEmbedded(): Promise<OpenedDatabase> {
  const directory = resolve(config().data_dir, 'postgres');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const pglite = await openPglite(directory);
  const applied = await migrateEmbeddedDatabase(pglite);
  return { database: await connectEmbeddedDatabase(pglite), applied };
}

/**
 * Migrates an open PGlite. Skips starting the schema engine when all migrations are recorded as
 * applied.
 */
export async function migrateEmbeddedDatabase(pglite: PGlite): Promise<string[]> {
  const names = await listMigrations(MIGRATIONS);
  const known = await pglite
    .query<{ migration_name: string }>('select migration_name from _prisma_migrations where finished_at is not null')
    .then((result) => new Set(result.rows.map((row) => row.migration_name)))
    .catch(() => new Set<string>());
  assertSameMigrationHistory(known, names);
  if (names.every((name) => known.has(name))) return [];
  return applyMigrations(await createPrismaAdapterForPglite(pglite, logMigrationNotice), MIGRATIONS);
}

/** Migrates the database for `npm run migrate`, which does not start the server. */
export async function migrateDatabase(): Promise<string[]> {
  const url = config().database_url;
  if (url) return migrateExternalDatabase(url, MIGRATIONS);
  await finishRestore(resolve(config().data_dir));
  const { applied, database } = await openEmbedded();
  await database.close();
  return applied;
}

/**
 * Reads or creates the master secret of an embedded installation, in a file that only its owner can
 * read. An empty file counts as missing, because an interrupted first start leaves one. If the
 * secret of existing data was lost, opening/secret-check.ts detects the loss.
 */
export async function ensureAppSecret(): Promise<void> {
  if (config().app_secret) return;
  const file = resolve(config().data_dir, 'app-secret');
  await mkdir(resolve(config().data_dir), { recursive: true, mode: 0o700 });
  if (!existsSync(file) || (await readFile(file, 'utf8')).trim() === '') {
    const beside = `${file}.${process.pid}`;
    await writeFile(beside, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
    await rename(beside, file);
  }
  await chmod(file, 0o600);
  setConfig({ app_secret: (await readFile(file, 'utf8')).trim() });
}
