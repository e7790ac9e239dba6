/** Keeps the write-ahead log of the embedded database short: what is in it is read again after a crash, and it is on the disk. */
import type { PGlite } from '@electric-sql/pglite';
import { logger } from '@/infra/logger';

const EVERY_MS = 5_000;
/** Read again in about a second. Written at once, when its pages are, in a tenth of that. */
const LOG_BYTES = 64 * 1_024 * 1_024;

/** Makes a checkpoint when the log since the last one is long, and says whether it did. */
export async function shortenLog(pglite: PGlite, most_bytes = LOG_BYTES): Promise<boolean> {
  const { rows } = await pglite.query<{ long: boolean }>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn) > $1 AS long FROM pg_control_checkpoint()',
    [most_bytes],
  );
  if (!rows[0]?.long) return false;
  await pglite.query('CHECKPOINT');
  return true;
}

/** Looks after it until the function that it gives is called. */
export function keepLogShort(pglite: PGlite): () => void {
  let under_way = false;
  const timer = setInterval(async () => {
    if (under_way || pglite.closed) return;
    under_way = true;
    try {
      await shortenLog(pglite);
    } catch (error) {
      logger().error({ err: error }, 'the database could not make a checkpoint');
    } finally {
      under_way = false;
    }
  }, EVERY_MS).unref();
  return () => clearInterval(timer);
}
