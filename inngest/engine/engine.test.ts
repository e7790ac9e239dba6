import type { Inngest, InngestFunction } from 'inngest';
import { NonRetriableError, RetryAfterError } from 'inngest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Engine } from './engine';
import { FakeClock, newClient, newEngine, openDatabase, runOf, until } from './testing/harness';
import type { EngineOptions, SqlDb } from './types';

const target: { engine: Engine | null } = { engine: null };
let client: Inngest;
let db: SqlDb;
let close: () => Promise<void>;

beforeEach(async () => {
  ({ db, close } = await openDatabase());
  client = newClient(target);
});

afterEach(async () => {
  await target.engine?.stop();
  target.engine = null;
  await close();
});

async function start(functions: InngestFunction.Any[], options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = newEngine(client, functions, { db, ...options });
  target.engine = engine;
  await engine.start();
  return engine;
}

describe('steps', () => {
  it('runs a function step by step, each step once, and keeps what it returned', async () => {
    const calls: string[] = [];
    const fn = client.createFunction(
      { id: 'steps', retries: 0, triggers: [{ event: 'go' }] },
      async ({ event, step, runId }) => {
        const a = await step.run('a', () => (calls.push('a'), { n: event.data.n + 1 }));
        const b = await step.run('b', () => (calls.push('b'), a.n * 2));
        return { b, runId };
      },
    );
    const engine = await start([fn]);
    await client.send({ name: 'go', data: { n: 1 } });
    const run = await runOf(engine, 'app-steps', 'completed');
    expect(run.output).toEqual({ b: 4, runId: run.id });
    expect(calls).toEqual(['a', 'b']);
    expect(run.steps.map((step) => [step.name, step.op, step.status])).toEqual([
      ['a', 'StepRun', 'done'],
      ['b', 'StepRun', 'done'],
    ]);
  });
});
