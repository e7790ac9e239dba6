/** Migrates an external PostgreSQL, on which several instances may start at the same moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { applyMigrations, assertSameMigrationHistory, listMigrations, logMigrationNotice } from './migrations';
import { isBehindPooler, withPostgresClient } from './pooler';

/**
 * How long an instance waits for the migrations of another instance. The schema engine itself waits
 * only ten seconds, which is too short for long migrations.
 */
const PATIENCE_MS = 10 * 60_000;
const ASK_AGAIN_MS = 1_000;

/** The number of the schema engine's advisory lock, the same in every version. */
const LOCK = 72_707_369;
const ENGINES_LOCK = `SELECT pg_advisory_lock(${LOCK})`;

type Connected = Awaited<ReturnType<PrismaPg['connect']>>;

/**
 * Sends a migration script as one query. The adapter itself splits it at every semicolon, even
 * inside comments, strings and function bodies. PostgreSQL parses a whole script correctly and runs
 * it as one transaction.
 */
class WholeScripts extends PrismaPg {
  readonly #connected: Connected[] = [];

  constructor(
    connection_string: string,
    /**
     * Whether this process already holds the migration lock on another connection. The engine's own
     * lock query is then answered as if it had acquired the lock.
     */
    private readonly locked: boolean,
  ) {
    super({ connectionString: connection_string, max: 1 });
  }

  override async connect() {
    const adapter = await super.connect();
    this.#connected.push(adapter);
    const pool = adapter.underlyingDriver();
    pool.on('connect', (client) => client.on('notice', logMigrationNotice));
    adapter.executeScript = async (script: string) => {
      await pool.query(script);
    };
    if (this.locked) withoutLock(adapter);
    return adapter;
  }

  /**
   * Closes the connections, because the engine does not. The engine's session lock on the
   * migrations lasts as long as its connection.
   */
  async dispose(): Promise<void> {
    await Promise.all(this.#connected.splice(0).map((adapter) => adapter.dispose()));
  }
}

/** Answers the engine's lock query as if the server had granted the lock. */
function withoutLock(adapter: Connected): void {
  const executeRaw = adapter.executeRaw.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.executeRaw = async (query) => (query.sql === ENGINES_LOCK ? 0 : executeRaw(query));
  adapter.queryRaw = async (query) =>
    query.sql === ENGINES_LOCK ? { columnNames: [], columnTypes: [], rows: [] } : queryRaw(query);
}

/**
 * Runs `work` with the schema engine's adapter factory for the database, and closes its connections
 * afterwards.
 */
export async function withPrismaMigrationAdapterFactory<Result>(
  connection_string: string,
  work: (factory: PrismaPg) => Promise<Result>,
): Promise<Result> {
  const pooled = await isBehindPooler(connection_string);
  const factory = new WholeScripts(connection_string, pooled);
  try {
    return await (pooled ? withLock(connection_string, () => work(factory)) : work(factory));
  } finally {
    await factory.dispose();
  }
}

/**
 * Holds the migration lock while `work` runs, as a transaction lock on a separate connection. The
 * engine's own session lock would never be released behind a pooler, which passes a session to
 * another client between two statements.
 */
async function withLock<Result>(connection_string: string, work: () => Promise<Result>): Promise<Result> {
  return withPostgresClient(connection_string, async (client) => {
    try {
      await client.query('BEGIN');
      const { rows } = await client.query<{ ours: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS ours`);
      if (!rows[0]?.ours) throw new Error('Another instance has the advisory lock on the migrations.');
      return await work();
    } finally {
      await client.query('ROLLBACK').catch(() => {});
    }
  });
}

/**
 * Applies the missing migrations of a folder and returns their names. Waits while another instance
 * migrates.
 */
export async function migrateExternalDatabase(connection_string: string, directory: string): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    if (await isMigrated(connection_string, directory)) return [];
    try {
      return await withPrismaMigrationAdapterFactory(connection_string, (factory) =>
        applyMigrations(factory, directory),
      );
    } catch (error) {
      if (!/advisory lock/.test(String(error)) || Date.now() > deadline) throw error;
      await sleep(ASK_AGAIN_MS);
    }
  }
}

/**
 * Returns whether every migration has been applied. If so, the engine, which takes a second to
 * start, is not needed.
 */
async function isMigrated(connection_string: string, directory: string): Promise<boolean> {
  return withPostgresClient(connection_string, async (client) => {
    try {
      const { rows } = await client.query<{ migration_name: string }>(
        `SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
      );
      const applied = new Set(rows.map((row) => row.migration_name));
      const names = await listMigrations(directory);
      assertSameMigrationHistory(applied, names);
      return names.every((name) => applied.has(name));
    } catch (error) {
      // The table does not exist. The first migration creates it, so no migration has been applied.
      if ((error as { code?: string }).code === '42P01') return false;
      throw error;
    }
  });
}
