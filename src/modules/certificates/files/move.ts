/**
 * Moves certificates' files between the database and the storage of STORAGE_URL, and removes what nothing refers to any more.
 *
 * A file is always written with its row, in the row's own transaction, and moved out afterwards: a storage that is away holds up no
 * signature and no seal. The object is there before the row names it, and a row of its own tells of it before it is there, so
 * that whoever dies in between leaves nothing that is not found again.
 */
import { randomBytes } from 'node:crypto';
import { appSecret, config } from '@/config';
import { encryptBytes } from '@/infra/encryption';
import { logger } from '@/infra/logger';
import { isStorageError, storage } from '@/infra/storage/object-store';
import { clock } from '@/shared/clock';
import { fetchFile, PDF_PURPOSE } from './read';
import * as repository from './repository';

/** Longer than anybody writes one. */
const WRITING_MS = 3_600_000;
const AT_ONCE = 50;
/** Removals under way at a time. */
const REMOVALS = 8;

export interface MoveReport {
  moved: number;
  bytes: number;
  /** Certificates whose files could not be moved, each with the reason; at most a hundred are named. */
  failed: { id: string; reason: string }[];
  /** The last certificate that was looked at: the next call goes on after it. */
  after: string;
  /** Whether there may be more. */
  more: boolean;
}

/** Moves files for so long at most. Throws StorageError when the storage is away or refuses; what was moved stays moved. */
export async function moveFiles(to: 'database' | 'storage', after: string, for_ms: number): Promise<MoveReport> {
  const until = performance.now() + for_ms;
  const report: MoveReport = { moved: 0, bytes: 0, failed: [], after, more: true };
  const lie_in = to === 'storage' ? 'database' : 'storage';
  for (;;) {
    const ids = await repository.findWithFiles(lie_in, report.after, AT_ONCE);
    for (const id of ids) {
      if (performance.now() > until) return report;
      await moveOne(id, to, report);
      report.after = id;
    }
    if (ids.length < AT_ONCE) return { ...report, more: false };
  }
}

async function moveOne(id: string, to: 'database' | 'storage', report: MoveReport): Promise<void> {
  for (const column of repository.FILE_COLUMNS) {
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

async function moveOut(id: string, column: repository.FileColumn): Promise<number | null> {
  const place = await repository.findPlaceAnywhere(id, column);
  if (!place?.bytes) return null;
  // The name says nothing of whose it is.
  const key = randomBytes(20).toString('hex');
  await repository.insertObject(key, clock().now());
  const sealed = column === 'pdf' ? encryptBytes(appSecret(), PDF_PURPOSE, place.bytes) : place.bytes;
  await storage().put(key, sealed);
  if (await repository.storeObject(id, column, key)) return place.bytes.length;
  await repository.setState(key, 'removing');
  return null;
}

async function moveBack(id: string, column: repository.FileColumn): Promise<number | null> {
  const place = await repository.findPlaceAnywhere(id, column);
  if (!place?.object) return null;
  const bytes = new Uint8Array(await fetchFile(column, place.object));
  return (await repository.storeBytes(id, column, place.object, bytes)) ? bytes.length : null;
}

/**
 * Removes the objects that nothing refers to any more. Throws StorageError when the storage is away, or one may not be removed: the
 * next call goes on with the others.
 */
export async function removeReleased(): Promise<number> {
  let total = 0;
  for (;;) {
    const keys = await repository.takeReleased(new Date(clock().now().getTime() - WRITING_MS), AT_ONCE);
    const left: string[] = [];
    let refusal: unknown;
    for (let from = 0; from < keys.length; from += REMOVALS) {
      const some = keys.slice(from, from + REMOVALS);
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
      await repository.deleteObjects(gone);
      if (isStorageError(refusal) && refusal.kind === 'away') break;
    }
    total += keys.length;
    if (left.length > 0) {
      await repository.putLast(left, clock().now());
      throw refusal;
    }
    if (keys.length < AT_ONCE) return total;
  }
}

/** For so long a minute's run goes on: the next one takes what is left. */
const RUN_MS = 45_000;

/** What a storage needs each minute. Throws StorageError when it is away. */
export async function storeFiles(): Promise<{ moved: number; bytes: number; failed: number; removed: number }> {
  // Neither waits for the other: a storage that takes nothing more may still remove, and the other way round.
  const [moving, removing] = await Promise.allSettled([
    config().storage_write ? moveFiles('storage', '', RUN_MS) : { moved: 0, bytes: 0, failed: [] },
    removeReleased(),
  ]);
  if (moving.status === 'rejected') throw moving.reason;
  if (removing.status === 'rejected') throw removing.reason;
  const { moved, bytes, failed } = moving.value;
  return { moved, bytes, failed: failed.length, removed: removing.value };
}

/** The same at once and in the background, after something was redacted; what fails is done within a minute. */
export function removeReleasedSoon(): void {
  if (!config().storage_url) return;
  removeReleased().catch((error) =>
    logger().warn({ err: error }, 'files that were let go of are still in the storage'),
  );
}

/** Throws with a sentence unless the storage has what lies there, takes a file, gives it back and removes it. For `doctor`. */
export async function tryStorage(): Promise<void> {
  const there = await repository.findAnyObject();
  if (there) {
    await storage()
      .get(there)
      .catch((error) => {
        if (!isStorageError(error) || error.kind !== 'missing') throw error;
        throw new Error(
          `${error.message} It is one of ours: STORAGE_URL names another bucket or folder, or it was lost.`,
        );
      });
  }
  const key = `probe-${randomBytes(12).toString('hex')}`;
  const bytes = randomBytes(1024);
  await repository.insertObject(key, clock().now());
  await storage().put(key, bytes);
  const same = (await storage().get(key)).equals(bytes);
  await storage().remove(key);
  await repository.setState(key, 'removing');
  await repository.deleteObjects([key]);
  if (!same) throw new Error('The storage gave back something else than it took.');
}

export const filesInStorage = repository.countObjects;
