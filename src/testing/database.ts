/**
 * A real PostgreSQL for a test file: PGlite in memory, started from a dump of the migrated database that is made once
 * per state of the migrations and kept under node_modules/.cache. With TEST_DATABASE_URL the tests run on an
 * external server instead, in a schema of their own.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { setConfig } from '@/config';
import { closeDatabase, connectEmbedded, type Database } from '@/infra/db/client';
import { listMigrations } from '@/infra/db/migrations';
import { migrateEmbedded } from '@/infra/db/open';

const MIGRATIONS = join(process.cwd(), 'prisma/migrations');
const CACHE = join(process.cwd(), 'node_modules/.cache/threshold');

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of await listMigrations(MIGRATIONS)) {
    hash.update(name).update(await readFile(join(MIGRATIONS, name, 'migration.sql')));
  }
  return hash.digest('hex').slice(0, 16);
}

async function migratedDump(): Promise<Blob> {
  const file = join(CACHE, `template-${await migrationsHash()}.tar`);
  if (!existsSync(file)) {
    const pglite = new PGlite();
    await migrateEmbedded(pglite);
    const dump = await pglite.dumpDataDir('none');
    await pglite.close();
    await mkdir(CACHE, { recursive: true });
    // Two test processes may make it at once: write beside, then rename.
    const scratch = `${file}.${process.pid}`;
    await writeFile(scratch, Buffer.from(await dump.arrayBuffer()));
    await rename(scratch, file);
  }
  return new Blob([await readFile(file)]);
}

/** Opens a fresh, migrated, empty database and installs it as the process's. Close it with `closeTestDatabase`. */
export async function openTestDatabase(): Promise<Database> {
  setConfig({ app_secret: 'test-secret-test-secret-test-secret', log_level: 'warn', outbound_allow_loopback: true });
  const pglite = new PGlite({ loadDataDir: await migratedDump() });
  await pglite.waitReady;
  return connectEmbedded(pglite);
}

/** Closes what `openTestDatabase` opened. */
export async function closeTestDatabase(): Promise<void> {
  await closeDatabase();
}
