/**
 * Opens the embedded PostgreSQL. Everything except a test's own database opens it here (a rule of
 * .dependency-cruiser.cjs).
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';
import { logger } from '../../logger';

/**
 * Prevents PostgreSQL from starting checkpoints by itself, which it does when its write-ahead log
 * reaches half of max_wal_size. In a single process that happens inside the commit that filled the
 * log. The checkpoint waits until no commit runs, so it waited for itself, and the process hung
 * after 530 MB. With this limit it never happens. `startLogCheckpoints` makes checkpoints in time.
 */
const NO_CHECKPOINT_BY_ITSELF = ['-c', 'max_wal_size=1TB'];
const CLOSE_WITHIN_MS = 10_000;

/**
 * Created by the build (scripts/build-empty-database.mjs). Without it PGlite creates one, which
 * takes seconds and 400 MB more memory.
 */
const EMPTY_DATABASE = 'build/database/empty.tar.gz';

/**
 * The size of the page cache. PostgreSQL's default of 128 MB would be allocated at once (130 MB
 * more memory). It is no faster at 100,000 reservations, because the operating system caches the
 * files anyway.
 */
const BUFFERS = ['-c', 'shared_buffers=16MB'];

/**
 * Opens the database of a folder, creating it when the folder is empty. Without a folder the
 * database is in memory.
 */
export async function openPglite(directory?: string, options: PGliteOptions = {}): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  const startParams = [...PGlite.defaultStartParams, ...NO_CHECKPOINT_BY_ITSELF, ...BUFFERS];
  const create = (more?: PGliteOptions) =>
    PGlite.create({ ...more, ...options, ...(directory && { dataDir: directory }), startParams });
  return closingInOrder(directory ? await openFolder(directory, create) : await create());
}

/**
 * Returns the path of a mark file, which exists next to a database's folder until the database is
 * complete.
 */
export const getUnfinishedMarkPath = (directory: string): string => `${directory}.unfinished`;

/**
 * Opens the database of a folder. A process that dies while it creates a database leaves a folder
 * that looks complete and cannot be opened. Therefore a mark file exists next to the folder until
 * the database is complete. A folder with the mark was never used, and is created again.
 */
async function openFolder(directory: string, create: (more?: PGliteOptions) => Promise<PGlite>): Promise<PGlite> {
  const mark = getUnfinishedMarkPath(directory);
  if (existsSync(mark)) await rm(directory, { recursive: true, force: true });
  else if (existsSync(join(directory, 'PG_VERSION'))) return create();
  await mkdir(dirname(directory), { recursive: true });
  await writeFile(mark, '');
  const empty = await readFile(join(process.cwd(), EMPTY_DATABASE)).catch(() => null);
  const database = await create(empty ? { loadDataDir: new Blob([empty]) } : {});
  await rm(mark);
  return database;
}

/** Loads PGlite's encoder of protocol messages. */
export const loadWireProtocol = async () => (await import('@electric-sql/pglite')).protocol;

/**
 * Makes closing safe, because PGlite loops forever when it is closed during a query. Closing waits
 * for running queries and refuses new ones. Queries that do not end in time are abandoned as in a
 * crash, and the next start recovers.
 */
function closingInOrder(pglite: PGlite): PGlite {
  const under_way = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;
  let refusing = false;
  const run = pglite._runExclusiveTransaction.bind(pglite);
  const close = pglite.close.bind(pglite);
  return Object.assign(pglite, {
    // Every query and transaction passes through here, including prepared ones
    // (embedded-statements.ts).
    _runExclusiveTransaction: <Result>(work: () => Promise<Result>): Promise<Result> => {
      if (refusing) return Promise.reject(new Error('The database is being closed.'));
      const result = run(work);
      under_way.add(result);
      const over = () => void under_way.delete(result);
      result.then(over, over);
      return result;
    },
    close: () => {
      closing ??= (async () => {
        // Lets calls made before `close` enter the queue.
        await turn();
        refusing = true;
        await Promise.race([Promise.allSettled(under_way), sleep(CLOSE_WITHIN_MS, null, { ref: false })]);
        if (under_way.size === 0) await close();
      })();
      return closing;
    },
  } as Partial<PGlite>);
}

const EVERY_MS = 5_000;
/**
 * Length of the log at which a checkpoint is made. Recovery reads this much in about a second, and
 * a checkpoint writes the changed pages in a tenth of that time.
 */
const LOG_BYTES = 64 * 1_024 * 1_024;

/** Makes a checkpoint when the log since the last one is long. Returns whether it made one. */
export async function checkpointLongLog(pglite: PGlite, most_bytes = LOG_BYTES): Promise<boolean> {
  const { rows } = await pglite.query<{ long: boolean }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1 AS long FROM pg_control_checkpoint()',
    [most_bytes],
  );
  if (!rows[0]?.long) return false;
  await pglite.query('CHECKPOINT');
  return true;
}

/** Calls `checkpointLongLog` regularly until the returned function is called. */
export function startLogCheckpoints(pglite: PGlite): () => void {
  let under_way = false;
  const timer = setInterval(async () => {
    if (under_way || pglite.closed) return;
    under_way = true;
    try {
      await checkpointLongLog(pglite);
    } catch (error) {
      logger().error({ err: error }, 'the database could not make a checkpoint');
    } finally {
      under_way = false;
    }
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
