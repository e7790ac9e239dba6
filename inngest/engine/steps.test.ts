import { type GetStepTools, type Inngest, NonRetriableError, RetryAfterError } from 'inngest';
import { describe, expect, it } from 'vitest';
import { FakeClock, waitForDurableRun, waitUntil } from './testing/harness';
import { setUpEngineSuite } from './testing/suite';
import type { SqlDb } from './types';

const suite = setUpEngineSuite();

describe('step.run', () => {
  it('runs each step once, in order, and returns its result', async () => {
    const calls: string[] = [];
    const fn = suite.client.createFunction(
      { id: 'steps', retries: 0, triggers: [{ event: 'go' }] },
      async ({ event, step, runId }) => {
        const a = await step.run('a', () => {
          calls.push('a');
          return { n: event.data.n + 1 };
        });
        const b = await step.run('b', () => {
          calls.push('b');
          return a.n * 2;
        });
        return { b, runId };
      },
    );
    const engine = await suite.start([fn]);
    await suite.client.send({ name: 'go', data: { n: 1 } });
    const run = await waitForDurableRun(engine, 'app-steps', 'completed');
    expect(run.output).toEqual({ b: 4, runId: run.id });
    expect(calls).toEqual(['a', 'b']);
    expect(run.steps.map((step) => [step.name, step.op, step.status])).toEqual([
      ['a', 'StepRun', 'done'],
      ['b', 'StepRun', 'done'],
    ]);
    expect(run.next_wake_at).toBeNull();
  });

  it('stores text that jsonb would reject', async () => {
    const text = 'nul \u0000 and half a pair \ud800';
    const fn = suite.client.createFunction(
      { id: 'odd', retries: 0, triggers: [{ event: 'go' }] },
      async ({ step }) => (await step.run('a', () => text)) === text,
    );
    const engine = await suite.start([fn]);
    await engine.send({ name: 'go' });
    expect((await waitForDurableRun(engine, 'app-odd', 'completed')).output).toBe(true);
  });
});

describe('time', () => {
  it('sleeps for a duration or until a date, and shows when it wakes', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const fn = suite.client.createFunction(
      { id: 'sleeper', retries: 0, triggers: [{ event: 'go' }] },
      async ({ step }) => {
        await step.sleep('for an hour', '1h');
        await step.sleepUntil('until a date', '2030-01-02T00:00:00Z');
        return 'awake';
      },
    );
    const engine = await suite.start([fn], { clock });
    await suite.client.send({ name: 'go' });
    await waitUntil(async () => (await waitForDurableRun(engine, 'app-sleeper', 'running')).steps.length === 1);
    expect((await waitForDurableRun(engine, 'app-sleeper', 'running')).next_wake_at).toEqual(
      new Date('2030-01-01T01:00:00Z'),
    );
    clock.advance(3_599_999);
    engine.wake();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect((await waitForDurableRun(engine, 'app-sleeper', 'running')).steps[0]?.status).toBe('pending');
    clock.advance(1);
    engine.wake();
    await waitUntil(async () => (await waitForDurableRun(engine, 'app-sleeper', 'running')).steps.length === 2);
    clock.advance(23 * 3_600_000);
    engine.wake();
    expect((await waitForDurableRun(engine, 'app-sleeper', 'completed')).output).toBe('awake');
  });

  it('delays a run whose event is dated in the future', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const fn = suite.client.createFunction({ id: 'later', retries: 0, triggers: [{ event: 'go' }] }, () => 'ran');
    const engine = await suite.start([fn], { clock });
    await engine.send({ name: 'go', ts: clock.now().getTime() + 60_000 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const waiting = await waitForDurableRun(engine, 'app-later', 'queued');
    expect(waiting.next_wake_at).toEqual(new Date('2030-01-01T00:01:00Z'));
    clock.advance(60_000);
    engine.wake();
    await waitForDurableRun(engine, 'app-later', 'completed');
  });

  it('wakes by itself at a known time, without waiting for the next poll', async () => {
    const fn = suite.client.createFunction({ id: 'nap', retries: 0, triggers: [{ event: 'go' }] }, ({ step }) =>
      step.sleep('nap', 1_000),
    );
    const engine = await suite.start([fn], { poll_ms: 60_000 });
    const began = Date.now();
    await engine.send({ name: 'go' });
    await waitForDurableRun(engine, 'app-nap', 'completed');
    expect(Date.now() - began).toBeGreaterThanOrEqual(1_000);
  });

  it('does not miss a time that falls between the query for due work and its result', async () => {
    // Delay in milliseconds between a query and its result.
    let behind_ms = 20;
    const ask = async <T>(question: () => Promise<T>): Promise<T> => {
      const answer = await question();
      behind_ms = 0;
      setImmediate(() => {
        behind_ms = 20;
      });
      return answer;
    };
    const db: SqlDb = {
      query: (sql, params) => ask(() => suite.db.query(sql, params)),
      execute: (sql, params) => ask(() => suite.db.execute(sql, params)),
      transaction: (fn) => ask(() => suite.db.transaction(fn)),
    };
    const fn = suite.client.createFunction({ id: 'doze', retries: 0, triggers: [{ event: 'go' }] }, ({ step }) =>
      step.sleep('doze', 300),
    );
    const clock = { now: () => new Date(Date.now() - behind_ms) };
    const engine = await suite.start([fn], { poll_ms: 60_000, db, clock });
    await engine.send({ name: 'go' });
    await waitForDurableRun(engine, 'app-doze', 'completed');
  });
});

