/**
 * Implements `admin restore`. A backup replaces the embedded database, and the previous database is
 * kept next to it. An external PostgreSQL must have no teams, and the backup is loaded into it. A
 * backup of either kind can be restored into the other.
 */
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { config, setConfig } from '@/config';
import { closeDatabase, database, systemDb } from '@/infra/db/client';
import { connectEmbeddedDatabase, connectExternalDatabase } from '@/infra/db/driver/connect';
import { createPrismaAdapterForPglite } from '@/infra/db/driver/embedded-adapter';
import { openPglite } from '@/infra/db/driver/pglite';
import { runInSingleTransaction, type StatementRunner } from '@/infra/db/one-session';
import { withPrismaMigrationAdapterFactory } from '@/infra/db/opening/external-migrations';
import { finishRestore, getPendingRestoreFolder } from '@/infra/db/opening/finish-restore';
import { applyMigrations, listMigrations, logMigrationNotice } from '@/infra/db/opening/migrations';
import { isBehindPooler } from '@/infra/db/opening/pooler';
import { waitUntilCheckpointIsStoredExternally } from '@/modules/public-log/known-checkpoint';
import { startEpochIfLogDiverged } from '@/modules/public-log/service';
import { clock } from '@/shared/clock';
import type { BackupHeader, BackupProgressListener, DatabaseRowInBackup } from './archive';
import { hashAppSecretForBackupCheck } from './backup';
import { runWithVerifiedBackupRows } from './check';

const MIGRATIONS = join(process.cwd(), 'prisma/migrations');
/** Number of bytes that a restore into the embedded database writes between checkpoints. */
const CHECKPOINT_BYTES = 64 * 1024 * 1024;
type Batches = AsyncIterable<readonly DatabaseRowInBackup[]>;

export interface RestoreResult {
  readonly rows: number;
  readonly created_at: string;
  /** The folder with the previous data. Null when there was none. */
  readonly replaced: string | null;
  /**
   * The restore statement that begins a new epoch of the public log and declares the lost entries.
   * Null when the log continues in its epoch.
   */
  readonly log: string | null;
}

/**
 * Begins a new epoch of the public log if the restore lost entries or no newer checkpoint is known,
 * because the log must never sign two different trees under one name. Returns the restore statement
 * of the new epoch, or null when the log continues.
 */
async function restartLog(): Promise<string | null> {
  const statement = await startEpochIfLogDiverged({ restored: true });
  await waitUntilCheckpointIsStoredExternally();
  return statement;
}

/**
 * Restores into DATA_DIR. The caller holds the instance lock. Reads the whole file before writing
 * anything. If the file cannot be restored, throws a one-line message and changes nothing.
 */
export function restoreBackupIntoEmbeddedDatabase(
  file: string,
  on_progress: BackupProgressListener = () => {},
): Promise<RestoreResult> {
  return runWithVerifiedBackupRows(file, on_progress, async (header, batches) => {
    const given = process.env.APP_SECRET;
    if (!given && !header.app_secret) {
      throw new Error('The backup contains no master secret. Set APP_SECRET to the one it was created with.');
    }
    assertSecret(header, given || (header.app_secret ?? ''));
    const data_dir = resolve(config().data_dir);
    await finishRestore(data_dir);
    const scratch = join(data_dir, 'postgres.restoring');
    await rm(scratch, { recursive: true, force: true });
    await mkdir(scratch, { mode: 0o700 });
    let rows: number;
    let log: RestoreResult['log'];
    try {
      const pglite = await openPglite(join(scratch, 'postgres'));
      await applyBackupMigrations(await createPrismaAdapterForPglite(pglite, logMigrationNotice), header);
      await connectEmbeddedDatabase(pglite);
      rows = await load(batches);
      await applyMigrations(await createPrismaAdapterForPglite(pglite, logMigrationNotice), MIGRATIONS);
      setConfig({ app_secret: given || (header.app_secret ?? undefined) });
      log = await restartLog();
      await closeDatabase();
    } catch (error) {
      await closeDatabase();
      await rm(scratch, { recursive: true, force: true });
      throw error;
    }
    if (!given) await writeFile(join(scratch, 'app-secret'), header.app_secret ?? '', { mode: 0o600, flush: true });
    const stamp = clock().now().toISOString().replace(/\D/g, '').slice(0, 14);
    await rename(scratch, getPendingRestoreFolder(data_dir, stamp));
    return { rows, created_at: header.created_at, replaced: await finishRestore(data_dir), log };
  });
}

