/**
 * Performs the last step of `admin restore`: moves the restored database into place and keeps the
 * previous one next to it. If the process dies during the step, the next start completes it.
 * Otherwise the next start would find no database and create an empty one.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getIncompleteDatabaseMarkerPath } from '../driver/pglite';

const RESTORED = 'restored-';

/** Returns the folder of a complete restore that is not yet in place. */
export const getPendingRestoreFolder = (data_dir: string, stamp: string): string =>
  join(data_dir, `${RESTORED}${stamp}`);

/**
 * Moves a complete restore into place. Returns the folder of the previous data, or null when there
 * was none or no restore is pending. The caller holds the instance lock.
 */
export async function finishRestore(data_dir: string): Promise<string | null> {
  const name = (await readdir(data_dir).catch(() => [])).find((one) => one.startsWith(RESTORED));
  if (!name) return null;
  const stamp = name.slice(RESTORED.length);
  const restored = getPendingRestoreFolder(data_dir, stamp);
  const aside = join(data_dir, `before-restore-${stamp}`);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  // Files that were already moved are no longer in the folder, so the loop can be interrupted and
  // repeated.
  for (const made of await readdir(restored)) {
    // The mark file of an interrupted first start is moved away together with its database. Next to
    // the restored database, the file would cause that database to be created again.
    for (const old of [made, getIncompleteDatabaseMarkerPath(made)]) {
      if (existsSync(join(data_dir, old))) await rename(join(data_dir, old), join(aside, old));
    }
    await rename(join(restored, made), join(data_dir, made));
  }
  await rmdir(restored);
  if ((await readdir(aside)).length > 0) return aside;
  await rmdir(aside);
  return null;
}
