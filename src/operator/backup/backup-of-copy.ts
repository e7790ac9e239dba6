/**
 * The second half of a backup of a running embedded server: reads the copy that the server created
 * (backup-copy.ts).
 */
import { readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { config } from '@/config';
import { closeDatabase } from '@/infra/db/client';
import { connectEmbeddedDatabase } from '@/infra/db/driver/connect';
import { openPglite } from '@/infra/db/driver/pglite';
import { ensureAppSecret } from '@/infra/db/open';
import { getProcessLiveness } from '@/infra/process/process-identity';
import { createProgressReporter } from '../progress';
import { type BackupResult, writeBackup } from './backup';
import type { EmbeddedDatabaseCopy } from './backup-copy';

const LEFT = /^backup-copy-(\d+)$/;

export async function writeBackupFromDatabaseCopy(
  file: string,
  { copy, waited_ms }: EmbeddedDatabaseCopy,
): Promise<BackupResult & { waited_ms: number }> {
  // The copy's new name contains this process's id. The server can then create another copy, and
  // later commands can detect whether this copy is in use.
  const own = `${copy}-${process.pid}`;
  await rename(copy, own);
  try {
    await ensureAppSecret();
    await connectEmbeddedDatabase(await openPglite(own));
    return { ...(await writeBackup(file, createProgressReporter('written'))), waited_ms };
  } finally {
    await closeDatabase();
    await rm(own, { recursive: true, force: true });
  }
}

/**
 * Removes copies that killed commands left behind, because these may contain data that has since
 * been deleted.
 */
export async function removeLeftoverBackupCopies(): Promise<void> {
  const data_dir = resolve(config().data_dir);
  for (const name of await readdir(data_dir).catch(() => [])) {
    const pid = LEFT.exec(name)?.[1];
    if (pid && getProcessLiveness({ pid: Number(pid), start: null }) === 'no')
      await rm(join(data_dir, name), { recursive: true, force: true });
  }
}