describe('attempts', () => {
  it('retries a failing step, counting its attempts, then throws the error into the function', async () => {
    const attempts: number[] = [];
    const fn = suite.client.createFunction(
      {
        id: 'fails',
        retries: 2,
        triggers: [{ event: 'go' }],
      },
      async ({ step, attempt }) => {
        await step.run('ok', () => 1);
        await step.run('bad', () => {
          attempts.push(attempt);
          throw new Error(`attempt ${attempt}`);
        });
      },
    );
    const engine = await suite.start([fn]);
    await suite.client.send({ name: 'go', data: { x: 1 } });
    const run = await waitForDurableRun(engine, 'app-fails', 'failed');
    expect(attempts).toEqual([0, 1, 2]);
    expect(run.error?.message).toBe('attempt 2');
    expect(run.last_error).toEqual(run.error);
    expect(run.steps.map((step) => step.status)).toEqual(['done', 'failed']);
  });

  it('counts attempts separately for each step, and for errors between steps', async () => {
    const seen: [string, number][] = [];
    const fn = suite.client.createFunction(
      { id: 'flaky', retries: 1, triggers: [{ event: 'go' }] },
      async ({ step, attempt }) => {
        for (const name of ['a', 'b']) {
          await step.run(name, () => {
            seen.push([name, attempt]);
            if (attempt === 0) throw new Error('first time');
          });
        }
        seen.push(['end', attempt]);
        if (attempt === 0) throw new Error('at the end');
        return 'done';
      },
    );
    const engine = await suite.start([fn]);
    await suite.client.send({ name: 'go' });
    expect((await waitForDurableRun(engine, 'app-flaky', 'completed')).output).toBe('done');
    expect(seen).toEqual([
      ['a', 0],
      ['a', 1],
      ['b', 0],
      ['b', 1],
      ['end', 0],
      ['end', 1],
    ]);
  });

  it('does not retry a NonRetriableError', async () => {
    let calls = 0;
    const fn = suite.client.createFunction({ id: 'never', retries: 5, triggers: [{ event: 'go' }] }, () => {
      calls++;
      throw new NonRetriableError('final');
    });
    const engine = await suite.start([fn]);
    await suite.client.send({ name: 'go' });
    expect((await waitForDurableRun(engine, 'app-never', 'failed')).error?.message).toBe('final');
    expect(calls).toBe(1);
  });

  it('waits as long as a RetryAfterError states, in steps and between them', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const fn = suite.client.createFunction(
      { id: 'patient', retries: 1, triggers: [{ event: 'go' }] },
      async ({ step, attempt }) => {
        await step.run('a', () => {
          if (attempt === 0) throw new RetryAfterError('wait', '1h');
        });
        if (attempt === 0) throw new RetryAfterError('wait', new Date('2030-01-01T05:00:00Z'));
        return 'done';
      },
    );
    const engine = await suite.start([fn], { clock });
    await suite.client.send({ name: 'go' });
    const first = await waitUntil(async () => {
      const run = await waitForDurableRun(engine, 'app-patient', 'running');
      return run.last_error && run;
    });
    expect([first.next_wake_at, first.attempt]).toEqual([new Date('2030-01-01T01:00:00Z'), 1]);
    clock.advance(3_600_000);
    engine.wake();
    const second = await waitUntil(async () => {
      const run = await waitForDurableRun(engine, 'app-patient', 'running');
      return run.steps.length === 1 && run.last_error && run;
    });
    expect(second.next_wake_at).toEqual(new Date('2030-01-01T05:00:00Z'));
    clock.advance(4 * 3_600_000);
    engine.wake();
    await waitForDurableRun(engine, 'app-patient', 'completed');
  });

  it('treats a call that times out as a failed attempt', async () => {
    let calls = 0;
    const fn = suite.client.createFunction({ id: 'hangs', retries: 5, triggers: [{ event: 'go' }] }, async () => {
      calls++;
      if (calls === 1) await new Promise(() => {});
      return calls;
    });
    const engine = await suite.start([fn], { call_timeout_ms: 400 });
    await suite.client.send({ name: 'go' });
    expect((await waitForDurableRun(engine, 'app-hangs', 'completed')).output).toBeGreaterThan(1);
  });

  it('retries a failed run on request, without repeating completed steps', async () => {
    let broken = true;
    let done = 0;
    const fn = suite.client.createFunction(
      { id: 'revived', retries: 0, triggers: [{ event: 'go' }] },
      async ({ step }) => {
        await step.run('once', () => ++done);
        return step.run('broken', () => {
          if (broken) throw new Error('broken');
          return 'recovered';
        });
      },
    );
    const engine = await suite.start([fn]);
    await suite.client.send({ name: 'go' });
    const failed = await waitForDurableRun(engine, 'app-revived', 'failed');
    broken = false;
    expect(await engine.retryRun(failed.id)).toBe(true);
    expect((await waitForDurableRun(engine, 'app-revived', 'completed')).output).toBe('recovered');
    expect(done).toBe(1);
    expect(await engine.retryRun(failed.id)).toBe(false);
    expect(await engine.retryRun('nobody')).toBe(false);
  });

  it.each<[string, string, (step: GetStepTools<Inngest>) => unknown]>([
    [
      'a signal',
      'WaitForSignal is not supported',
      (step) => step.waitForSignal('wait', { signal: 's', timeout: '1h', onConflict: 'fail' }),
    ],
    ['an event', 'WaitForEvent is not supported', (step) => step.waitForEvent('wait', { event: 'x', timeout: '1h' })],
    [
      'several things at once',
      'a, b: steps side by side are not supported',
      (step) => Promise.all([step.run('a', () => 1), step.run('b', () => 2)]),
    ],
  ])('a run that waits for %s fails with an error', async (_what, message, wait) => {
    const fn = suite.client.createFunction({ id: 'loud', retries: 3, triggers: [{ event: 'go' }] }, ({ step }) =>
      wait(step),
    );
    const engine = await suite.start([fn]);
    await suite.client.send({ name: 'go' });
    expect((await waitForDurableRun(engine, 'app-loud', 'failed')).error?.message).toContain(message);
  });
});
