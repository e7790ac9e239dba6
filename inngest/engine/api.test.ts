import { serve } from 'inngest/edge';
import { describe, expect, it } from 'vitest';
import { EVENT_KEY, newClient, newEngine, runOf, SERVE_URL, SIGNING_KEY } from './testing/harness';
import { engineSuite } from './testing/suite';

const suite = engineSuite();

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
  it('the functions refuse a call that is not signed, or signed with another key', async () => {
    const handler = serve({ client: suite.client, functions: [listener()] });
    const bare = await handler(post('/api/inngest?fnId=app-f&stepId=step', { event: {}, ctx: {} }));
    expect(bare.status).toBe(401);
    const stranger = newEngine(suite.client, [listener()], { db: suite.db, signing_key: 'signkey-test-0011' });
    await expect(stranger.start()).rejects.toThrow('could not be registered: 401');
  });

  it('the engine registers only who knows the signing key', async () => {
    const engine = await suite.start([listener()]);
    const body = { functions: [] };
    expect((await engine.fetch(post('/fn/register', body))).status).toBe(401);
    expect((await engine.fetch(post('/fn/register', body, { authorization: `Bearer ${SIGNING_KEY}` }))).status).toBe(
      401,
    );
  });

  it("the SDK's own registration (PUT) arrives at the engine and is accepted", async () => {
    const target = { engine: null as Awaited<ReturnType<typeof suite.start>> | null };
    const client = newClient(target);
    const first = client.createFunction({ id: 'first', retries: 0, triggers: [{ event: 'go' }] }, () => 1);
    const later = client.createFunction({ id: 'later', retries: 0, triggers: [{ event: 'go' }] }, () => 2);
    target.engine = await suite.start([first]);
    const handler = serve({ client, functions: [first, later] });
    const response = await handler(new Request(SERVE_URL, { method: 'PUT', headers: { host: 'localhost:3000' } }));
    expect([response.status, await response.json()]).toEqual([
      200,
      { message: 'Successfully registered', modified: true },
    ]);
    expect(target.engine.functions().map((fn) => fn.id)).toEqual(['app-first', 'app-later']);
  });
});

describe('the event API', () => {
  it('answers as the SDK expects, for one event and for several', async () => {
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
    await runOf(engine, 'app-f', 'completed');
  });

  it('takes a repeated request of the SDK for the same events', async () => {
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
    ['data that is no object', `/e/${EVENT_KEY}`, { name: 'go', data: [1] }, 400],
    ['one bad event among good ones', `/e/${EVENT_KEY}`, [{ name: 'go' }, { name: '' }], 400],
    ['an unknown path', '/v2/nothing', {}, 404],
  ])('refuses %s and stores nothing', async (_what, path, body, status) => {
    const engine = await suite.start([listener()]);
    const response = await engine.fetch(post(path, body));
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, error: expect.any(String) });
    expect(await engine.listRuns({ limit: 1 })).toEqual([]);
  });

  it('send throws for what is not an event', async () => {
    const engine = await suite.start([listener()]);
    await expect(engine.send({ name: '' })).rejects.toThrow(TypeError);
  });
});

describe('registration', () => {
  it('refuses every setting that it would have to ignore, all at once', async () => {
    const base = { retries: 0 as const, triggers: [{ event: 'go' }] };
    const noop = () => null;
    const functions = [
      suite.client.createFunction({ ...base, id: 'debounced', debounce: { period: '1m' } }, noop),
      suite.client.createFunction({ ...base, id: 'limited', rateLimit: { limit: 1, period: '1m' } }, noop),
      suite.client.createFunction({ ...base, id: 'env', concurrency: { limit: 1, scope: 'env', key: '"x"' } }, noop),
      suite.client.createFunction({ ...base, id: 'computed', idempotency: 'event.data.a + event.data.b' }, noop),
      suite.client.createFunction({ ...base, id: 'wild', triggers: [{ event: 'go/*' }] }, noop),
      suite.client.createFunction({ ...base, id: 'fine' }, noop),
    ];
    const error = (await suite.start(functions).catch((reason: Error) => reason)) as Error;
    expect(error.name).toBe('EngineConfigError');
    for (const id of ['debounced', 'limited', 'env', 'computed', 'wild']) expect(error.message).toContain(`app-${id}`);
    expect(error.message).not.toContain('app-fine');
  });
});

describe('the list of runs', () => {
  it('is filtered by function and status, and paged by id', async () => {
    const engine = await suite.start([listener()]);
    for (let n = 0; n < 5; n++) await engine.send({ name: 'go', data: { n } });
    await runOf(engine, 'app-f', 'completed');
    const first = await engine.listRuns({ function_id: 'app-f', limit: 2 });
    const rest = await engine.listRuns({ limit: 10, before: first[1]!.id });
    expect([...first, ...rest].map((run) => run.event.data.n)).toEqual([4, 3, 2, 1, 0]);
    expect(await engine.retrieveRun(first[1]!.id)).toMatchObject({ id: first[1]!.id, event: { data: { n: 3 } } });
    expect(await engine.retrieveRun('nobody')).toBeNull();
    expect(await engine.listRuns({ status: 'failed', limit: 10 })).toEqual([]);
    expect(await engine.listRuns({ function_id: 'app-other', limit: 10 })).toEqual([]);
  });
});
