import { describe, expect, it } from 'vitest';
import { FakeClock, waitForDurableRun, waitUntil } from './testing/harness';
import { setUpEngineSuite } from './testing/suite';

const suite = setUpEngineSuite();
const settle = () => new Promise((resolve) => setTimeout(resolve, 100));

describe('sending', () => {
  it('starts every function with a matching trigger', async () => {
    const a = suite.client.createFunction(
      { id: 'a', retries: 0, triggers: [{ event: 'go' }, { event: 'go on' }] },
      () => 1,
    );
    const b = suite.client.createFunction({ id: 'b', retries: 0, triggers: [{ event: 'go' }] }, () => 2);
    const engine = await suite.start([a, b]);
    await suite.client.send([{ name: 'go' }, { name: 'go on' }, { name: 'other' }]);
    await waitUntil(async () => (await engine.listRuns({ status: 'completed', limit: 10 })).length === 3);
    expect((await engine.listRuns({ limit: 10 })).map((run) => run.function_id).sort()).toEqual([
      'app-a',
      'app-a',
      'app-b',
    ]);
  });

  it('ignores an event whose id is already known', async () => {
    const fn = suite.client.createFunction({ id: 'once', retries: 0, triggers: [{ event: 'go' }] }, () => 1);
    const engine = await suite.start([fn]);
    const ids = await engine.send([
      { id: 'evt_1', name: 'go' },
      { id: 'evt_1', name: 'go' },
    ]);
    await suite.client.send({ id: 'evt_1', name: 'go' });
    await waitForDurableRun(engine, 'app-once', 'completed');
    expect(ids).toEqual(['evt_1', 'evt_1']);
    expect(await engine.listRuns({ limit: 10 })).toHaveLength(1);
  });

  it('calls the function immediately, without waiting for the next poll', async () => {
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
      await waitUntil(() => called);
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
    expect((await waitForDurableRun(engine, 'app-parent', 'completed')).output).toBe(1);
    expect((await waitForDurableRun(engine, 'app-child', 'completed')).output).toEqual({ by: 'parent' });
  });
});

describe('cancelOn', () => {
  const match = { event: 'stop', match: 'data.id' };

  it('cancels the sleeping and queued runs with the same key, and no others', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const finished: unknown[] = [];
    const fn = suite.client.createFunction(
      { id: 'cancellable', retries: 0, triggers: [{ event: 'go' }], cancelOn: [match] },
      async ({ event, step }) => {
        await step.sleep('while', '3h');
        finished.push(event.data.id);
      },
    );
    const engine = await suite.start([fn], { clock });
    await engine.send([1, 2].map((id) => ({ name: 'go', data: { id } })));
    await waitUntil(async () => (await engine.listRuns({ limit: 10 })).every((run) => run.steps.length === 1));
    await engine.send({ name: 'go', data: { id: 1 }, ts: clock.now().getTime() + 3_600_000 });
    await engine.send([{ name: 'stop', data: { id: 1 } }, { name: 'stop', data: { id: '2' } }, { name: 'stop' }]);
    const cancelled = await engine.listRuns({ status: 'cancelled', limit: 10 });
    expect(cancelled.map(({ event, next_wake_at }) => [event.data.id, next_wake_at])).toEqual([
      [1, null],
      [1, null],
    ]);
    expect(cancelled[1]?.steps[0]?.status).toBe('cancelled');
    clock.advance(3 * 3_600_000);
    engine.wake();
    await waitUntil(() => finished.length > 0);
    await settle();
    expect(finished).toEqual([2]);
  });

  it('does not cancel a run from an event sent in the same request', async () => {
    const fn = suite.client.createFunction(
      { id: 'restarted', retries: 0, triggers: [{ event: 'go' }], cancelOn: [match] },
      () => 'done',
    );
    const engine = await suite.start([fn]);
    await engine.send([
      { name: 'go', data: { id: 1 } },
      { name: 'stop', data: { id: 1 } },
    ]);
    await waitForDurableRun(engine, 'app-restarted', 'completed');
  });

  it('discards the result of the step that a cancelled run was executing', async () => {
    let release = () => {};
    const after: string[] = [];
    const fn = suite.client.createFunction(
      { id: 'busy', retries: 0, triggers: [{ event: 'go' }], cancelOn: [match] },
      async ({ step }) => {
        await step.run('busy', () => new Promise<void>((resolve) => (release = resolve)));
        await step.run('after', () => after.push('after'));
      },
    );
    const engine = await suite.start([fn]);
    await engine.send({ name: 'go', data: { id: 1 } });
    await waitUntil(async () => (await engine.listRuns({ limit: 1 }))[0]?.in_flight);
    await settle();
    await engine.send({ name: 'stop', data: { id: 1 } });
    release();
    await settle();
    expect((await waitForDurableRun(engine, 'app-busy', 'cancelled')).steps).toEqual([]);
    expect(after).toEqual([]);
  });
});

describe('throttle', () => {
  const begun = (clock: FakeClock, times: string[], key = false) =>
    suite.client.createFunction(
      {
        id: 'slow',
        retries: 0,
        triggers: [{ event: 'go' }],
        concurrency: { limit: 9, key: 'event.data.host' },
        throttle: { limit: 2, period: '10s', ...(key && { key: 'event.data.host' }) },
      },
      ({ event }) => void times.push(`${event.data.host ?? ''}${clock.now().getTime() % 60_000}`),
    );

  it('limits how many runs start per period across all processes', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const times: string[] = [];
    const fn = begun(clock, times);
    const engines = [await suite.start([fn], { clock }), await suite.start([fn], { clock })];
    await engines[0]!.send(Array.from({ length: 5 }, () => ({ name: 'go' })));
    for (const wanted of [2, 2, 4, 5]) {
      await waitUntil(() => times.length === wanted);
      await settle();
      expect(times).toHaveLength(wanted);
      clock.advance(wanted === 2 && clock.now().getSeconds() === 0 ? 9_999 : 10_000);
      for (const engine of engines) engine.wake();
    }
    expect(times).toEqual(['0', '0', '19999', '19999', '29999']);
  });

  it('counts per key, and a clock that was ahead blocks nothing', async () => {
    const clock = new FakeClock('2030-01-01T01:00:00Z');
    const times: string[] = [];
    const engine = await suite.start([begun(clock, times, true)], { clock });
    const send = (hosts: string) => engine.send([...hosts].map((host) => ({ name: 'go', data: { host } })));
    await send('aab');
    await waitUntil(() => times.length === 3);
    clock.set('2030-01-01T00:00:00Z');
    await send('aaab');
    await waitUntil(() => times.length === 6);
    await settle();
    expect(times.sort()).toEqual(['a0', 'a0', 'a0', 'a0', 'b0', 'b0']);
  });

  it('resumes by itself when the period is over', async () => {
    const ran: number[] = [];
    const fn = suite.client.createFunction(
      { id: 'slow', retries: 0, triggers: [{ event: 'go' }], throttle: { limit: 1, period: '1s' } },
      () => void ran.push(Date.now()),
    );
    const engine = await suite.start([fn], { poll_ms: 60_000 });
    await engine.send([{ name: 'go' }, { name: 'go' }]);
    await waitUntil(() => ran.length === 2);
    expect(ran[1]! - ran[0]!).toBeGreaterThan(900);
  });
});
