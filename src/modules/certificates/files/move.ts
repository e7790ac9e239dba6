/**
 * Moves certificates' files between the database and the storage of STORAGE_URL, and removes
 * unreferenced objects. A new file is written to its row, in the row's transaction, and moved
 * afterwards. An unreachable storage therefore blocks neither signatures nor seals. A
 * `stored_objects` row is inserted before the object is written, and the certificate references the
 * object only afterwards. After a crash, every unreferenced object can be found.
 */
import { randomBytes } from 'node:crypto';
import { config, getAppSecret } from '@/config';
import { encryptBytes } from '@/infra/encryption';
import { logger } from '@/infra/logger';
import { isStorageError, storage } from '@/infra/storage/object-store';
import { clock } from '@/shared/clock';
import { fetchFileFromStorage, PDF_ENCRYPTION_PURPOSE } from './read';
import * as repository from './repository';

/** An upload that takes longer than this counts as failed. */
const MAX_UPLOAD_MS = 3_600_000;
const BATCH = 50;
const CONCURRENT_REMOVALS = 8;

export interface StoredFileMoveReport {
  moved: number;
  bytes: number;
  /** Certificates whose files could not be moved, at most a hundred, with the reason. */
  failed: { id: string; reason: string }[];
  /** The id of the last processed certificate. The next call continues after it. */
  after: string;
  /** Whether there may be more certificates whose files have to be moved. */
  more: boolean;
}

/** Moves files for at most `for_ms`. Throws StorageError, which does not undo earlier moves. */
export async function moveCertificateFilesToDatabaseOrStorage(
  to: 'database' | 'storage',
  after: string,
  for_ms: number,
): Promise<StoredFileMoveReport> {
  const until = performance.now() + for_ms;
  const report: StoredFileMoveReport = { moved: 0, bytes: 0, failed: [], after, more: true };
  const stored_in = to === 'storage' ? 'database' : 'storage';
  for (;;) {
    const ids = await repository.listIdsOfCertificatesWithFilesIn(stored_in, report.after, BATCH);
    for (const id of ids) {
      if (performance.now() > until) return report;
      await moveOne(id, to, report);
      report.after = id;
    }
    if (ids.length < BATCH) return { ...report, more: false };
  }
}

async function moveOne(id: string, to: 'database' | 'storage', report: StoredFileMoveReport): Promise<void> {
  for (const column of repository.CERTIFICATE_FILE_COLUMNS) {
    try {
      const bytes = await (to === 'storage' ? moveOut(id, column) : moveBack(id, column));
      if (bytes === null) continue;
      report.moved++;
      report.bytes += bytes;
    } catch (error) {
      if (isStorageError(error) && error.kind !== 'missing') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      if (report.failed.length < 100) report.failed.push({ id, reason: `${column}: ${reason}` });
    }
  }
}

async function moveOut(id: string, column: repository.CertificateFileColumn): Promise<number | null> {
  const place = await repository.findCertificateFileLocationInAllTeams(id, column);
  if (!place?.bytes) return null;
  // The object's name is random, so that it reveals nothing about the guest.
  const key = randomBytes(20).toString('hex');
  await repository.insertStoredObject(key, clock().now());
  const sealed = column === 'pdf' ? encryptBytes(getAppSecret(), PDF_ENCRYPTION_PURPOSE, place.bytes) : place.bytes;
  await storage().put(key, sealed);
  if (await repository.replaceFileBytesWithStorageKey(id, column, key)) return place.bytes.length;
  await repository.setStoredObjectState(key, 'removing');
  return null;
}

async function moveBack(id: string, column: repository.CertificateFileColumn): Promise<number | null> {
  const place = await repository.findCertificateFileLocationInAllTeams(id, column);
  if (!place?.object) return null;
  const bytes = new Uint8Array(await fetchFileFromStorage(column, place.object));
  return (await repository.replaceStorageKeyWithFileBytes(id, column, place.object, bytes)) ? bytes.length : null;
}

/**
 * Removes unreferenced objects. Throws StorageError when the storage is unreachable or an object
 * cannot be removed. In that case the next call continues with other objects.
 */
export async function removeUnreferencedStorageObjects(): Promise<number> {
  let total = 0;
  for (;;) {
    const keys = await repository.listUnreferencedStoredObjects(
      new Date(clock().now().getTime() - MAX_UPLOAD_MS),
      BATCH,
    );
    const left: string[] = [];
    let refusal: unknown;
    for (let from = 0; from < keys.length; from += CONCURRENT_REMOVALS) {
      const some = keys.slice(from, from + CONCURRENT_REMOVALS);
      const results = await Promise.allSettled(some.map((key) => storage().remove(key)));
      const gone: string[] = [];
      for (const [index, key] of some.entries()) {
        const result = results[index];
        if (result?.status === 'fulfilled') gone.push(key);
        else {
          left.push(key);
          refusal ??= result?.reason;
        }
      }
      await repository.deleteStoredObjects(gone);
      if (isStorageError(refusal) && refusal.kind === 'away') break;
    }
    total += keys.length;
    if (left.length > 0) {
      await repository.requeueStorageObjectRemovals(left, clock().now());
      throw refusal;
    }
    if (keys.length < BATCH) return total;
  }
}

/** The time limit of one run. The job runs each minute and continues. */
const RUN_MS = 45_000;

/** Moves files and removes objects. Throws StorageError when the storage is unreachable. */
export async function moveFilesToStorageAndRemoveUnreferenced(): Promise<{
  moved: number;
  bytes: number;
  failed: number;
  removed: number;
}> {
  // A failed move must not prevent removals, because a full storage can still remove objects.
  const [moving, removing] = await Promise.allSettled([
    config().storage_write
      ? moveCertificateFilesToDatabaseOrStorage('storage', '', RUN_MS)
      : { moved: 0, bytes: 0, failed: [] },
    removeUnreferencedStorageObjects(),
  ]);
  if (moving.status === 'rejected') throw moving.reason;
  if (removing.status === 'rejected') throw removing.reason;
  const { moved, bytes, failed } = moving.value;
  return { moved, bytes, failed: failed.length, removed: removing.value };
}

/** Removes objects in the background after a redaction. A failure is retried within a minute. */
export function scheduleStoredObjectRemoval(): void {
  if (!config().storage_url) return;
  removeUnreferencedStorageObjects().catch((error) =>
    logger().warn({ err: error }, 'released files are still in the storage'),
  );
}

/**
 * For `doctor`: checks that an existing object can be read, and that a file can be written, read
 * and removed. Throws an Error that describes the problem.
 */
export async function checkStorageReadAndWriteAccess(): Promise<void> {
  const stored_key = await repository.findAnyStoredObjectKey();
  if (stored_key) {
    await storage()
      .get(stored_key)
      .catch((error) => {
        if (!isStorageError(error) || error.kind !== 'missing') throw error;
        throw new Error(
          `${error.message} It is one of ours: STORAGE_URL names another bucket or folder, or it was lost.`,
        );
      });
  }
  const key = `probe-${randomBytes(12).toString('hex')}`;
  const bytes = randomBytes(1024);
  await repository.insertStoredObject(key, clock().now());
  await storage().put(key, bytes);
  const same = (await storage().get(key)).equals(bytes);
  await storage().remove(key);
  await repository.setStoredObjectState(key, 'removing');
  await repository.deleteStoredObjects([key]);
  if (!same) throw new Error('The storage returned different data than it stored.');
}

export const countStoredFiles = repository.countStoredObjects;