/**
 * Restores into an external database without teams. If it has teams or the file cannot be restored,
 * throws a one-line message and changes nothing.
 */
export async function restoreExternalBackup(
  file: string,
  on_progress: BackupProgressListener = () => {},
): Promise<RestoreResult> {
  const url = config().database_url;
  if (!url) throw new Error('DATABASE_URL is not set.');
  const secret = process.env.APP_SECRET ?? '';
  if (!secret)
    throw new Error('APP_SECRET is required with DATABASE_URL. Set it to the one the backup was created with.');
  return runWithVerifiedBackupRows(file, on_progress, async (header, batches) => {
    assertSecret(header, secret);
    connectExternalDatabase(url, { pooled: await isBehindPooler(url) });
    try {
      await assertEmpty();
      await withPrismaMigrationAdapterFactory(url, (factory) => applyBackupMigrations(factory, header));
      const rows = await load(batches);
      await withPrismaMigrationAdapterFactory(url, (factory) => applyMigrations(factory, MIGRATIONS));
      return { rows, created_at: header.created_at, replaced: null, log: await restartLog() };
    } finally {
      await closeDatabase();
    }
  });
}

function assertSecret(header: BackupHeader, secret: string): void {
  if (hashAppSecretForBackupCheck(secret) === header.app_secret_check) return;
  throw new Error('APP_SECRET is not the one this backup was made with: what it encrypted could not be read.');
}

async function assertEmpty(): Promise<void> {
  const tables = await systemDb().$queryRawUnsafe<{ found: boolean }[]>(
    `select to_regclass('teams') is not null as found`,
  );
  if (!tables[0]?.found) return;
  if ((await systemDb().team.count()) > 0) {
    throw new Error('The database already holds teams. Restore into an empty one, so that nothing is overwritten.');
  }
}

/** Applies only the migrations that the backup lists. */
async function applyBackupMigrations(
  factory: SqlMigrationAwareDriverAdapterFactory,
  header: BackupHeader,
): Promise<void> {
  const known = new Set(await listMigrations(MIGRATIONS));
  const unknown = header.migrations.find((name) => !known.has(name));
  if (unknown) throw new Error(`The backup was made by a newer version of Threshold (${unknown}).`);
  const folder = await mkdtemp(join(tmpdir(), 'threshold-migrations-'));
  try {
    for (const name of header.migrations) await cp(join(MIGRATIONS, name), join(folder, name), { recursive: true });
    await applyMigrations(factory, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Loads all rows in one transaction. Foreign keys are dropped first, so that tables can be loaded
 * in any order. Adding them again checks every row.
 */
function load(batches: Batches): Promise<number> {
  return runInSingleTransaction('read committed', async (run) => {
    const keys = await run<{ table: string; name: string; definition: string }>(
      `select conrelid::regclass::text as "table", conname::text as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`,
    );
    for (const key of keys) await run(`alter table ${key.table} drop constraint "${key.name}"`);
    let rows = 0;
    let unwritten = 0;
    for await (const batch of batches) {
      const bytes = await insert(run, batch);
      rows += batch.length;
      unwritten += bytes;
      // Checkpoints are made here, because `startWalCheckpoints` waits for
      // the end of the transaction.
      // Without them the log would grow to the size of the data.
      if (!database().pglite || unwritten < CHECKPOINT_BYTES) continue;
      await run('checkpoint');
      unwritten = 0;
    }
    for (const key of keys) {
      await run(`alter table ${key.table} add constraint "${key.name}" ${key.definition}`);
    }
    return rows;
  });
}

/** Inserts the rows. Returns the size of the statement's text. */
async function insert(run: StatementRunner, batch: readonly DatabaseRowInBackup[]): Promise<number> {
  const table = batch[0]?.table;
  const text = `[${batch.map((row) => row.json).join(',')}]`;
  await run(`insert into "${table}" select * from json_populate_recordset(null::"${table}", $1::text::json)`, [text]);
  return text.length;
}
