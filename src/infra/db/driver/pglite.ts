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
 * Disables PostgreSQL's automatic checkpoints, which start when the write-ahead log reaches half of
 * max_wal_size. PGlite runs in a single process, so such a checkpoint started inside the commit
 * that filled the log. It waited for that commit to end, and the process hung after 530 MB.
 * `startWalCheckpoints` makes checkpoints instead.
 */
const NO_CHECKPOINT_BY_ITSELF = ['-c', 'max_wal_size=1TB'];
const CLOSE_WITHIN_MS = 10_000;

/**
 * An archive of an empty database, created by the build (scripts/build-empty-database.mjs). Without
 * it PGlite initializes each new database itself, which takes seconds and 400 MB more memory.
 */
const EMPTY_DATABASE = 'build/database/empty.tar.gz';

/**
 * The size of PostgreSQL's page cache. The default of 128 MB would be allocated at once. It is no
 * faster at 100,000 reservations, because the operating system caches the files anyway.
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
export const getIncompleteDatabaseMarkerPath = (directory: string): string => `${directory}.unfinished`;

/**
 * Opens the database of a folder. A process that dies while it creates a database leaves a folder
 * that looks complete and cannot be opened. A mark file therefore exists next to the folder until
 * the database is complete. A folder with a mark file contains no data and is created again.
 */
async function openFolder(directory: string, create: (more?: PGliteOptions) => Promise<PGlite>): Promise<PGlite> {
  const mark = getIncompleteDatabaseMarkerPath(directory);
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
export const loadPgliteWireProtocol = async () => (await import('@electric-sql/pglite')).protocol;

/**
 * Makes closing safe, because PGlite loops forever when it is closed during a query. Closing waits
 * for running queries and refuses new queries. Queries that do not end in time are abandoned, and
 * the next start recovers as after a crash.
 */
function closingInOrder(pglite: PGlite): PGlite {
  const under_way = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;
  let refusing = false;
  const run = pglite._runExclusiveTransaction.bind(pglite);
  const close = pglite.close.bind(pglite);
  return Object.assign(pglite, {
    // Every query and transaction passes through here, including prepared statements
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
 * Length of the log at which a checkpoint is made. Recovery reads a log of this length in about a
 * second.
 */
const LOG_BYTES = 64 * 1_024 * 1_024;

/** Makes a checkpoint when the log since the last one is long. Returns whether it made one. */
export async function checkpointWalIfLong(pglite: PGlite, most_bytes = LOG_BYTES): Promise<boolean> {
  const { rows } = await pglite.query<{ long: boolean }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1 AS long FROM pg_control_checkpoint()',
    [most_bytes],
  );
  if (!rows[0]?.long) return false;
  await pglite.query('CHECKPOINT');
  return true;
}

/** Calls `checkpointWalIfLong` regularly. Returns a function that stops the calls. */
export function startWalCheckpoints(pglite: PGlite): () => void {
  let under_way = false;
  const timer = setInterval(async () => {
    if (under_way || pglite.closed) return;
    under_way = true;
    try {
      await checkpointWalIfLong(pglite);
    } catch (error) {
      logger().error({ err: error }, 'the database could not make a checkpoint');
    } finally {
      under_way = false;
    }
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
