/**
 * Tests design "Etags": strong tags on single resources, If-None-Match on GET, and If-Match on
 * PATCH, PUT and DELETE.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRoutes } from '@/api/rest/routes';
import { appRouter } from '@/api/router';
import { API_OPERATION_TEST_CASES, type ApiOperationTestCaseContext, fillPathParameters } from '../cases';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  makeProperty,
  openApiTestContext,
  SECOND_MS,
  type TestResponse,
} from '../test-context';

const routes = listRoutes(appRouter);
/** Selects single resources that are read and written under the same path. */
const readable = routes.filter((route) => route.method === 'GET' && route.meta.etag);
const guarded = routes.filter((route) => route.meta.errors.includes('etag_mismatch'));

let world: ApiTestContext;
let live: ApiCaller;
let ground: ApiOperationTestCaseContext;
let test_ground: ApiOperationTestCaseContext;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().team.updateMany({ data: { property_limit: 1_000 } });
  const { clock, team } = world;
  ground = { caller: live, scope: createScopeForTestTeam(team, 'live'), clock, property: await makeProperty(live) };
  const test = createApiCaller(world.api, team.test);
  test_ground = {
    caller: test,
    scope: createScopeForTestTeam(team, 'test'),
    clock,
    property: await makeProperty(test),
  };
});
afterAll(() => world.close());

async function prepared(name: string) {
  const route = routes.find((candidate) => candidate.name === name);
  const operation = API_OPERATION_TEST_CASES[name];
  if (!route || !operation) throw new Error(`${name} has no case.`);
  const where = operation.mode === 'test' ? test_ground : ground;
  const call = await operation.prepare(where);
  return { caller: where.caller, path: fillPathParameters(route.pattern, call.params), body: call.body };
}
const etag = (answer: TestResponse): string => answer.headers.get('etag') ?? '';
const send = (caller: ApiCaller, method: string, path: string, body: unknown, headers: Record<string, string>) => {
  if (method === 'DELETE') return caller.del(path, headers);
  return method === 'PUT' ? caller.put(path, body, headers) : caller.patch(path, body, headers);
};

it('every operation that takes If-Match is a PATCH, PUT or DELETE of a resource with an ETag', () => {
  expect(guarded.map((route) => `${route.method} ${route.pattern}`).sort()).toEqual(
    routes
      .filter((route) => ['PATCH', 'PUT', 'DELETE'].includes(route.method))
      .map((route) => `${route.method} ${route.pattern}`)
      .sort(),
  );
  const tagged = readable.map((route) => route.pattern);
  for (const route of guarded) expect(tagged, route.name).toContain(route.pattern);
});

describe.each(readable.map((route) => [`GET ${route.pattern}`, route.name] as const))('%s', (_row, name) => {
  it('returns a strong ETag that is the same on every read; If-None-Match returns 304 without a body', async () => {
    const { caller, path } = await prepared(name);
    const [first, second] = [await caller.get(path), await caller.get(path)];
    expect(first.status).toBe(200);
    expect(etag(first)).toMatch(/^"[^"]+"$/);
    expect(etag(second)).toBe(etag(first));
    for (const tag of [etag(first), `W/${etag(first)}`, `"other", ${etag(first)}`, '*']) {
      const unchanged = await caller.get(path, { 'If-None-Match': tag });
      expect({ status: unchanged.status, text: unchanged.text, etag: etag(unchanged) }).toEqual({
        status: 304,
        text: '',
        etag: etag(first),
      });
    }
    expect((await caller.get(path, { 'If-None-Match': '"other"' })).status).toBe(200);
  });
});

describe.each(guarded.map((route) => [`${route.method} ${route.pattern}`, route.name, route.method] as const))(
  '%s',
  (_row, name, method) => {
    it('succeeds when If-Match contains the current ETag', async () => {
      const { caller, path, body } = await prepared(name);
      const tag = etag(await caller.get(path));
      expect((await send(caller, method, path, body, { 'If-Match': `"other", ${tag}` })).status).toBeLessThan(300);
    });

    it('409 etag_mismatch when If-Match does not match, and nothing changes', async () => {
      const { caller, path, body } = await prepared(name);
      const before = await caller.get(path);
      for (const tag of ['"other"', `W/${etag(before)}`, 'nonsense']) {
        const answer = await send(caller, method, path, body, { 'If-Match': tag });
        expect({ status: answer.status, ...answer.body.error }).toMatchObject({
          status: 409,
          type: 'conflict_error',
          code: 'etag_mismatch',
        });
      }
      expect((await caller.get(path)).text).toBe(before.text);
      expect((await send(caller, method, path, body, { 'If-Match': '*' })).status).toBeLessThan(300);
    });
  },
);

it('a write returns the ETag that the next read returns', async () => {
  const property = await live.post('/properties', { name: 'Tagged' });
  const path = `/properties/${property.body.id}`;
  expect(etag(await live.get(path))).toBe(etag(property));
  world.clock.advance(SECOND_MS);
  const changed = await live.patch(path, { city: 'Cascais' }, { 'If-Match': etag(property) });
  expect(etag(changed)).not.toBe(etag(property));
  expect(etag(await live.get(path))).toBe(etag(changed));
  expect((await live.patch(path, { city: 'Lisbon' }, { 'If-Match': etag(property) })).body.error.code).toBe(
    'etag_mismatch',
  );
  const packet = await live.patch(`${path}/packet`, { fees: [{ label: 'Pet fee', amount_cents: 1 }] });
  expect(etag(await live.get(`${path}/packet`))).toBe(etag(packet));
  expect(etag(await live.get(`/packets/${packet.body.id}`))).toBe(etag(packet));
});

it('lists have no ETag', async () => {
  expect((await live.get('/properties')).headers.get('etag')).toBeNull();
});
