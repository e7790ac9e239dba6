/**
 * Implements `admin storage move`: moves existing files, for a few seconds at a time, in the
 * process that has the database open.
 */
import { config } from '@/config';
import {
  moveCertificateFilesToDatabaseOrStorage,
  removeUnreferencedStorageObjects,
  type StoredFileMoveReport,
} from '@/modules/certificates/files/move';

/** Duration of one call, which is short enough to show progress. */
const CALL_MS = 5_000;
const MEGABYTE = 1e6;

/** Performs one part of the move, in the process that has the database open. */
export async function moveStoredFileBatch(to: 'database' | 's3', after: string): Promise<StoredFileMoveReport> {
  const { storage_url, storage_write } = config();
  if (!storage_url) throw new Error('STORAGE_URL is not set: there is no storage to move from or to.');
  if (to === 's3' && !storage_write) throw new Error('STORAGE_URL has write=off: nothing is moved there.');
  if (to === 'database' && storage_write) {
    throw new Error(
      'The server would move the files back. Add write=off to STORAGE_URL, restart the server, then run this again.',
    );
  }
  const report = await moveCertificateFilesToDatabaseOrStorage(to === 's3' ? 'storage' : 'database', after, CALL_MS);
  if (!report.more) await removeUnreferencedStorageObjects();
  return report;
}

export interface StorageMoveResult {
  to: string;
  moved: number;
  bytes: number;
  failed: StoredFileMoveReport['failed'];
  ok: boolean;
}

/** Repeats calls until no file is left, and reports progress on stderr. */
export async function moveAllStoredFiles(
  to: 'database' | 's3',
  after: string,
  call: (after: string) => Promise<StoredFileMoveReport>,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Promise<StorageMoveResult> {
  const result = { to, moved: 0, bytes: 0, failed: [] as StoredFileMoveReport['failed'] };
  for (let from = after; ; ) {
    const report = await call(from);
    result.moved += report.moved;
    result.bytes += report.bytes;
    result.failed.push(...report.failed);
    if (!report.more) return { ...result, ok: result.failed.length === 0 };
    from = report.after;
    write(`moved: ${result.moved} files, ${(result.bytes / MEGABYTE).toFixed(1)} MB, after ${from}\n`);
  }
}
