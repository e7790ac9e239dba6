/**
 * The last step of `admin restore`: what was restored takes the place of what is there, which is kept beside it. A process that dies
 * within leaves it to the next start, which would else find no database and make an empty one.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unfinishedMark } from '../driver/pglite';

const RESTORED = 'restored-';

/** The folder in which what is whole waits for its place. */
export const restoredFolder = (data_dir: string, stamp: string): string => join(data_dir, `${RESTORED}${stamp}`);

/** Says where what was there before is kept; null when nothing was, or nothing waits. The caller holds the instance lock. */
export async function finishRestore(data_dir: string): Promise<string | null> {
  const name = (await readdir(data_dir).catch(() => [])).find((one) => one.startsWith(RESTORED));
  if (!name) return null;
  const stamp = name.slice(RESTORED.length);
  const restored = restoredFolder(data_dir, stamp);
  const aside = join(data_dir, `before-restore-${stamp}`);
  await mkdir(aside, { recursive: true, mode: 0o700 });
  // What has its place already is in the folder no more, so that each may be the last that was done.
  for (const made of await readdir(restored)) {
    // With the mark of a first start that was cut off: beside what is restored it would have that made anew.
    for (const old of [made, unfinishedMark(made)]) {
      if (existsSync(join(data_dir, old))) await rename(join(data_dir, old), join(aside, old));
    }
    await rename(join(restored, made), join(data_dir, made));
  }
  await rmdir(restored);
  if ((await readdir(aside)).length > 0) return aside;
  await rmdir(aside);
  return null;
}
