/**
 * What a PostgreSQL server's autovacuum does, for the embedded database, which is one process and has no such thing:
 * space of dead rows becomes usable again, the planner's statistics follow the data, and transaction ids are frozen
 * before they run out. Queues live on rows that come and go, so an installation that runs for months needs it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { database } from './client';

/** As autovacuum's own defaults, a little more eager: so many rows, and this share of the table. */
const ROWS = 500;
const SHARE = 0.1;
/** From this age on a table's rows are frozen; ids run out at two thousand million. */
const FREEZE_AGE = 150_000_000;
/** The database has one session: requests that wait get their turn between two tables. */
const PAUSE_MS = 20;

export interface HousekeepingReport {
  /** The tables that were vacuumed. */
  tables: string[];
  /** The longest that others had to wait, in ms. */
  longest_ms: number;
}

/** Vacuums the tables that need it, one after the other. Does nothing on an external server, which looks after itself. */
export async function tidyDatabase(): Promise<HousekeepingReport> {
  const { pglite } = database();
  const report: HousekeepingReport = { tables: [], longest_ms: 0 };
  if (!pglite) return report;
  // What is counted is otherwise written down about once a second.
  await pglite.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pglite.query<{ name: string; old: boolean }>(
    `SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) AS name, age(c.relfrozenxid) > $3 AS old
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_stat_all_tables s ON s.relid = c.oid
     WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND (
       s.n_dead_tup > $1 + $2::float * s.n_live_tup OR s.n_mod_since_analyze > $1 + $2::float * s.n_live_tup
       OR age(c.relfrozenxid) > $3)
     ORDER BY s.n_dead_tup DESC`,
    [ROWS, SHARE, FREEZE_AGE],
  );
  for (const { name, old } of rows) {
    const began = performance.now();
    await pglite.query(`VACUUM (${old ? 'FREEZE, ' : ''}ANALYZE) ${name}`);
    report.tables.push(name);
    report.longest_ms = Math.max(report.longest_ms, Math.round(performance.now() - began));
    await sleep(PAUSE_MS);
  }
  return report;
}

/**
 * What was removed leaves the files of the embedded database too: the space of dead rows is cleared, statistics are made anew, and
 * a checkpoint ends the write-ahead log that still tells what stood there. False on an external server, whose operator decides that.
 */
export async function clearRemoved(): Promise<boolean> {
  const { pglite } = database();
  if (!pglite) return false;
  const { rows } = await pglite.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(relname) AS name FROM pg_stat_user_tables`,
  );
  for (const { name } of rows) {
    // Written anew: a plain VACUUM leaves old bytes in the holes of a page.
    await pglite.query(`VACUUM (FULL, ANALYZE) ${name}`);
    await sleep(PAUSE_MS);
  }
  // A file of the log that is used again keeps what is not yet written over.
  await pglite.query('SET wal_recycle = off');
  await pglite.query('SELECT pg_switch_wal()');
  await pglite.query('CHECKPOINT');
  return true;
}
