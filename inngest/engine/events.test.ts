import { describe, expect, it } from 'vitest';
import { FakeClock, runOf, until } from './testing/harness';
import { engineSuite } from './testing/suite';
import type { RunView } from './types';

const suite = engineSuite();
const settle = () => new Promise((resolve) => setTimeout(resolve, 100));

describe('sending', () => {
  it('starts every function that listens, and only where its filter holds', async () => {
    const a = suite.client.createFunction({ id: 'a', retries: 0, triggers: [{ event: 'go' }] }, () => 'a');
    const b = suite.client.createFunction(
      { id: 'b', retries: 0, triggers: [{ event: 'go', if: "event.data.kind == 'x' && event.data.n == 1" }] },
      () => 'b',
    );
    const engine = await suite.start([a, b]);
    await suite.client.send([
      { name: 'go', data: { kind: 'x', n: 1 } },
      { name: 'go', data: { kind: 'y', n: 1 } },
      { name: 'other', data: { kind: 'x', n: 1 } },
    ]);
    await until(async () => (await engine.listRuns({ status: 'completed', limit: 10 })).length === 3);
    expect((await engine.listRuns({ limit: 10 })).map((run) => run.function_id).sort()).toEqual([
      'app-a',
      'app-a',
      'app-b',
    ]);
  });

  it('does nothing for an event whose id is known', async () => {
    const fn = suite.client.createFunction({ id: 'once', retries: 0, triggers: [{ event: 'go' }] }, () => 1);
    const engine = await suite.start([fn]);
    const ids = await engine.send([
      { id: 'evt_1', name: 'go' },
      { id: 'evt_1', name: 'go' },
    ]);
    await suite.client.send({ id: 'evt_1', name: 'go' });
    await runOf(engine, 'app-once', 'completed');
    expect(ids).toEqual(['evt_1', 'evt_1']);
    expect(await engine.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it('calls the function at once, long before the next poll', async () => {
    let called = 0;
    const fn = suite.client.createFunction({ id: 'quick', retries: 0, triggers: [{ event: 'go' }] }, () => {
      called = performance.now();
    });
    const engine = await suite.start([fn], { poll_ms: 60_000 });
    const delays: number[] = [];
    for (let i = 0; i < 15; i++) {
      called = 0;
      const sent = performance.now();
      await engine.send({ name: 'go' });
      await until(() => called);
      delays.push(called - sent);
    }
    delays.sort((a, b) => a - b);
    expect(delays[7]).toBeLessThan(250);
  });

  it('lets a step send events', async () => {
    const parent = suite.client.createFunction(
      { id: 'parent', retries: 0, triggers: [{ event: 'go' }] },
      async ({ step }) => (await step.sendEvent('tell', { name: 'told', data: { by: 'parent' } })).ids.length,
    );
    const child = suite.client.createFunction(
      { id: 'child', retries: 0, triggers: [{ event: 'told' }] },
      ({ event }) => event.data,
    );
    const engine = await suite.start([parent, child]);
    await suite.client.send({ name: 'go' });
    expect((await runOf(engine, 'app-parent', 'completed')).output).toBe(1);
    expect((await runOf(engine, 'app-child', 'completed')).output).toEqual({ by: 'parent' });
  });

  it('starts a function once per idempotency key in 24 hours', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const fn = suite.client.createFunction(
      { id: 'keyed', retries: 0, idempotency: 'event.data.order', triggers: [{ event: 'go' }] },
      ({ event }) => event.data.order,
    );
    const engine = await suite.start([fn], { clock });
    const send = (order: string) => engine.send({ name: 'go', data: { order } });
    await send('one');
    await send('one');
    await send('two');
    await until(async () => (await engine.listRuns({ status: 'completed', limit: 10 })).length === 2);
    clock.advance(86_400_000);
    await send('one');
    await until(async () => (await engine.listRuns({ status: 'completed', limit: 10 })).length === 3);
    expect(await engine.listRuns({ limit: 10 })).toHaveLength(3);
  });
});

describe('waitForEvent', () => {
  const waiting = () =>
    suite.client.createFunction({ id: 'waits', retries: 0, triggers: [{ event: 'go' }] }, async ({ step }) => {
      const reply = await step.waitForEvent('reply', { event: 'reply', timeout: '1h', match: 'data.id' });
      return reply ? reply.data : 'nobody came';
    });
  const untilWaiting = (run: () => Promise<RunView>) => until(async () => (await run()).steps.length === 1);

  it('resumes with the event that matches, and no other', async () => {
    const engine = await suite.start([waiting()]);
    await engine.send({ name: 'reply', data: { id: 1, text: 'too early' } });
    await engine.send({ name: 'go', data: { id: 1 } });
    await untilWaiting(() => runOf(engine, 'app-waits', 'running'));
    await engine.send([
      { name: 'reply', data: { id: 2, text: 'other' } },
      { name: 'reply', data: { text: 'none' } },
      { name: 'reply', data: { id: '1', text: 'a string' } },
    ]);
    await settle();
    expect((await runOf(engine, 'app-waits', 'running')).steps[0]?.status).toBe('pending');
    await engine.send({ name: 'reply', data: { id: 1, text: 'yes' } });
    expect((await runOf(engine, 'app-waits', 'completed')).output).toEqual({ id: 1, text: 'yes' });
    expect(await suite.db.query('SELECT id FROM engine_jobs', [])).toEqual([]);
    expect(await suite.db.query('SELECT id FROM engine_waits', [])).toEqual([]);
  });

  it('resumes with null when the time is over, and an event that comes later changes nothing', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const engine = await suite.start([waiting()], { clock });
    await engine.send({ name: 'go', data: { id: 1 } });
    await untilWaiting(() => runOf(engine, 'app-waits', 'running'));
    clock.advance(3_600_000);
    await engine.send({ name: 'reply', data: { id: 1 } });
    expect((await runOf(engine, 'app-waits', 'completed')).output).toBe('nobody came');
  });
});

describe('invoke', () => {
  it('resumes the caller with the result, or the error, of the other function', async () => {
    const child = suite.client.createFunction(
      { id: 'child', retries: 0, triggers: [{ event: 'never' }] },
      ({ event }) => {
        if (event.data.bad) throw new Error('child failed');
        return event.data.n * 2;
      },
    );
    const parent = suite.client.createFunction(
      { id: 'parent', retries: 0, triggers: [{ event: 'go' }] },
      async ({ step }) => {
        const good = await step.invoke('good', { function: child, data: { n: 21 } });
        const bad = await step.invoke('bad', { function: child, data: { bad: true } }).catch((e: Error) => e.message);
        return [good, bad];
      },
    );
    const engine = await suite.start([parent, child]);
    await suite.client.send({ name: 'go' });
    const run = await runOf(engine, 'app-parent', 'completed');
    expect(run.output).toEqual([42, 'child failed']);
    const children = await engine.listRuns({ function_id: 'app-child', limit: 10 });
    expect(children.map((c) => [c.status, c.parent_run_id])).toEqual([
      ['failed', run.id],
      ['completed', run.id],
    ]);
  });

  it('gives up waiting after its time limit, and when the other run is cancelled', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const child = suite.client.createFunction({ id: 'child', retries: 0, triggers: [{ event: 'never' }] }, ({ step }) =>
      step.sleep('long', '10h'),
    );
    const parent = suite.client.createFunction(
      { id: 'parent', retries: 0, triggers: [{ event: 'go' }] },
      async ({ step }) => {
        const call = (id: string, timeout?: string) =>
          step.invoke(id, { function: child, data: {}, timeout }).catch((e: Error) => e.message);
        return [await call('limited', '1h'), await call('cancelled')];
      },
    );
    const engine = await suite.start([parent, child], { clock });
    await engine.send({ name: 'go' });
    await runOf(engine, 'app-child', 'running');
    await until(async () => (await runOf(engine, 'app-child', 'running')).steps.length === 1);
    clock.advance(3_600_000);
    engine.wake();
    const second = await until(async () => {
      const runs = await engine.listRuns({ function_id: 'app-child', limit: 10 });
      return runs.length === 2 && runs[0]?.steps.length === 1 && runs[0];
    });
    expect(await engine.cancelRun(second.id)).toBe(true);
    expect((await runOf(engine, 'app-parent', 'completed')).output).toEqual([
      'Timed out waiting for the invoked function',
      'The invoked function was cancelled',
    ]);
  });
});

