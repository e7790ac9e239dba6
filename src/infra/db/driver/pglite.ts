/** Opens the embedded PostgreSQL: all that is not a test's own opens it here (a rule of .dependency-cruiser.cjs). */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';

/**
 * PostgreSQL makes a checkpoint by itself when its write-ahead log has grown by half of max_wal_size. In a single process that
 * happens inside of the commit that filled the log, and a checkpoint waits until nobody commits: it waited for itself, and the
 * whole process stood still for ever, after 530 MB. So the limit is out of reach, and log-length.ts makes checkpoints in time.
 */
const NO_CHECKPOINT_BY_ITSELF = ['-c', 'max_wal_size=1TB'];
const CLOSE_WITHIN_MS = 10_000;

/** Made with the build (scripts/build-empty-database.mjs). Without it PGlite makes one, which takes seconds and 400 MB more of memory. */
const EMPTY_DATABASE = 'build/database/empty.tar.gz';

/**
 * What it keeps of what it read and wrote. PostgreSQL's 128 MB would be held from the start on, empty or not (130 MB of memory more),
 * and are no quicker at 100,000 reservations: the system keeps the files at hand anyway.
 */
const BUFFERS = ['-c', 'shared_buffers=16MB'];

/** The database of a folder, made when it is empty; in memory without one. */
export async function openPglite(directory?: string, options: PGliteOptions = {}): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  const startParams = [...PGlite.defaultStartParams, ...NO_CHECKPOINT_BY_ITSELF, ...BUFFERS];
  const create = (more?: PGliteOptions) =>
    PGlite.create({ ...more, ...options, ...(directory && { dataDir: directory }), startParams });
  return closingInOrder(directory ? await openFolder(directory, create) : await create());
}

/** Stands beside a database's folder until it is made. */
export const unfinishedMark = (directory: string): string => `${directory}.unfinished`;

/**
 * A process that dies while it makes a database leaves a folder that looks like one and cannot be opened. So a mark stands beside
 * the folder until it is made: nobody has used what is found with the mark, and it is made anew.
 */
async function openFolder(directory: string, create: (more?: PGliteOptions) => Promise<PGlite>): Promise<PGlite> {
  const mark = unfinishedMark(directory);
  if (existsSync(mark)) await rm(directory, { recursive: true, force: true });
  else if (existsSync(join(directory, 'PG_VERSION'))) return create();
  await mkdir(dirname(directory), { recursive: true });
  await writeFile(mark, '');
  const empty = await readFile(join(process.cwd(), EMPTY_DATABASE)).catch(() => null);
  const database = await create(empty ? { loadDataDir: new Blob([empty]) } : {});
  await rm(mark);
  return database;
}

/** What makes the engine's messages. */
export const wireProtocol = async () => (await import('@electric-sql/pglite')).protocol;

/**
 * PGlite that is closed with a query under way loops for ever. So what is under way ends first, and what comes later is refused.
 * What does not end in time is left as by a crash: the next start puts it in order.
 */
function closingInOrder(pglite: PGlite): PGlite {
  const under_way = new Set<Promise<unknown>>();
  let closing: Promise<void> | null = null;
  let refusing = false;
  const run = pglite._runExclusiveTransaction.bind(pglite);
  const close = pglite.close.bind(pglite);
  return Object.assign(pglite, {
    // Every query and transaction goes through it, and so does what is prepared (embedded-statements.ts).
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
        // What was asked before has its place in the queue by then.
        await turn();
        refusing = true;
        await Promise.race([Promise.allSettled(under_way), sleep(CLOSE_WITHIN_MS, null, { ref: false })]);
        if (under_way.size === 0) await close();
      })();
      return closing;
    },
  } as Partial<PGlite>);
}
