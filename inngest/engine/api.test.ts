import { serve } from 'inngest/edge';
import { describe, expect, it } from 'vitest';
import { createTestEngine, EVENT_KEY, waitForDurableRun, waitUntil } from './testing/harness';
import { setUpEngineSuite } from './testing/suite';

const suite = setUpEngineSuite();

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  new Request(`http://engine.invalid${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { host: 'engine.invalid', ...headers },
  });

function listener() {
  return suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, ({ event }) => event.data);
}

describe('signatures', () => {
  it('reject a call that is unsigned or signed with another key', async () => {
    const handler = serve({ client: suite.client, functions: [listener()] });
    const bare = await handler(post('/api/inngest?fnId=app-f&stepId=step', { event: {}, ctx: {} }));
    expect(bare.status).toBe(401);
    const stranger = createTestEngine(suite.client, [listener()], { db: suite.db, signing_key: 'signkey-test-0011' });
    await expect(stranger.start()).rejects.toThrow('could not be registered: 401');
  });
});

describe('the event API', () => {
  it('responds as the SDK expects, to one event and to several', async () => {
    const engine = await suite.start([listener()]);
    const one = await engine.fetch(post(`/e/${EVENT_KEY}`, { name: 'go', data: { n: 1 } }));
    expect([one.status, await one.json()]).toEqual([200, { ids: [expect.any(String)], status: 200 }]);
    const two = await engine.fetch(
      post(`/e/${EVENT_KEY}`, [
        { name: 'go', id: 'a' },
        { name: 'go', id: 'b' },
      ]),
    );
    expect(await two.json()).toEqual({ ids: ['a', 'b'], status: 200 });
    await waitForDurableRun(engine, 'app-f', 'completed');
  });

  it('deduplicates a request that the SDK repeats', async () => {
    const engine = await suite.start([listener()]);
    const request = () =>
      post(`/e/${EVENT_KEY}`, [{ name: 'go' }, { name: 'go' }], {
        'x-inngest-event-id-seed': '1700000000000,c2VlZA==',
      });
    const first = (await (await engine.fetch(request())).json()) as { ids: string[] };
    expect(await (await engine.fetch(request())).json()).toEqual(first);
    expect(new Set(first.ids).size).toBe(2);
    expect(await engine.listRuns({ limit: 10 })).toHaveLength(2);
  });

  it.each([
    ['a wrong key', '/e/wrong', { name: 'go' }, 401],
    ['no name', `/e/${EVENT_KEY}`, { data: {} }, 400],
    ['a reserved name', `/e/${EVENT_KEY}`, { name: 'inngest/function.failed' }, 400],
    ['data that is not an object', `/e/${EVENT_KEY}`, { name: 'go', data: [1] }, 400],
    ['one bad event among good ones', `/e/${EVENT_KEY}`, [{ name: 'go' }, { name: '' }], 400],
    ['an unknown path', '/v2/nothing', {}, 404],
  ])('rejects %s and stores nothing', async (_what, path, body, status) => {
    const engine = await suite.start([listener()]);
    const response = await engine.fetch(post(path, body));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, error: expect.any(String) });
    expect(await engine.listRuns({ limit: 1 })).toEqual([]);
  });

  it('send throws for an invalid event', async () => {
    const engine = await suite.start([listener()]);
    await expect(engine.send({ name: '' })).rejects.toThrow(TypeError);
  });
});

describe('registration', () => {
  it('rejects every setting that the engine does not support, all at once', async () => {
    const base = { retries: 0 as const, triggers: [{ event: 'go' }] };
    const once = { limit: 1, period: '1s' as const };
    const noop = () => null;
    const functions = [
      suite.client.createFunction({ ...base, id: 'debounced', debounce: { period: '1m' } }, noop),
      suite.client.createFunction({ ...base, id: 'limited', rateLimit: { limit: 1, period: '1m' } }, noop),
      suite.client.createFunction({ ...base, id: 'env', concurrency: { limit: 1, scope: 'env', key: '"x"' } }, noop),
      suite.client.createFunction({ ...base, id: 'computed', throttle: { ...once, key: 'event.data.a + "x"' } }, noop),
      suite.client.createFunction({ ...base, id: 'remembering', idempotency: 'event.data.a' }, noop),
      suite.client.createFunction(
        { ...base, id: 'filtered', triggers: [{ event: 'go', if: 'event.data.a == 1' }] },
        noop,
      ),
      suite.client.createFunction({ ...base, id: 'wild', triggers: [{ event: 'go/*' }] }, noop),
      suite.client.createFunction({ ...base, id: 'failing', onFailure: noop }, noop),
      suite.client.createFunction(
        {
          ...base,
          id: 'torn',
          throttle: { ...once, key: 'event.data.a' },
          cancelOn: [{ event: 'stop', match: 'data.b' }],
        },
        noop,
      ),
      suite.client.createFunction(
        { ...base, id: 'bounded', cancelOn: [{ event: 'stop', match: 'data.a', timeout: '1h' }] },
        noop,
      ),
      suite.client.createFunction({ ...base, id: 'general', cancelOn: [{ event: 'stop' }] }, noop),
      suite.client.createFunction({ ...base, id: 'fine' }, noop),
    ];
    const error = (await suite.start(functions).catch((reason: Error) => reason)) as Error;
    expect(error.name).toBe('EngineConfigError');
    const refused = new Set([...error.message.matchAll(/app-(\w+)/g)].map((match) => match[1]));
    expect([...refused].sort()).toEqual(
      functions
        .slice(0, -1)
        .map((fn) => fn.id())
        .sort(),
    );
  });
});

describe('the list of runs', () => {
  it('is filtered by function and status, and paged by id', async () => {
    const engine = await suite.start([listener()]);
    for (let n = 0; n < 5; n++) await engine.send({ name: 'go', data: { n } });
    await waitUntil(async () => (await engine.listRuns({ status: 'completed', limit: 10 })).length === 5);
    const first = await engine.listRuns({ function_id: 'app-f', limit: 2 });
    const rest = await engine.listRuns({ limit: 10, before: first[1]!.id });
    expect([...first, ...rest].map((run) => run.event.data.n)).toEqual([4, 3, 2, 1, 0]);
    expect(await engine.retrieveRun(first[1]!.id)).toMatchObject({ id: first[1]!.id, event: { data: { n: 3 } } });
    expect(await engine.retrieveRun('nobody')).toBeNull();
    expect(await engine.listRuns({ status: 'failed', limit: 10 })).toEqual([]);
    expect(await engine.listRuns({ function_id: 'app-other', limit: 10 })).toEqual([]);
  });

  it('sorts failed runs first and completed ones last, and pages in both directions', async () => {
    const fn = suite.client.createFunction({ id: 'f', retries: 0, triggers: [{ event: 'go' }] }, ({ event }) => {
      if (event.data.bad) throw new Error('bad');
    });
    const engine = await suite.start([fn]);
    const later = Date.now() + 3_600_000;
    const send = (data: Record<string, unknown>, ts?: number) => engine.send({ name: 'go', data, ts });
    await send({ bad: true });
    for (let n = 0; n < 3; n++) await send({ bad: false });
    await send({ late: true }, later);
    await send({ late: true }, later);
    await waitUntil(async () => (await engine.listRuns({ status: 'completed', limit: 9 })).length === 3);
    await waitUntil(async () => (await engine.listRuns({ status: 'failed', limit: 9 })).length === 1);
    const [waiting] = await engine.listRuns({ status: 'queued', limit: 1 });
    expect(await engine.cancelRun(waiting!.id)).toBe(true);
    const all = await engine.listRuns({ limit: 10 });
    expect(all.map(({ status }) => status)).toEqual(['failed', 'queued', 'cancelled', ...Array(3).fill('completed')]);
    const ids = all.map(({ id }) => id);
    for (let at = 1; at < ids.length; at++) {
      const next = await engine.listRuns({ limit: 2, before: ids[at - 1]! });
      expect(next.map(({ id }) => id)).toEqual(ids.slice(at, at + 2));
      const back = await engine.listRuns({ limit: 2, after: ids[at]! });
      expect(back.map(({ id }) => id)).toEqual(ids.slice(Math.max(0, at - 2), at));
    }
  });
});
