/** `admin backup`: every row of one moment, in a form that an embedded and an external PostgreSQL both take back. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { appSecret, config } from '@/config';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { clock } from '@/shared/clock';
import { type BackupRow, secretCheck, writeBackup } from './backup-file';

const TIMEOUT_MS = 10 * 60_000;
const ROWS_AT_ONCE = 500;

export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly rows: number;
}

/**
 * Writes a backup to an absolute path. The file holds the master secret of an embedded installation, so it is as secret
 * as the installation. Other requests wait while the rows are read from the embedded database (it has one session).
 */
export async function backUp(file: string): Promise<BackupResult> {
  if (!existsSync(resolve(file, '..'))) throw new Error(`There is no folder ${resolve(file, '..')}.`);
  const { migrations, rows } = await systemDb().$transaction(readEverything, {
    isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
    timeout: TIMEOUT_MS,
    maxWait: 60_000,
  });
  const header = {
    created_at: clock().now().toISOString(),
    migrations,
    app_secret: config().database_url || process.env.APP_SECRET ? null : appSecret(),
    app_secret_check: secretCheck(appSecret()),
  };
  return { file, bytes: await writeBackup(file, header, rows), rows: rows.length };
}

async function readEverything(tx: Prisma.TransactionClient): Promise<{ migrations: string[]; rows: BackupRow[] }> {
  const migrations = await tx.$queryRawUnsafe<{ migration_name: string }[]>(
    'select migration_name from _prisma_migrations where finished_at is not null order by migration_name',
  );
  const tables = await tx.$queryRawUnsafe<{ name: string }[]>(
    `select tablename::text as name from pg_tables
     where schemaname = current_schema() and tablename <> '_prisma_migrations' order by tablename`,
  );
  const rows: BackupRow[] = [];
  for (const { name } of tables) await readTable(tx, name, rows);
  return { migrations: migrations.map((row) => row.migration_name), rows };
}

async function readTable(tx: Prisma.TransactionClient, table: string, into: BackupRow[]): Promise<void> {
  await tx.$executeRawUnsafe(
    `declare backup no scroll cursor for select row_to_json(backup_row)::text as json from "${table}" backup_row`,
  );
  for (;;) {
    const page = await tx.$queryRawUnsafe<{ json: string }[]>(`fetch ${ROWS_AT_ONCE} from backup`);
    for (const { json } of page) into.push({ table, json });
    if (page.length < ROWS_AT_ONCE) break;
  }
  await tx.$executeRawUnsafe('close backup');
}
