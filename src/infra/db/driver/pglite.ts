/** Opens the embedded PostgreSQL: all that is not a test's own opens it here (a rule of .dependency-cruiser.cjs). */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
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
 * Instead of the 128 MB that PostgreSQL keeps of what it read and wrote: for a command, which comes by everything once. A backup and a
 * restore of any size fit into 400 MB with it.
 */
const FEW_BUFFERS = ['-c', 'shared_buffers=16MB'];

type OpenOptions = PGliteOptions & {
  /** For a command rather than a server. */
  few_buffers?: boolean | undefined;
};

/** The database of a folder, made when it is empty; in memory without one. */
export async function openPglite(
  directory?: string,
  { few_buffers = false, ...options }: OpenOptions = {},
): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  const startParams = [...PGlite.defaultStartParams, ...NO_CHECKPOINT_BY_ITSELF, ...(few_buffers ? FEW_BUFFERS : [])];
  if (!directory) return closingInOrder(await PGlite.create({ ...options, startParams }));
  const is_new = !existsSync(join(directory, 'PG_VERSION'));
  const empty = is_new ? await readFile(join(process.cwd(), EMPTY_DATABASE)).catch(() => null) : null;
  const loadDataDir = empty && new Blob([empty]);
  return closingInOrder(
    await PGlite.create({ ...(loadDataDir && { loadDataDir }), ...options, dataDir: directory, startParams }),
  );
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