describe('cancelOn', () => {
  const cancellable = (finished: unknown[]) =>
    suite.client.createFunction(
      {
        id: 'cancellable',
        retries: 0,
        triggers: [{ event: 'go' }],
        cancelOn: [{ event: 'stop', if: 'event.data.id == async.data.id', timeout: '2h' }],
      },
      async ({ event, step }) => {
        await step.sleep('while', '3h');
        finished.push(event.data.id);
      },
    );

  it('ends the runs that match, and only those', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const finished: unknown[] = [];
    const engine = await suite.start([cancellable(finished)], { clock });
    await engine.send([1, 2].map((id) => ({ name: 'go', data: { id } })));
    await until(async () => (await engine.listRuns({ limit: 10 })).every((run) => run.steps.length === 1));
    await engine.send({ name: 'stop', data: { id: 1 } });
    const [second, first] = await engine.listRuns({ limit: 10 });
    expect([first?.status, first?.steps[0]?.status, second?.status]).toEqual(['cancelled', 'cancelled', 'running']);
    expect(first?.next_wake_at).toBeNull();
    clock.advance(3 * 3_600_000);
    engine.wake();
    await until(() => finished.length > 0);
    await settle();
    expect(finished).toEqual([2]);
  });

  it('no longer holds after its time limit', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const engine = await suite.start([cancellable([])], { clock });
    await engine.send({ name: 'go', data: { id: 1 } });
    await until(async () => (await engine.listRuns({ limit: 1 }))[0]?.steps.length === 1);
    clock.advance(2 * 3_600_000);
    await engine.send({ name: 'stop', data: { id: 1 } });
    expect((await engine.listRuns({ limit: 1 }))[0]?.status).toBe('running');
  });

  it('discards what a step of a cancelled run was doing', async () => {
    let release = () => {};
    const after: string[] = [];
    const fn = suite.client.createFunction(
      { id: 'busy', retries: 0, triggers: [{ event: 'go' }], cancelOn: [{ event: 'stop' }] },
      async ({ step }) => {
        await step.run('busy', () => new Promise<void>((resolve) => (release = resolve)));
        await step.run('after', () => after.push('after'));
      },
    );
    const engine = await suite.start([fn]);
    await engine.send({ name: 'go' });
    await until(async () => (await engine.listRuns({ limit: 1 }))[0]?.in_flight);
    await settle();
    await engine.send({ name: 'stop' });
    release();
    await settle();
    expect((await runOf(engine, 'app-busy', 'cancelled')).steps).toEqual([]);
    expect(after).toEqual([]);
  });
});
