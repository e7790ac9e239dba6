/**
 * Copies the embedded database while a server has it open, so that a backup can read the copy. The
 * embedded database has one session, so reading through it would block requests during the whole
 * backup. Most files are copied while requests run. Then the files that have changed are copied
 * again. Only this second copy blocks other queries, so that the result is consistent.
 */
import { constants, type Stats } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { config } from '@/config';
import { database } from '@/infra/db/client';

/**
 * Maximum time for which requests may be blocked. It is shorter than the 15 s for which their
 * queries wait (driver/connect.ts).
 */
const WAIT_MS = 10_000;
/** Two writes within this time may leave a file with the same modification time. */
const CLOCK_TICK_MS = 2_000;
const COPY = 'backup-copy';

export interface EmbeddedDatabaseCopy {
  readonly copy: string;
  /** The time for which other queries were blocked. */
  readonly waited_ms: number;
}

let copying: Promise<EmbeddedDatabaseCopy> | null = null;

/**
 * Copies the open database's files to `DATA_DIR/backup-copy`. The caller removes them. Throws when
 * requests would be blocked too long.
 */
export function copyEmbeddedDatabase(): Promise<EmbeddedDatabaseCopy> {
  if (copying) throw new Error('Another backup is copying the database. Try again in a moment.');
  copying = copyFiles().finally(() => {
    copying = null;
  });
  return copying;
}

async function copyFiles(): Promise<EmbeddedDatabaseCopy> {
  const { pglite } = database();
  if (!pglite) throw new Error('The embedded database is not open here.');
  const from = resolve(config().data_dir, 'postgres');
  const copy = resolve(config().data_dir, COPY);
  await rm(copy, { recursive: true, force: true });
  const tree = new CopiedTree(from, copy);
  try {
    await pglite.query('checkpoint');
    await tree.bring();
    const waited_ms = await pglite.transaction(async (tx) => {
      const started = performance.now();
      await tx.query('checkpoint');
      const in_time = await Promise.race([tree.bring().then(() => true), sleep(WAIT_MS, false, { ref: false })]);
      return in_time ? Math.round(performance.now() - started) : null;
    });
    if (waited_ms !== null) return { copy, waited_ms };
    throw new Error(
      `What changed during the copying could not be copied within ${WAIT_MS / 1000} s, and requests wait meanwhile. ` +
        'Try when less is written, or stop the server and back up then.',
    );
  } catch (error) {
    await tree.stop();
    await rm(copy, { recursive: true, force: true });
    throw error;
  }
}

/** A copy of a folder that is updated file by file. */
class CopiedTree {
  readonly #copied = new Map<string, { stats: Stats; at: number }>();
  #stopped = false;
  #bringing: Promise<void> = Promise.resolve();

  constructor(
    private readonly from: string,
    private readonly to: string,
  ) {}

  /** Copies new and changed files, and removes deleted files from the copy. */
  bring(): Promise<void> {
    this.#bringing = this.#bring();
    return this.#bringing;
  }

  /** Stops copying. Resolves when the current file is copied. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#bringing.catch(() => {});
  }

  async #bring(): Promise<void> {
    await mkdir(this.to, { recursive: true, mode: 0o700 });
    const present = new Set<string>();
    for (const name of await readdir(this.from, { recursive: true })) {
      if (this.#stopped) return;
      present.add(name);
      // During the first copy, the database may remove files.
      await this.#bringOne(name).catch((error) => {
        if (error.code !== 'ENOENT') throw error;
        present.delete(name);
      });
    }
    for (const name of this.#copied.keys()) {
      if (present.has(name)) continue;
      await rm(join(this.to, name), { recursive: true, force: true });
      this.#copied.delete(name);
    }
  }

  async #bringOne(name: string): Promise<void> {
    const stats = await lstat(join(this.from, name));
    if (stats.isDirectory()) {
      await mkdir(join(this.to, name), { recursive: true, mode: 0o700 });
      this.#copied.set(name, { stats, at: 0 });
      return;
    }
    const before = this.#copied.get(name);
    if (before && before.stats.size === stats.size && before.stats.mtimeMs === stats.mtimeMs) {
      if (stats.mtimeMs < before.at - CLOCK_TICK_MS) return;
    }
    const at = Date.now();
    // Uses copy-on-write where the file system supports it.
    await copyFile(join(this.from, name), join(this.to, name), constants.COPYFILE_FICLONE);
    this.#copied.set(name, { stats, at });
  }
}
