/**
 * Calls every operation of the router with every kind of wrong key. The calls are generated from
 * the router. An operation without a case in cases.ts fails.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRoutes, type Route } from '@/api/rest/routes';
import { appRouter } from '@/api/router';
import { API_KEY_SCOPE_NAMES, isScopeGranted } from '@/modules/api-keys/scopes';
import type { Mode } from '@/shared/scope';
import type { TestTeam } from '@/testing/api';
import {
  API_OPERATION_TEST_CASES,
  type ApiOperationTestCaseContext,
  fillPathParameters,
  type PreparedApiCall,
} from './cases';
import {
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  DAY_MS,
  makeApiKey,
  makeProperty,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  type TestResponse,
} from './test-context';

/** Operations for which the specification lists the status 402. */
const LISTS_402 = [
  'GET /properties',
  'POST /properties',
  'POST /reservations',
  'POST /properties/{id}/packets',
  'POST /packets/{id}/restore',
];

/** Operations that create a resource which exists only in test mode. */
const TEST_MODE_ONLY = ['test_clocks.create'];

const routes = listRoutes(appRouter);
const rows = routes.map((route) => [`${route.method} ${route.pattern}`, route] as const);

let world: ApiTestContext;
let other: TestTeam;
let free_key: string;
const grounds = new Map<string, ApiOperationTestCaseContext>();

beforeAll(async () => {
  world = await openApiTestContext();
  other = await world.api.createTeam({ name: 'Someone else' });
  free_key = (await world.api.createTeam({ plan: 'free' })).live;
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().team.updateMany({ data: { property_limit: 1_000 } });
});
afterAll(() => world.close());

async function ground(team: TestTeam, mode: Mode): Promise<ApiOperationTestCaseContext> {
  const key = `${team.id} ${mode}`;
  let known = grounds.get(key);
  if (!known) {
    const caller = createApiCaller(world.api, team[mode]);
    known = {
      caller,
      scope: createScopeForTestTeam(team, mode),
      clock: world.clock,
      property: await makeProperty(caller),
    };
    grounds.set(key, known);
  }
  return known;
}

async function prepare(route: Route, team = world.team, mode?: Mode): Promise<PreparedApiCall> {
  const found = API_OPERATION_TEST_CASES[route.name];
  if (!found) throw new Error(`Give ${route.name} a case in e2e/api/cases.ts.`);
  // Removes all endpoints, because every case creates one and a mode may have at most sixteen.
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().webhookEndpoint.deleteMany();
  return found.prepare(await ground(team, mode ?? modeOf(route)));
}

const modeOf = (route: Route): Mode => API_OPERATION_TEST_CASES[route.name]?.mode ?? 'live';

/** Advances the clock so that the rate limit per address never applies, and sends the call. */
function send(route: Route, call: PreparedApiCall, key?: string): Promise<TestResponse> {
  world.clock.advance(2 * SECOND_MS);
  return world.api.request<ResponseBody>(route.method, fillPathParameters(route.pattern, call.params), {
    key,
    body: call.body,
  });
}

/** Returns a call with ids that do not exist, for tests of checks that precede the lookup. */
const nowhere = (route: Route): PreparedApiCall => ({
  params: Object.fromEntries([...route.pattern.matchAll(/\{([^}]+)\}/g)].map(([, name]) => [name ?? '', 'nothing'])),
});

function expectError(answer: TestResponse, status: number, code: string): void {
  expect({ status: answer.status, code: answer.body?.error?.code }).toEqual({ status, code });
}

