/** Runs an engine on an in-memory PostgreSQL with a real SDK client, for the engine's own tests. */

import { readFileSync } from 'node:fs';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { Inngest, type InngestFunction } from 'inngest';
import { serve } from 'inngest/edge';
import pg from 'pg';
import type { DurableRun } from '@/infra/durable-runs';
import { Engine } from '../engine';
import type { EngineOptions, SqlDb } from '../types';

export const SIGNING_KEY = 'signkey-test-6f4c3b2a19088776655443322110ffeeddccbbaa99887766554433221100aabb';
export const EVENT_KEY = 'test-event-key';
export const INNGEST_SERVE_URL = 'http://localhost:3000/api/inngest';

const tables = readFileSync(new URL('./tables.sql', import.meta.url), 'utf8');

/**
 * Opens a new database with the engine's tables. Opening takes seconds, so a test file opens a
 * single database and empties it between tests.
 */
export async function openEngineTestDatabase(): Promise<TestDatabase> {
  const truncate = `TRUNCATE ${[...tables.matchAll(/CREATE TABLE (\w+)/g)].map((match) => match[1]).join(', ')}`;
  const url = process.env.ENGINE_TEST_DATABASE_URL;
  if (url) return openServerDatabase(url, truncate);
  const lite = await PGlite.create();
  await lite.exec(tables);
  return {
    db: createSqlDbOnPglite(lite),
    empty: async () => void (await lite.exec(truncate)),
    close: () => lite.close(),
  };
}

export interface TestDatabase {
  db: SqlDb;
  empty: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Creates a separate schema on a PostgreSQL server, where transactions run concurrently, unlike in
 * PGlite.
 */
async function openServerDatabase(url: string, truncate: string): Promise<TestDatabase> {
  const schema = `engine_test_${process.pid}_${Date.now()}`;
  const pool = new pg.Pool({ connectionString: url, options: `-c search_path=${schema}`, max: 10 });
  await pool.query(`CREATE SCHEMA ${schema}`);
  await pool.query(tables);
  return {
    db: poolDb(pool),
    empty: async () => void (await pool.query(truncate)),
    close: async () => {
      await pool.query(`DROP SCHEMA ${schema} CASCADE`);
      await pool.end();
    },
  };
}

function poolDb(client: pg.Pool | pg.PoolClient): SqlDb {
  return {
    query: async <T>(sql: string, params: unknown[]) => (await client.query(sql, params)).rows as T[],
    execute: async (sql, params) => (await client.query(sql, params)).rowCount ?? 0,
    transaction: async (fn) => {
      if (!(client instanceof pg.Pool)) return fn(poolDb(client));
      const session = await client.connect();
      try {
        await session.query('BEGIN');
        const result = await fn(poolDb(session));
        await session.query('COMMIT');
        return result;
      } catch (error) {
        await session.query('ROLLBACK');
        throw error;
      } finally {
        session.release();
      }
    },
  };
}

/** Implements SqlDb on PGlite. */
export function createSqlDbOnPglite(lite: PGlite | Transaction): SqlDb {
  return {
    query: async <T>(sql: string, params: unknown[]) => (await lite.query<T>(sql, params)).rows,
    execute: async (sql, params) => (await lite.query(sql, params)).affectedRows ?? 0,
    transaction: (fn) =>
      'transaction' in lite ? lite.transaction((tx) => fn(createSqlDbOnPglite(tx))) : fn(createSqlDbOnPglite(lite)),
  };
}

/** Returns a database connection with a function that cuts it, as when a process dies. */
export function createInterruptibleConnection(db: SqlDb): { db: SqlDb; cut: () => void } {
  let dead = false;
  const guard = <T>(work: () => Promise<T>): Promise<T> =>
    dead ? Promise.reject(new Error('connection lost')) : work();
  return {
    cut: () => {
      dead = true;
    },
    db: {
      query: (sql, params) => guard(() => db.query(sql, params)),
      execute: (sql, params) => guard(() => db.execute(sql, params)),
      transaction: (fn) => guard(() => db.transaction(fn)),
    },
  };
}

/** A clock that stands still until a test advances it. */
export class FakeClock {
  #now: number;
  constructor(start: string) {
    this.#now = Date.parse(start);
  }
  now(): Date {
    return new Date(this.#now);
  }
  advance(ms: number): void {
    this.#now += ms;
  }
  set(time: string): void {
    this.#now = Date.parse(time);
  }
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Creates a client. Its requests go to the engine that `target` contains at the time. */
export function createTestInngestClient(target: { engine: Engine | null }): Inngest {
  return new Inngest({
    id: 'app',
    isDev: false,
    checkpointing: false,
    signingKey: SIGNING_KEY,
    eventKey: EVENT_KEY,
    baseUrl: 'http://engine.invalid/',
    logger: silent,
    fetch: ((input: RequestInfo | URL, init?: RequestInit) =>
      target.engine!.fetch(new Request(input, init))) as typeof fetch,
  });
}

/** Creates an engine for a client's functions, without starting it. */
export function createTestEngine(
  client: Inngest,
  functions: InngestFunction.Any[],
  options: Partial<EngineOptions> & { db: SqlDb },
): Engine {
  return new Engine({
    handler: serve({ client, functions }),
    serve_url: INNGEST_SERVE_URL,
    signing_key: SIGNING_KEY,
    event_key: EVENT_KEY,
    clock: { now: () => new Date() },
    logger: silent,
    poll_ms: 50,
    backoff: () => 5,
    ...options,
  });
}

type Truthy<T> = Exclude<T, false | null | undefined>;

/** Resolves with the condition's result once the result is truthy. Throws after the timeout. */
export async function waitUntil<T>(condition: () => Promise<T> | T, timeout_ms = 8_000): Promise<Truthy<T>> {
  const end = Date.now() + timeout_ms;
  for (;;) {
    const value = await condition();
    if (value) return value as Truthy<T>;
    if (Date.now() > end) throw new Error(`Not true within ${timeout_ms} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Waits until a run of the function has one of the statuses. Returns the newest such run. */
export function waitForDurableRun(
  engine: Engine,
  function_id: string,
  ...statuses: DurableRun['status'][]
): Promise<DurableRun> {
  return waitUntil(async () => {
    for (const status of statuses) {
      const [run] = await engine.listRuns({ function_id, status, limit: 1 });
      if (run) return run;
    }
    return null;
  });
}
