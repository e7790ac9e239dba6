/**
 * Tests that a write never silently ignores a read-only field. The cases are generated from the
 * operations, so new operations and fields are included.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { listRoutes, type Route } from '@/api/rest/routes';
import { appRouter } from '@/api/router';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  makeProperty,
  makeReservation,
  makeTestClock,
  makeWebhookEndpoint,
  openApiTestContext,
  type ResponseBody,
} from './test-context';

let world: ApiTestContext;
const paths: Record<string, string> = {};

beforeAll(async () => {
  world = await openApiTestContext();
  const live = createApiCaller(world.api, world.team.live);
  const property = await makeProperty(live);
  const packet = (await live.get(`/properties/${property.id}/packet`)).body;
  paths['/properties/{id}'] = `/properties/${property.id}`;
  paths['/properties/{id}/packet'] = `/properties/${property.id}/packet`;
  paths['/properties/{id}/packets'] = `/properties/${property.id}/packets`;
  paths['/packets/{id}'] = `/packets/${packet.id}`;
  paths['/reservations/{id}'] = `/reservations/${(await makeReservation(live, world.clock, property.id)).id}`;
  paths['/webhook_endpoints/{id}'] = `/webhook_endpoints/${(await makeWebhookEndpoint(live)).id}`;
  paths['/test_clocks/{id}/advance'] =
    `/test_clocks/${(await makeTestClock(createApiCaller(world.api, world.team.test))).id}/advance`;
});
afterAll(() => world.close());

type Fields = Record<string, z.ZodType>;
const shapeOf = (schema: unknown) => (schema as { shape: Fields }).shape;
const inputSchemaOf = ({ procedure }: Route) =>
  (procedure._def as unknown as { inputs: unknown[] }).inputs[0] as z.ZodType;
const inputOf = ({ procedure }: Route) => shapeOf((procedure._def as unknown as { inputs: unknown[] }).inputs[0]);
const outputOf = ({ procedure }: Route) => shapeOf((procedure._def as unknown as { output: unknown }).output);
const isReadOnly = (field: z.ZodType | undefined) => field?.meta()?.description?.startsWith('Read-only') ?? false;

const routes = listRoutes(appRouter);
const creates = routes.filter(({ method, meta }) => method === 'POST' && meta.success_status === 201);
const actions = routes.filter(({ method, meta }) => method === 'POST' && meta.success_status !== 201);
const updates = routes.filter(({ method }) => method === 'PATCH' || method === 'PUT');

const callerFor = ({ pattern }: Route): ApiCaller =>
  createApiCaller(world.api, pattern.startsWith('/test_clocks') ? world.team.test : world.team.live);
const pathOf = ({ pattern }: Route) => paths[pattern] ?? pattern;
const named = (list: readonly Route[]) => list.map((route) => ({ name: `${route.method} ${route.pattern}`, route }));

/**
 * Returns the body's fields that the operation refuses as unknown. Either the schema does not have
 * them, or the path already contains them.
 */
function unknownOf(route: Route, body: Record<string, unknown>): string[] {
  const { issues = [] } = inputSchemaOf(route).safeParse(body).error ?? {};
  return [
    ...issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : [])),
    ...Object.keys(body).filter((name) => route.pattern.includes(`{${name}}`)),
  ];
}

describe.each(named(creates))('$name', ({ route }) => {
  it('rejects each field of the resource that cannot be set, and accepts `object`', async () => {
    const settable = Object.keys(inputOf(route)).filter((name) => !route.pattern.includes(`{${name}}`));
    for (const name of Object.keys(outputOf(route)))
      if (!settable.includes(name)) expect(unknownOf(route, { [name]: null })).toEqual([name]);
    expect(settable).toContain('object');
    const wrong = await callerFor(route).post(pathOf(route), { object: 'something_else' });
    expect([wrong.status, wrong.body.error?.param]).toEqual([400, 'object']);
  });
});

describe('the response to a create', () => {
  it('contains the URL of the resource in `Location`', async () => {
    const live = createApiCaller(world.api, world.team.live);
    const property = await live.post('/properties', { name: 'Loft' });
    const variant = await live.post(`/properties/${property.body.id}/packets`, { name: 'Summer' });
    for (const [answer, path] of [
      [property, '/properties'],
      [variant, '/packets'],
    ] as const) {
      const location = answer.headers.get('location') ?? '';
      expect(location).toBe(`${world.api.url}${path}/${answer.body.id}`);
      expect((await live.get(location.slice(world.api.url.length))).body).toEqual(answer.body);
    }
    expect((await live.get('/properties')).headers.get('location')).toBeNull();
  });
});

describe.each(named([...creates, ...actions]))('$name', ({ route }) => {
  it('rejects an id in its body', async () => {
    const { status, body } = await callerFor(route).post(pathOf(route), { id: 'x' });
    const first_missing = status === 400 && body.error.code === 'missing_required_field';
    expect([status, first_missing ? 'id' : body.error.param]).toEqual([400, 'id']);
    expect(unknownOf(route, { id: 'x', no_such_field: 1 })).toEqual(expect.arrayContaining(['no_such_field', 'id']));
  });
});

const isTimestamp = (name: string) => /_(at|until)$/.test(name);

/** Returns a value of the same kind that differs from the stored one. */
function another(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (Array.isArray(value)) return [...value, 'x'];
  if (value !== null && typeof value === 'object') return { ...value, state_label: 'x' };
  return typeof value === 'string' ? `${value}x` : 'sig_aaaaaaaaaaaa';
}

describe.each(named(updates))('$name', ({ route }) => {
  it('accepts every field of the resource as it was read', async () => {
    const caller = callerFor(route);
    const stored: ResponseBody = (await caller.get(pathOf(route))).body;
    for (const name of Object.keys(outputOf(route)))
      expect(Object.keys(inputOf(route)), `${name} is in no input`).toContain(
        name === 'email_preview_url' ? 'id' : name,
      );
    const call = route.method === 'PUT' ? caller.put : caller.patch;
    const answer = await call(pathOf(route), stored);
    const { updated_at: _before, ...before } = stored;
    const { updated_at: _after, ...after } = answer.body;
    expect([answer.status, after]).toEqual([200, before]);
  });

  it('rejects a changed value of a read-only field, but accepts any timestamp', async () => {
    const caller = callerFor(route);
    const stored: ResponseBody = (await caller.get(pathOf(route))).body;
    const call = route.method === 'PUT' ? caller.put : caller.patch;
    const read_only = Object.entries(inputOf(route)).filter(([, field]) => isReadOnly(field));
    expect(read_only.length).toBeGreaterThan(0);
    for (const [name] of read_only) {
      const value = isTimestamp(name) ? '2020-02-02T02:02:02.000Z' : another(stored[name]);
      const { status, body } = await call(pathOf(route), { [name]: value });
      const expected = isTimestamp(name) ? [name, 200, undefined] : [name, 400, name];
      expect([name, status, body.error?.param], JSON.stringify(body)).toEqual(expected);
    }
  });
});