describe.each(rows)('%s', (row, route) => {
  it('succeeds with a restricted key that holds exactly its scope', async () => {
    const call = await prepare(route);
    const key = await makeApiKey(world.team.id, { mode: modeOf(route), scopes: [route.meta.scope] });
    const answer = await send(route, call, key);
    expect({ status: answer.status, text: answer.text.slice(0, 300) }).toMatchObject({
      status: route.meta.success_status,
    });
    expect(world.validator.seen).toContain(`${route.name.replace('.', '_')} ${route.meta.success_status}`);
  });

  it('401 api_key_missing without a key', async () => {
    expectError(await send(route, nowhere(route)), 401, 'api_key_missing');
  });

  it('401 api_key_malformed with a broken key', async () => {
    expectError(await send(route, nowhere(route), 'service_live_sk_short'), 401, 'api_key_malformed');
    expectError(await send(route, nowhere(route), `${world.team.live}!`), 401, 'api_key_malformed');
  });

  it('401 api_key_invalid with an unknown key', async () => {
    const last = world.team.live.at(-1) === 'a' ? 'b' : 'a';
    expectError(await send(route, nowhere(route), world.team.live.slice(0, -1) + last), 401, 'api_key_invalid');
    expectError(await send(route, nowhere(route), `service_live_sk_${'x'.repeat(40)}`), 401, 'api_key_invalid');
  });

  it('401 api_key_wrong_environment when the key names the other environment', async () => {
    const key = world.team.live.replace('_live_', '_test_');
    expectError(await send(route, nowhere(route), key), 401, 'api_key_wrong_environment');
  });

  it('401 api_key_revoked with a revoked key', async () => {
    const key = await makeApiKey(world.team.id, { revoked_at: world.clock.now() });
    expectError(await send(route, nowhere(route), key), 401, 'api_key_revoked');
  });

  it('401 api_key_expired with a rotated key after its 24 hours', async () => {
    const key = await makeApiKey(world.team.id, { expires_at: new Date(world.clock.now().getTime() - 1) });
    expectError(await send(route, nowhere(route), key), 401, 'api_key_expired');
  });

  it('403 ip_not_allowed from an address outside the allowlist', async () => {
    const key = await makeApiKey(world.team.id, { ip_allow: ['203.0.113.0/24', '2001:db8::/32'] });
    expectError(await send(route, nowhere(route), key), 403, 'ip_not_allowed');
  });

  it('403 insufficient_scope, naming the scope, with a key that has every other scope', async () => {
    const scopes = API_KEY_SCOPE_NAMES.filter((scope) => !isScopeGranted([scope], route.meta.scope));
    const answer = await send(route, nowhere(route), await makeApiKey(world.team.id, { scopes }));
    expectError(answer, 403, 'insufficient_scope');
    expect(answer.body.error.type).toBe('permission_error');
    expect(answer.body.error.message).toContain(`\`${route.meta.scope}\``);
  });

  it('a rotated key still works within its 24 hours, with Deprecation: true', async () => {
    const key = await makeApiKey(world.team.id, { expires_at: new Date(world.clock.now().getTime() + DAY_MS) });
    const answer = await send(route, nowhere(route), key);
    expect(answer.status).not.toBe(401);
    expect(answer.headers.get('deprecation')).toBe('true');
  });

  it('does not see resources of the other mode or of another team', async () => {
    const own = modeOf(route);
    const foreign = own === 'live' ? 'test' : 'live';
    const cases: [PreparedApiCall, string][] = [
      [await prepare(route, world.team, own), world.team[foreign]],
      [await prepare(route, other, own), world.team[own]],
    ];
    for (const [call, key] of cases) await expectInvisible(route, call, key);
  });

  it(LISTS_402.includes(row) ? '402 plan_required on the free plan' : 'does not need the Pro plan', async () => {
    const answer = await send(route, nowhere(route), free_key);
    if (LISTS_402.includes(row)) expectError(answer, 402, 'plan_required');
    else expect(answer.body?.error?.code).not.toBe('plan_required');
  });
});

/**
 * Checks that a caller cannot see another team's resource. A call that names the resource returns
 * 404, a list omits the resource, and a create succeeds in the caller's own team.
 */
async function expectInvisible(route: Route, call: PreparedApiCall, key: string): Promise<void> {
  const before = await snapshot();
  const answer = await send(route, call, key);
  const names_resource = Object.keys(call.params).length > 0 || 'property_id' in ((call.body ?? {}) as object);
  if (names_resource) {
    expectError(answer, 404, 'resource_missing');
    expect(await snapshot(), 'nothing may be written').toEqual(before);
  } else if (route.method === 'GET') {
    expect(answer.status).toBe(200);
    const listed: { id: string }[] = answer.body.data;
    const own = await owned(key === other.live || key === other.test ? other : world.team, key);
    for (const { id } of listed) expect(own).toContain(id);
  } else if (TEST_MODE_ONLY.includes(route.name) && key.includes('_live_')) {
    expectError(answer, 400, 'test_mode_only');
  } else {
    expect(answer.status).toBe(route.meta.success_status);
  }
}

/** Returns the number of rows, and of changes, in each table that an operation can write. */
async function snapshot(): Promise<unknown> {
  const { systemDb } = await import('@/infra/db/client');
  return systemDb().$queryRawUnsafe(`
    SELECT count(*)::int AS rows, sum(version)::int AS versions FROM properties
    UNION ALL SELECT count(*), sum(version) FROM packets UNION ALL SELECT count(*), sum(version) FROM reservations
    UNION ALL SELECT count(*), sum(version) FROM webhook_endpoints
    UNION ALL SELECT count(*), 0 FROM webhook_deliveries UNION ALL SELECT count(*), 0 FROM events
    UNION ALL SELECT count(*), 0 FROM trail_entries UNION ALL SELECT count(*), 0 FROM mail_messages
    UNION ALL SELECT count(*), 0 FROM sync_runs`);
}

/** Returns the ids of all of a team's resources in the key's mode. */
async function owned(team: TestTeam, key: string): Promise<Set<string>> {
  const { systemDb } = await import('@/infra/db/client');
  const db = systemDb();
  const where = { team_id: team.id, mode: key === team.live ? 'live' : 'test' } as const;
  const select = { id: true };
  const found = [
    await db.property.findMany({ where, select }),
    await db.reservation.findMany({ where, select }),
    await db.signature.findMany({ where, select }),
    await db.syncSource.findMany({ where, select }),
    await db.smsMessage.findMany({ where, select }),
    await db.webhookEndpoint.findMany({ where, select }),
    await db.testClock.findMany({ where, select }),
    await db.event.findMany({ where, select }),
    await db.requestLog.findMany({ where, select }),
  ];
  return new Set(found.flat().map((row) => row.id));
}

describe('the matrix itself', () => {
  it('has a case for every operation, and no case without one', () => {
    const names = routes.map((route) => route.name);
    for (const name of names) expect(Object.keys(API_OPERATION_TEST_CASES)).toContain(name);
    for (const name of Object.keys(API_OPERATION_TEST_CASES)) expect(names).toContain(name);
  });

  it('marks exactly the operations whose row lists 402', () => {
    const marked = routes.filter((route) => route.meta.pro_only).map((route) => `${route.method} ${route.pattern}`);
    expect(marked.sort()).toEqual([...LISTS_402].sort());
  });
});
