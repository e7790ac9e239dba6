/** Opens the embedded PostgreSQL: all that is not a test's own opens it here (a rule of .dependency-cruiser.cjs). */
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';

/**
 * PostgreSQL makes a checkpoint by itself when its write-ahead log has grown by half of max_wal_size. In a single process that
 * happens inside of the commit that filled the log, and a checkpoint waits until nobody commits: it waited for itself, and the
 * whole process stood still for ever, after 530 MB. So the limit is out of reach, and log-length.ts makes checkpoints in time.
 */
const NO_CHECKPOINT_BY_ITSELF = ['-c', 'max_wal_size=1TB'];

/** The database of a folder, made when it is empty; in memory without one. */
export async function openPglite(directory?: string, options: PGliteOptions = {}): Promise<PGlite> {
  const { PGlite } = await import('@electric-sql/pglite');
  const startParams = [...PGlite.defaultStartParams, ...NO_CHECKPOINT_BY_ITSELF];
  return PGlite.create({ ...options, ...(directory && { dataDir: directory }), startParams });
}
