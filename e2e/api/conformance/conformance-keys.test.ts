/** Tests the specification's section "Authentication", point by point, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY_SCOPE_NAMES } from '@/modules/api-keys/scopes';
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  writeBufferedApiKeyUses,
} from '@/modules/api-keys/service';
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
} from '../test-context';

let world: ApiTestContext;

beforeAll(async () => {
  world = await openApiTestContext();
});
afterAll(() => world.close());

const status = async (key: string) => (await createApiCaller(world.api, key).get('/properties')).status;
const code = async (key: string) => (await createApiCaller(world.api, key).get('/properties')).body.error?.code;

describe('1. Every request carries Authorization: Bearer <API_KEY>', () => {
  const ask = (authorization?: string) =>
    world.api.request<ResponseBody>(
      'GET',
      '/properties',
      authorization === undefined ? {} : { headers: { Authorization: authorization } },
    );

  it('accepts the scheme in any case, followed by one key', async () => {
    const { live } = world.team;
    for (const header of [`Bearer ${live}`, `bearer ${live}`, `BEARER   ${live}`])
      expect((await ask(header)).status).toBe(200);
  });

  it.each([
    ['Basic c2VydmljZQ==', 'api_key_malformed'],
    ['Bearer', 'api_key_malformed'],
    ['Bearer ', 'api_key_malformed'],
    ['Bearer service_live_sk_', 'api_key_malformed'],
    ['Bearer sk_live_0123456789012345678901234567890123456789', 'api_key_malformed'],
    ['Bearer service_prod_sk_0123456789012345678901234567890123456789', 'api_key_malformed'],
    ['Bearer service_live_pk_0123456789012345678901234567890123456789', 'api_key_malformed'],
    [`Bearer service_live_sk_${'x'.repeat(5_000)}`, 'api_key_malformed'],
  ])('401 for the header %s: %s', async (header, expected) => {
    const answer = await ask(header);
    expect(answer.status).toBe(401);
    expect(answer.body.error).toMatchObject({ type: 'authentication_error', code: expected });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('401 api_key_missing without the header', async () => {
    const answer = await ask();
    expect(answer.body.error).toMatchObject({ type: 'authentication_error', code: 'api_key_missing' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('ignores a key in the query or in the body', async () => {
    const answer = await world.api.request<ResponseBody>('GET', `/properties?api_key=${world.team.live}`);
    expect(answer.body.error.code).toBe('api_key_missing');
  });
});

describe('2. The key format is service_<env>_<type>_<random>', () => {
  it('keys are service_live_sk_… and service_test_sk_…; each sees only its own mode’s data', async () => {
    expect(world.team.live).toMatch(/^service_live_sk_[0-9A-Za-z]{32,}$/);
    expect(world.team.test).toMatch(/^service_test_sk_[0-9A-Za-z]{32,}$/);
    const team = await world.api.createTeam();
    const [live, sandbox] = [createApiCaller(world.api, team.live), createApiCaller(world.api, team.test)];
    const property = await makeProperty(live);
    expect((await sandbox.get('/properties')).body.data).toEqual([]);
    expect((await sandbox.get(`/properties/${property.id}`)).status).toBe(404);
  });

  it('5. the plaintext of a key is not stored', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const rows = await systemDb().apiKey.findMany({ where: { team_id: world.team.id } });
    for (const key of [world.team.live, world.team.test]) expect(JSON.stringify(rows)).not.toContain(key.slice(-20));
  });
});

describe('4. and 7. secret and restricted keys', () => {
  it('a restricted key can do what its scopes allow, and gets 403 permission_error for anything else', async () => {
    const team = await world.api.createTeam();
    const scope = createScopeForTestTeam(team, 'live');
    const { key } = await createApiKey(scope, { name: 'Reader', scopes: ['properties:read', 'webhooks:write'] });
    expect(key).toMatch(/^service_live_rk_/);
    const caller = createApiCaller(world.api, key);
    expect((await caller.get('/properties')).status).toBe(200);
    expect((await caller.get('/webhook_endpoints')).status).toBe(200);
    const refused = await caller.post('/properties', { name: 'A' });
    expect(refused.body.error).toMatchObject({ type: 'permission_error', code: 'insufficient_scope' });
    expect((await caller.get('/reservations')).status).toBe(403);
  });

  it('a key without scopes can do nothing', async () => {
    const caller = createApiCaller(world.api, await makeApiKey(world.team.id, { scopes: [] }));
    for (const path of [
      '/properties',
      '/reservations',
      '/certificates',
      '/sync_sources',
      '/sms_messages',
      '/webhook_endpoints',
    ]) {
      expect((await caller.get(path)).status).toBe(403);
    }
    // The specification has thirteen scopes. This pattern matches the scopes of our own beta
    // operations.
    const ours = /^(events|request_logs|test_clocks):/;
    expect(API_KEY_SCOPE_NAMES.filter((name) => !ours.test(name))).toHaveLength(13);
  });
});

describe('6. An optional per-key IP allowlist (CIDR or plain IPv4) blocks requests from outside', () => {
  it.each<[string, readonly string[], boolean]>([
    ['the plain address', ['127.0.0.1'], true],
    ['a CIDR that contains it', ['10.0.0.0/8', '127.0.0.0/8'], true],
    ['its IPv4-mapped IPv6 form', ['::ffff:127.0.0.0/104'], true],
    ['another address', ['127.0.0.2'], false],
    ['another range', ['192.0.2.0/24'], false],
    ['IPv6 only', ['2001:db8::/32'], false],
  ])('%s', async (_name, ip_allow, allowed) => {
    const key = await makeApiKey(world.team.id, { ip_allow });
    if (allowed) expect(await status(key)).toBe(200);
    else expect(await code(key)).toBe('ip_not_allowed');
  });

  it('behind a trusted proxy the client’s address decides; other X-Forwarded-For entries are ignored', async () => {
    const { setConfig } = await import('@/config');
    const key = await makeApiKey(world.team.id, { ip_allow: ['203.0.113.0/24'] });
    const via = (chain: string) =>
      world.api.request<ResponseBody>('GET', '/properties', { key, headers: { 'X-Forwarded-For': chain } });
    expect((await via('203.0.113.5')).status).toBe(403);
    setConfig({ trusted_proxies: ['127.0.0.1', '10.0.0.0/8'] });
    try {
      expect((await via('203.0.113.5')).status).toBe(200);
      expect((await via('203.0.113.5, 10.1.2.3')).status).toBe(200);
      expect((await via('203.0.113.5, 198.51.100.1')).status).toBe(403);
    } finally {
      setConfig({ trusted_proxies: [] });
    }
  });
});

describe('8. Revocation', () => {
  it('takes effect with the next request', async () => {
    const team = await world.api.createTeam();
    expect(await status(team.live)).toBe(200);
    await revokeApiKey(createScopeForTestTeam(team, 'live'), team.live_key_id);
    expect(await code(team.live)).toBe('api_key_revoked');
    expect(await status(team.test)).toBe(200);
  });
});

describe('10. Rotation', () => {
  it('creates a successor with the same settings; the old key works 24 hours, deprecated and audited', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const team = await world.api.createTeam();
    const scope = createScopeForTestTeam(team, 'live');
    const made = await createApiKey(scope, { name: 'Partner', scopes: ['properties:read'], ip_allow: ['127.0.0.0/8'] });
    const next = await rotateApiKey(scope, made.id);
    expect(next.row).toMatchObject({
      name: 'Partner',
      scopes: ['properties:read'],
      ip_allow: ['127.0.0.0/8'],
      type: 'restricted',
    });

    const old_call = await createApiCaller(world.api, made.key).get('/properties');
    expect([old_call.status, old_call.headers.get('deprecation')]).toEqual([200, 'true']);
    const new_call = await createApiCaller(world.api, next.key).get('/properties');
    expect([new_call.status, new_call.headers.get('deprecation')]).toEqual([200, null]);
    await writeBufferedApiKeyUses();
    const audits = await systemDb().auditLog.findMany({
      where: { team_id: team.id, action: 'api_key.deprecated_use' },
    });
    expect(audits).toHaveLength(1);
    expect(audits[0]).toMatchObject({ object_id: made.id, data: { method: 'GET', path: '/v1/properties' } });

    world.clock.advance(DAY_MS - 10 * SECOND_MS);
    expect(await status(made.key)).toBe(200);
    world.clock.advance(10 * SECOND_MS);
    expect(await code(made.key)).toBe('api_key_expired');
    expect(await status(next.key)).toBe(200);
    await expect(rotateApiKey(scope, made.id)).rejects.toMatchObject({ code: 'concurrent_edit' });
  });

  it('error responses carry the Deprecation header too', async () => {
    const key = await makeApiKey(world.team.id, { expires_at: new Date(world.clock.now().getTime() + DAY_MS) });
    const answer = await createApiCaller(world.api, key).get('/properties/prop_nothing00');
    expect([answer.status, answer.headers.get('deprecation')]).toEqual([404, 'true']);
  });
});

describe('11. Each mode (live, test) allows at most 3 keys', () => {
  it('a rotated key in its 24 hours does not count, and each mode has its own three', async () => {
    const team = await world.api.createTeam();
    const scope = createScopeForTestTeam(team, 'live');
    const second = await createApiKey(scope, { name: 'Second' });
    await createApiKey(scope, { name: 'Third' });
    await expect(createApiKey(scope, { name: 'Fourth' })).rejects.toMatchObject({
      code: 'invalid_field',
      param: 'mode',
    });
    await rotateApiKey(scope, second.id);
    await expect(createApiKey(scope, { name: 'Fourth' })).rejects.toMatchObject({ code: 'invalid_field' });
    await createApiKey(createScopeForTestTeam(team, 'test'), { name: 'Second of test' });
    await revokeApiKey(scope, team.live_key_id);
    await createApiKey(scope, { name: 'In its place' });
    expect(await listApiKeys(scope)).toHaveLength(5);
  });

  it('concurrent creations cannot exceed the limit', async () => {
    const team = await world.api.createTeam();
    const scope = createScopeForTestTeam(team, 'live');
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => createApiKey(scope, { name: `Key ${index}` })),
    );
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(2);
  });
});

describe('the request log', () => {
  it('attributes refused requests to the owner of the key, and unauthenticated ones to no team', async () => {
    const { flushRequestLog } = await import('@/api/rest/request-log');
    const { systemDb } = await import('@/infra/db/client');
    const key = await makeApiKey(world.team.id, { ip_allow: ['192.0.2.0/24'] });
    const ids: string[] = [];
    for (const text of [key, key.replace('_live_', '_test_'), `${key.slice(0, -4)}AAAA`]) {
      const answer = await world.api.request<ResponseBody>('GET', '/properties', { key: text });
      ids.push(answer.headers.get('x-request-id') ?? '');
    }
    await flushRequestLog();
    const rows = await systemDb().requestLog.findMany({ where: { id: { in: ids } }, orderBy: { id: 'asc' } });
    expect(rows.map(({ team_id, mode, error_code }) => [team_id, mode, error_code])).toEqual([
      [world.team.id, 'live', 'ip_not_allowed'],
      [world.team.id, 'live', 'api_key_wrong_environment'],
      [null, null, 'api_key_invalid'],
    ]);
    const { last_used_at } = await systemDb().apiKey.findUniqueOrThrow({ where: { id: rows[0]?.api_key_id ?? '' } });
    expect(last_used_at).toBeNull();
  });
});
