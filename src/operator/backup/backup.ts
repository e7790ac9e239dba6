/**
 * Implements `admin backup`: a snapshot of every row, in a format that both an embedded and an
 * external PostgreSQL can restore.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { config, getAppSecret } from '@/config';
import { runInSingleTransaction, type StatementRunner } from '@/infra/db/one-session';
import { insertFilesIntoJson, type JsonWithInlinedFiles } from '@/modules/certificates/files/inline';
import { clock } from '@/shared/clock';
import { BackupArchiveWriter, type BackupProgressListener } from './archive';

/** Number of files that are fetched from the storage at the same time. */
const FILES_AHEAD = 8;
/**
 * Tables that a backup omits. `stored_objects` describes the bucket and not the data: files in a
 * storage are backed up as if they were in the database. `activity_counts` is computed again from
 * the restored events.
 */
const NOT_IN_A_BACKUP = ['_prisma_migrations', 'stored_objects', 'activity_counts'];

/** Maximum bytes of a query result, unless a single row is larger. */
const BATCH_BYTES = 1024 * 1024;
const ADDRESSES_AT_ONCE = 5000;

const PG_DUMP_NOTE =
  'For an external PostgreSQL of many gigabytes, for backups on a schedule and for going back to any moment, pg_dump or ' +
  'the archive of your provider is the better tool: faster, in parallel, and without this one long transaction, which ' +
  'keeps vacuum waiting. This file is for moving between an embedded and an external database, and for a copy that ' +
  'needs nothing but Threshold.';

export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
  /**
   * Certificates whose files were missing from the storage of STORAGE_URL, or were redacted during
   * the backup.
   */
  readonly missing_files?: readonly string[];
  /** Recommends a better tool for this database, if there is one. */
  readonly note?: string;
}

/**
 * Writes a backup of the open database to an absolute path, encrypted with BACKUP_PASSPHRASE when
 * set. The file contains the master secret of an embedded installation and must be protected like
 * the installation itself. Memory use is about a megabyte for any amount of data.
 */
export async function writeBackup(file: string, on_progress: BackupProgressListener = () => {}): Promise<BackupResult> {
  if (!existsSync(resolve(file, '..'))) throw new Error(`There is no folder ${resolve(file, '..')}.`);
  const missing_files: string[] = [];
  const written = await runInSingleTransaction('snapshot', (run) =>
    writeEverything(run, file, missing_files, on_progress),
  );
  return {
    file,
    ...written,
    ...(missing_files.length > 0 && { missing_files }),
    ...(config().database_url && { note: PG_DUMP_NOTE }),
  };
}

async function writeEverything(
  run: StatementRunner,
  file: string,
  missing: string[],
  on_progress: BackupProgressListener,
) {
  const migrations = await run<{ migration_name: string }>(
    'select migration_name from _prisma_migrations where finished_at is not null order by migration_name',
  );
  const tables = await run<{ name: string }>(
    `select tablename::text as name from pg_tables
     where schemaname = current_schema() and tablename <> all ($1::text[]) order by tablename`,
    [NOT_IN_A_BACKUP],
  );
  const header = {
    created_at: clock().now().toISOString(),
    migrations: migrations.map((row) => row.migration_name),
    app_secret: config().database_url || process.env.APP_SECRET ? null : getAppSecret(),
    app_secret_check: hashAppSecretForBackupCheck(getAppSecret()),
  };
  const options = { passphrase: config().backup_passphrase, on_progress };
  return BackupArchiveWriter.write(file, header, options, async (writer) => {
    for (const { name } of tables) await writeTable(run, name, missing, writer);
  });
}

/** Returns a one-way check value of a secret. */
export function hashAppSecretForBackupCheck(secret: string): string {
  return createHash('sha256').update(`threshold-backup\0${secret}`).digest('hex');
}

/**
 * Writes the rows of a table. First reads each row's address (`ctid`) and size, and then the rows
 * in batches of limited size. A row's address does not change within the transaction's snapshot.
 */
async function writeTable(
  run: StatementRunner,
  table: string,
  missing: string[],
  writer: BackupArchiveWriter,
): Promise<void> {
  await run(
    `declare backup no scroll cursor for select ctid::text as address, ${await sizeOf(run, table)} as bytes from "${table}"`,
  );
  for (;;) {
    const addresses = await run<Address>(`fetch ${ADDRESSES_AT_ONCE} from backup`);
    for (const batch of bySize(addresses)) {
      const rows = await run<{ json: string }>(
        `select row_to_json(backup_row)::text as json from "${table}" backup_row where ctid = any($1::text[]::tid[])`,
        [batch],
      );
      if (rows.length !== batch.length) throw new Error(`${batch.length - rows.length} rows of ${table} went missing.`);
      if (table === 'signatures') await writeWithFiles(rows, missing, writer);
      else for (const { json } of rows) await writer.add({ table, json });
    }
    if (addresses.length < ADDRESSES_AT_ONCE) break;
  }
  await run('close backup');
}

/**
 * Writes certificates with their files, which are in the database or in a storage. Fetches several
 * files while one is written.
 */
async function writeWithFiles(rows: readonly { json: string }[], missing: string[], writer: BackupArchiveWriter) {
  const ahead: Promise<JsonWithInlinedFiles>[] = [];
  for (let next = 0; next < rows.length || ahead.length > 0; ) {
    while (next < rows.length && ahead.length < FILES_AHEAD) {
      const fetched = insertFilesIntoJson(rows[next++]?.json ?? '');
      // Prevents an unhandled rejection. The error is thrown when the file is awaited below.
      fetched.catch(() => {});
      ahead.push(fetched);
    }
    const { json, lost } = (await ahead.shift()) as JsonWithInlinedFiles;
    await writer.add({ table: 'signatures', json });
    missing.push(...lost);
  }
}

interface Address {
  readonly address: string;
  readonly bytes: number;
}

/**
 * Returns an SQL expression for the approximate size of a row's JSON. In JSON each byte of a
 * `bytea` takes two hexadecimal digits.
 */
async function sizeOf(run: StatementRunner, table: string): Promise<string> {
  const columns = await run<{ name: string; type: string }>(
    `select attname::text as name, atttypid::regtype::text as type from pg_attribute
     where attrelid = $1::text::regclass and attnum > 0 and not attisdropped`,
    [`"${table}"`],
  );
  const sizes = columns.map(({ name, type }) => {
    if (type === 'bytea') return `coalesce(2 * octet_length("${name}"), 0)`;
    if (type === 'text') return `coalesce(octet_length("${name}"), 0)`;
    if (type === 'jsonb') return `coalesce(octet_length("${name}"::text), 0)`;
    return `coalesce(pg_column_size("${name}"), 0)`;
  });
  return `(${[...sizes, '0'].join(' + ')})::int`;
}

function* bySize(addresses: readonly Address[]): Generator<string[]> {
  let batch: string[] = [];
  let bytes = 0;
  for (const { address, bytes: own } of addresses) {
    if (batch.length > 0 && bytes + own > BATCH_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(address);
    bytes += own;
  }
  if (batch.length > 0) yield batch;
}
