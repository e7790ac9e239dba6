import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trpcBuilder } from '@/api/trpc/init';
import { systemDb } from '@/infra/db/client';
import { requestLogsRouter } from '@/modules/request-log/router';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Mode } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { addTestUserToTeams, insertTeams } from '@/testing/team';
import { apiKeysRouter } from './dashboard.router';
import { authenticateApiKey } from './service';

let now = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const HOUR = 3_600_000;

beforeAll(async () => {
  await openTestDatabase();
  setClock({ now: () => now });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

let team: string;
beforeEach(async () => {
  team = newId('team');
  await insertTeams(team);
  await addTestUserToTeams(team);
});

function contextOf(role: 'owner' | 'manager', mode: Mode, team_id: string) {
  return {
    request_id: 'req_test',
    surface: 'dashboard' as const,
    scope: { team_id, mode, actor: { kind: 'user' as const, id: 'user_1', name: 'Olga', role } },
    user: { id: 'user_1', name: 'Olga', email: 'olga@example.com', role, session_id: 's' },
    ip: null,
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
  };
}
const keysOf = (role: 'owner' | 'manager' = 'owner', mode: Mode = 'test', team_id = team) =>
  trpcBuilder.createCallerFactory(apiKeysRouter)(contextOf(role, mode, team_id));
const logsOf = (mode: Mode = 'test', team_id = team) =>
  trpcBuilder.createCallerFactory(requestLogsRouter)(contextOf('manager', mode, team_id));
const appError = (code: string, param: string | null = null) =>
  expect.objectContaining({ cause: expect.objectContaining({ code, param }) });

describe('API keys in the dashboard', () => {
  it('a key is shown once, and afterwards only by its hint', async () => {
    const { api_key, key } = await keysOf().create({ name: ' Channel manager ', scopes: null });
    expect(key).toMatch(/^service_test_sk_/);
    expect(api_key).toMatchObject({
      name: 'Channel manager',
      type: 'secret',
      scopes: [],
      state: 'active',
      hint: `service_test_sk_…${key.slice(-4)}`,
      last_used_at: null,
    });
    const list = await keysOf('manager').list();
    expect(list).toMatchObject({ active: 1, limit: 3, data: [api_key] });
    expect(JSON.stringify(list)).not.toContain(key.slice(16, 28));
    await expect(authenticateApiKey(`Bearer ${key}`, null)).resolves.toMatchObject({ key_id: api_key.id });
  });

  it('a restricted key has its scopes and IP ranges, in normalized form', async () => {
    const input = { name: 'Reader', scopes: ['reservations:read', 'webhooks:write'], ip_allow: ['10.1.2.3/8'] };
    const { api_key, key } = await keysOf().create(input);
    expect(api_key).toMatchObject({ type: 'restricted', scopes: input.scopes, ip_allow: ['10.0.0.0/8'] });
    await expect(authenticateApiKey(`Bearer ${key}`, '192.0.2.1')).rejects.toMatchObject({ code: 'ip_not_allowed' });
  });

  it.each([
    [{ name: ' ', scopes: null }, 'name'],
    [{ name: 'x'.repeat(81), scopes: null }, 'name'],
    [{ name: 'A', scopes: ['keys:write'] }, 'scopes[0]'],
  ])('refuses to create the key %j', async (input, param) => {
    await expect(keysOf().create(input as never)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { issues: [{ path: param.includes('[') ? ['scopes', 0] : [param] }] },
    });
  });

  it.each([
    [{ name: 'A', scopes: [] }, 'missing_required_field', 'scopes'],
    [{ name: 'A', scopes: null, ip_allow: ['10.1'] }, 'invalid_field', 'ip_allow'],
  ])('refuses to create the key %j', async (input, code, param) => {
    await expect(keysOf().create(input)).rejects.toEqual(appError(code, param));
  });

  it('a chain of rotations leaves at most three working predecessors', async () => {
    let { id } = (await keysOf().create({ name: 'Chain', scopes: null })).api_key;
    for (let turn = 0; turn < 3; turn += 1) ({ id } = (await keysOf().rotate({ id })).api_key);
    await expect(keysOf().rotate({ id })).rejects.toMatchObject({
      cause: { code: 'invalid_field', message: expect.stringContaining('Three rotated keys') },
    });
  });

  it('managers can list keys but not create, rotate or revoke them', async () => {
    const { api_key } = await keysOf().create({ name: 'A', scopes: null });
    const refused = appError('insufficient_scope');
    await expect(keysOf('manager').create({ name: 'B', scopes: null })).rejects.toEqual(refused);
    await expect(keysOf('manager').rotate({ id: api_key.id })).rejects.toEqual(refused);
    await expect(keysOf('manager').revoke({ id: api_key.id })).rejects.toEqual(refused);
    expect((await keysOf('manager').list()).data).toEqual([api_key]);
  });

  it('a fourth key of a mode is refused, and the other mode has its own limit', async () => {
    for (const name of ['A', 'B', 'C']) await keysOf().create({ name, scopes: null });
    await expect(keysOf().create({ name: 'D', scopes: null })).rejects.toEqual(appError('invalid_field', 'mode'));
    await expect(keysOf('owner', 'live').create({ name: 'D', scopes: null })).resolves.toBeDefined();
    expect(await keysOf().list()).toMatchObject({ active: 3, limit: 3 });
  });

  it('a rotation keeps the old key working for 24 hours, and a revocation ends it at once', async () => {
    const { api_key: old, key: old_key } = await keysOf().create({ name: 'A', scopes: null });
    const { api_key, key, old_expires_at } = await keysOf().rotate({ id: old.id });
    expect(old_expires_at).toBe(new Date(now.getTime() + 24 * HOUR).toISOString());
    const states = async () => Object.fromEntries((await keysOf().list()).data.map((row) => [row.id, row.state]));
    expect(await states()).toEqual({ [old.id]: 'deprecated', [api_key.id]: 'active' });
    await expect(authenticateApiKey(`Bearer ${old_key}`, null)).resolves.toMatchObject({ deprecated: true });
    await expect(authenticateApiKey(`Bearer ${key}`, null)).resolves.toMatchObject({ deprecated: false });
    await keysOf().revoke({ id: api_key.id });
    await expect(authenticateApiKey(`Bearer ${key}`, null)).rejects.toMatchObject({ code: 'api_key_revoked' });
    later(24 * HOUR);
    expect(await states()).toEqual({ [old.id]: 'expired', [api_key.id]: 'revoked' });
  });

  it('keys of another team or mode are not found', async () => {
    const { api_key } = await keysOf().create({ name: 'A', scopes: null });
    const stranger = newId('team');
    await insertTeams(stranger);
    await addTestUserToTeams(stranger);
    for (const caller of [keysOf('owner', 'live'), keysOf('owner', 'test', stranger)]) {
      expect((await caller.list()).data).toEqual([]);
      for (const call of [caller.rotate, caller.revoke, caller.usage]) {
        await expect(call({ id: api_key.id })).rejects.toEqual(appError('resource_missing'));
      }
    }
  });
});

let requests = 0;
/** Inserts an entry into the request log. */
async function logged(line: Partial<Parameters<ReturnType<typeof systemDb>['requestLog']['create']>[0]['data']>) {
  requests += 1;
  const id = newId('request');
  await systemDb().requestLog.create({
    data: {
      id,
      team_id: team,
      mode: 'test',
      method: 'GET',
      path: '/v1/reservations',
      status: 200,
      duration_ms: requests,
      created_at: now,
      ...line,
    },
  });
  return id;
}

describe('the calls made with a key', () => {
  it('after a rotation are grouped by operation and program, most frequent first', async () => {
    const { api_key } = await keysOf().create({ name: 'A', scopes: null });
    await logged({ api_key_id: api_key.id });
    later(HOUR);
    await keysOf().rotate({ id: api_key.id });
    const since = now;
    const call = { api_key_id: api_key.id, user_agent: 'smart-lock/2', ip: '192.0.2.1' };
    for (const tail of ['01jd8z6q0v7m3k5n9r2t4w6y8a', '01jd8z6q0v7m3k5n9r2t4w6y8b']) {
      later(1_000);
      await logged({ ...call, path: `/v1/reservations/res_${tail}/send`, method: 'POST' });
    }
    await logged({ ...call, path: '/v1/webhook_endpoints', user_agent: null, ip: null });
    await logged({ ...call, path: '/v1/sms_messages', user_agent: null, ip: null, created_at: since });
    await logged({ api_key_id: 'key_other' });
    expect(await keysOf('manager').usage({ id: api_key.id })).toEqual({
      since: since.toISOString(),
      total: 4,
      last_at: now.toISOString(),
      calls: [
        {
          method: 'POST',
          route: '/v1/reservations/{id}/send',
          user_agent: 'smart-lock/2',
          ips: ['192.0.2.1'],
          count: 2,
          last_at: now.toISOString(),
        },
        expect.objectContaining({ method: 'GET', route: '/v1/webhook_endpoints', ips: [], count: 1 }),
        expect.objectContaining({ method: 'GET', route: '/v1/sms_messages', count: 1 }),
      ],
    });
  });
});

describe('the request log', () => {
  it('is filtered by status class, method, part of the path, key and error code, and paginated', async () => {
    const ok = await logged({ api_key_id: 'key_a' });
    later(1_000);
    const missing = await logged({ path: '/v1/Reservations/res_1', status: 404, error_code: 'resource_missing' });
    later(1_000);
    const broken = await logged({ method: 'POST', path: '/v1/properties', status: 500, error_code: 'internal_error' });
    const ids = async (query: object) => (await logsOf().list(query)).data.map((row) => row.id);
    expect(await ids({})).toEqual([broken, missing, ok]);
    expect(await ids({ statuses: ['2xx'] })).toEqual([ok]);
    expect(await ids({ statuses: ['4xx'] })).toEqual([missing]);
    expect(await ids({ statuses: ['5xx', '2xx'] })).toEqual([broken, ok]);
    const at = async (id: string) => (await logsOf().retrieve({ id })).created_at;
    expect(await ids({ from: await at(missing) })).toEqual([broken, missing]);
    expect(await ids({ from: await at(missing), to: await at(broken) })).toEqual([missing]);
    expect(await ids({ method: 'POST' })).toEqual([broken]);
    expect(await ids({ path: 'reservations' })).toEqual([missing, ok]);
    expect(await ids({ path: '%' })).toEqual([]);
    expect(await ids({ api_key: 'key_a' })).toEqual([ok]);
    expect(await ids({ error_code: 'resource_missing', statuses: ['4xx'] })).toEqual([missing]);
    const page = await logsOf().list({ limit: 2 });
    expect(page).toMatchObject({ has_more: true });
    expect(await ids({ limit: 2, starting_after: page.data[1]!.id })).toEqual([ok]);
    expect(await ids({ limit: 2, ending_before: ok })).toEqual([broken, missing]);
  });

  it('contains the exact response of a failed request', async () => {
    const error_body = '{"error":{"type":"invalid_request_error","code":"invalid_field","message":"Ça «non»."}}';
    const id = await logged({ status: 400, error_code: 'invalid_field', error_body, user_agent: 'curl/8', ip: '::1' });
    expect(await logsOf().retrieve({ id: ` ${id} ` })).toMatchObject({
      id,
      error_body,
      user_agent: 'curl/8',
      ip: '::1',
    });
    expect((await logsOf().list({})).data[0]).not.toHaveProperty('error_body');
    expect((await logsOf().list({})).data[0]).not.toHaveProperty('request_body');
  });

  it('contains nothing of another team or mode', async () => {
    const id = await logged({});
    for (const caller of [logsOf('live'), logsOf('test', newId('team'))]) {
      expect((await caller.list({})).data).toEqual([]);
      await expect(caller.retrieve({ id })).rejects.toEqual(appError('resource_missing'));
    }
  });
});
