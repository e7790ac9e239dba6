/** How migrations reach an external PostgreSQL, on which several instances may start at the same moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { Client } from 'pg';
import { applyMigrations, assertSameHistory, listMigrations, logNotice } from './migrations';
import { isBehindPooler } from './pooler';

/** The engine itself waits ten seconds for an instance that is migrating; a long migration takes longer. */
const PATIENCE_MS = 10 * 60_000;
const ASK_AGAIN_MS = 1_000;
/** A server that takes connections and says nothing is no server. */
const CONNECT_MS = 5_000;

/** Of the schema engine; processes of every version take this one. */
const LOCK = 72_707_369;
const ENGINES_LOCK = `SELECT pg_advisory_lock(${LOCK})`;

type Connected = Awaited<ReturnType<PrismaPg['connect']>>;

/**
 * The adapter splits a script at every semicolon, also inside comments, strings and function bodies, and sends the parts
 * one by one. Sent whole, PostgreSQL parses the script itself and runs it as one transaction.
 */
class WholeScripts extends PrismaPg {
  readonly #connected: Connected[] = [];

  constructor(
    connection_string: string,
    /** Somebody else holds the lock on the migrations: the engine is told that it has it. */
    private readonly locked: boolean,
  ) {
    super({ connectionString: connection_string, max: 1 });
  }

  override async connect() {
    const adapter = await super.connect();
    this.#connected.push(adapter);
    const pool = adapter.underlyingDriver();
    pool.on('connect', (client) => client.on('notice', logNotice));
    adapter.executeScript = async (script: string) => {
      await pool.query(script);
    };
    if (this.locked) withoutLock(adapter);
    return adapter;
  }

  /** The engine closes no connection, and the session's lock on the migrations lives as long as it does. */
  async dispose(): Promise<void> {
    await Promise.all(this.#connected.splice(0).map((adapter) => adapter.dispose()));
  }
}

/** Answers the engine's question for its lock as the server would that gave it. */
function withoutLock(adapter: Connected): void {
  const executeRaw = adapter.executeRaw.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  adapter.executeRaw = async (query) => (query.sql === ENGINES_LOCK ? 0 : executeRaw(query));
  adapter.queryRaw = async (query) =>
    query.sql === ENGINES_LOCK ? { columnNames: [], columnTypes: [], rows: [] } : queryRaw(query);
}

/** Gives `work` the schema engine's way to the database at `connection_string`, and closes it afterwards. */
export async function withExternalFactory<Result>(
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
 * The engine's lock is a session's, and a pooler gives the session to somebody else between two statements: it would be held by nobody
 * in particular, and never let go of. A transaction's is the same lock, and has a connection of its own.
 */
async function withLock<Result>(connection_string: string, work: () => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: connection_string, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ ours: boolean }>(`SELECT pg_try_advisory_xact_lock(${LOCK}) AS ours`);
    if (!rows[0]?.ours) throw new Error('Another instance has the advisory lock on the migrations.');
    return await work();
  } finally {
    await client.query('ROLLBACK').catch(() => {});
    await client.end();
  }
}

/**
 * Applies the migrations of a folder that the database does not have; returns their names. Waits for another instance
 * that is at it.
 */
export async function migrateExternal(connection_string: string, directory: string): Promise<string[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    if (await isMigrated(connection_string, directory)) return [];
    try {
      return await withExternalFactory(connection_string, (factory) => applyMigrations(factory, directory));
    } catch (error) {
      if (!/advisory lock/.test(String(error)) || Date.now() > deadline) throw error;
      await sleep(ASK_AGAIN_MS);
    }
  }
}

/** Whether every migration has been applied: then the engine, which takes a second to start, has nothing to do. */
async function isMigrated(connection_string: string, directory: string): Promise<boolean> {
  const client = new Client({ connectionString: connection_string, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    const { rows } = await client.query<{ migration_name: string }>(
      `SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
    );
    const applied = new Set(rows.map((row) => row.migration_name));
    const names = await listMigrations(directory);
    assertSameHistory(applied, names);
    return names.every((name) => applied.has(name));
  } catch (error) {
    // No table: nothing was ever applied.
    if ((error as { code?: string }).code === '42P01') return false;
    throw error;
  } finally {
    await client.end();
  }
}
