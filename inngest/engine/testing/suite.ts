/** Sets up tests of a running engine: one database per file, and a client and engines per test. */
import type { Inngest, InngestFunction } from 'inngest';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Engine } from '../engine';
import type { EngineOptions, SqlDb } from '../types';
import { createTestEngine, createTestInngestClient, openEngineTestDatabase } from './harness';

export interface EngineTestContext {
  db: SqlDb;
  client: Inngest;
  /**
   * Starts an engine for the client's functions. The client sends its events to the engine that was
   * started last.
   */
  start(functions: InngestFunction.Any[], options?: Partial<EngineOptions>): Promise<Engine>;
}

/**
 * Registers the hooks of a test file. The properties of the returned object are set before each
 * test.
 */
export function setUpEngineSuite(): EngineTestContext {
  const target: { engine: Engine | null } = { engine: null };
  const engines: Engine[] = [];
  let database: Awaited<ReturnType<typeof openEngineTestDatabase>>;
  const suite: EngineTestContext = {
    db: null as unknown as SqlDb,
    client: null as unknown as Inngest,
    start: async (functions, options = {}) => {
      const engine = createTestEngine(suite.client, functions, { db: suite.db, ...options });
      target.engine = engine;
      engines.push(engine);
      await engine.start();
      return engine;
    },
  };
  beforeAll(async () => {
    database = await openEngineTestDatabase();
    suite.db = database.db;
  });
  beforeEach(() => {
    suite.client = createTestInngestClient(target);
  });
  afterEach(async () => {
    await Promise.all(engines.splice(0).map((engine) => engine.stop()));
    await database.empty();
  });
  afterAll(() => database.close());
  return suite;
}
