/**
 * Replaces PostgreSQL's autovacuum, which the embedded database lacks because it is one process. It
 * reclaims the space of dead rows, updates the planner's statistics, and freezes transaction ids
 * before they run out. An installation that runs for months needs it, because queues insert and
 * delete rows constantly.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { database } from './client';

/**
 * A table is vacuumed when it has this many dead rows plus this share of its rows. Autovacuum's
 * defaults are slightly higher.
 */
const ROWS = 500;
const SHARE = 0.1;
/**
 * Rows with older transaction ids are frozen, because the ids run out after two billion
 * transactions.
 */
const FREEZE_AGE = 150_000_000;
/**
 * Pause between two tables, which lets waiting requests run, because the database has one session.
 */
const PAUSE_MS = 20;

export interface DatabaseHousekeepingReport {
  /** The tables that were vacuumed. */
  tables: string[];
  /** The longest time that other queries had to wait, in ms. */
  longest_ms: number;
}

/**
 * Vacuums the tables that need it, one after the other. Does nothing on an external server, which
 * has autovacuum.
 */
export async function vacuumDatabase(): Promise<DatabaseHousekeepingReport> {
  const { pglite } = database();
  const report: DatabaseHousekeepingReport = { tables: [], longest_ms: 0 };
  if (!pglite) return report;
  // Flushes the statistics now. PostgreSQL does so only about once a second.
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
 * Removes deleted data from the files of the embedded database. It rewrites all tables, recomputes
 * the statistics, and begins a new write-ahead log, because the old log contains deleted rows.
 * Returns false on an external server, whose files are the operator's responsibility.
 */
export async function eraseDeletedData(): Promise<boolean> {
  const { pglite } = database();
  if (!pglite) return false;
  const { rows } = await pglite.query<{ name: string }>(
    `SELECT quote_ident(schemaname) || '.' || quote_ident(relname) AS name FROM pg_stat_user_tables`,
  );
  for (const { name } of rows) {
    // A plain VACUUM leaves old bytes in the free space of a page.
    await pglite.query(`VACUUM (FULL, ANALYZE) ${name}`);
    await sleep(PAUSE_MS);
  }
  // Old log files are deleted, because a recycled log file keeps old bytes until they are
  // overwritten.
  await pglite.query('SET wal_recycle = off');
  await pglite.query('SELECT pg_switch_wal()');
  await pglite.query('CHECKPOINT');
  return true;
}
