/** How migrations reach an external PostgreSQL, on which several instances may start at the same moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { Client } from 'pg';
import { applyMigrations, listMigrations, logNotice } from './migrations';

/** The engine itself waits ten seconds for an instance that is migrating; a long migration takes longer. */
const PATIENCE_MS = 10 * 60_000;
const ASK_AGAIN_MS = 1_000;
/** A server that takes connections and says nothing is no server. */
const CONNECT_MS = 5_000;

type Connected = Awaited<ReturnType<PrismaPg['connect']>>;

/**
 * The adapter splits a script at every semicolon, also inside comments, strings and function bodies, and sends the parts
 * one by one. Sent whole, PostgreSQL parses the script itself and runs it as one transaction.
 */
class WholeScripts extends PrismaPg {
  readonly #connected: Connected[] = [];

  override async connect() {
    const adapter = await super.connect();
    this.#connected.push(adapter);
    const pool = adapter.underlyingDriver();
    pool.on('connect', (client) => client.on('notice', logNotice));
    adapter.executeScript = async (script: string) => {
      await pool.query(script);
    };
    return adapter;
  }

  /** The engine closes no connection, and the session's lock on the migrations lives as long as it does. */
  async dispose(): Promise<void> {
    await Promise.all(this.#connected.splice(0).map((adapter) => adapter.dispose()));
  }
}

/** Gives `work` the schema engine's way to the database at `connection_string`, and closes it afterwards. */
export async function withExternalFactory<Result>(
  connection_string: string,
  work: (factory: PrismaPg) => Promise<Result>,
): Promise<Result> {
  const factory = new WholeScripts({ connectionString: connection_string, max: 1 });
  try {
    return await work(factory);
  } finally {
    await factory.dispose();
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
    return (await listMigrations(directory)).every((name) => applied.has(name));
  } catch (error) {
    // No table: nothing was ever applied.
    if ((error as { code?: string }).code === '42P01') return false;
    throw error;
  } finally {
    await client.end();
  }
}
