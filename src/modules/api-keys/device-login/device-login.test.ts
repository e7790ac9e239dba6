/**
 * Tests device logins: the two endpoints that a terminal calls, and the dashboard's three
 * procedures.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trpcBuilder } from '@/api/trpc/init';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { setClock } from '@/shared/clock';
import type { Mode } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { insertTeam } from '@/testing/team';
import { apiKeysRouter } from '../dashboard.router';
import { authenticateApiKey, createApiKey } from '../service';
import { handleDeviceCodeRequest, handleDeviceTokenRequest } from './http';

let now = new Date('2026-03-01T12:00:00.000Z');
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: 'https://threshold.example' });
  setClock({ now: () => now });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

interface Member {
  id: string;
  user_id: string;
  team_id: string;
}
let olga: Member;
let people = 0;

async function newOwner(): Promise<Member> {
  people += 1;
  const { team_id } = await insertTeam('live', `olga${people}@example.com`);
  const { id, userId } = await systemDb().member.findFirstOrThrow({ where: { organizationId: team_id } });
  return { id, user_id: userId, team_id };
}

beforeEach(async () => {
  await systemDb().deviceLogin.deleteMany();
  await systemDb().tally.deleteMany();
  olga = await newOwner();
});

const pageOf = ({ team_id, user_id }: Member, role: 'owner' | 'manager' = 'owner', mode: Mode = 'live') =>
  trpcBuilder.createCallerFactory(apiKeysRouter)({
    request_id: 'req_test',
    surface: 'dashboard',
    scope: { team_id, mode, actor: { kind: 'user', id: user_id, name: 'Olga', role }, ip: '192.0.2.9' },
    user: { id: user_id, name: 'Olga', email: 'olga@example.com', role, session_id: 's' },
    ip: '192.0.2.9',
    user_agent: null,
    if_match: null,
    reply: { headers: {} },
  });

const appError = (code: string) => expect.objectContaining({ cause: expect.objectContaining({ code }) });

async function post(door: typeof handleDeviceCodeRequest, form: Record<string, string>, ip = '198.51.100.7') {
  const response = await door(
    new Request('https://threshold.example/', {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'threshold-cli', ...form }),
      headers: { [CLIENT_IP_ADDRESS_HEADER]: ip },
    }),
  );
  expect(response.headers.get('cache-control')).toBe('no-store');
  return { status: response.status, headers: response.headers, body: await response.json() };
}
const ask = async (form: Record<string, string> = {}) =>
  (await post(handleDeviceCodeRequest, { device_name: 'ada-laptop', ...form })).body;
const GRANT = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' };
const poll = (device_code: string) => post(handleDeviceTokenRequest, { ...GRANT, device_code });

describe('a terminal that requests a key', () => {
  it('gets codes and a URL, and polls until an owner answers', async () => {
    const codes = await ask();
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: 'https://threshold.example/device',
      verification_uri_complete: `https://threshold.example/device?code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(await poll(codes.device_code)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } });
  });

  it('gets a test key of the approving owner’s team, once', async () => {
    const { device_code, user_code } = await ask();
    expect(await pageOf(olga).find_device({ user_code })).toEqual({
      device_name: 'ada-laptop',
      ip: '198.51.100.7',
      mode: 'test',
      scopes: [],
      key_name: 'Command line on ada-laptop',
      expires_at: new Date(now.getTime() + 600_000).toISOString(),
      active: 0,
      limit: 3,
    });
    await pageOf(olga).allow_device({ user_code: user_code.toLowerCase(), scopes: null });
    expect(await pageOf(olga, 'owner', 'test').list()).toMatchObject({ data: [] });
    const { status, body } = await poll(device_code);
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.stringMatching(/^service_test_sk_/),
        token_type: 'Bearer',
        mode: 'test',
        expires_in: 90 * 86_400,
      },
    ]);
    const principal = await authenticateApiKey(`Bearer ${body.access_token}`, null);
    expect(principal).toMatchObject({ scope: { team_id: olga.team_id, mode: 'test' }, scopes: 'all' });
    later(10);
    expect((await poll(device_code)).body).toEqual({ error: 'invalid_grant' });
    const log = await systemDb().auditLog.findMany({ where: { team_id: olga.team_id }, orderBy: { id: 'asc' } });
    expect(log.map(({ action, actor, actor_name, mode, ip }) => [action, actor, actor_name, mode, ip])).toEqual([
      ['api_key.device_allowed', olga.user_id, 'Olga', null, '192.0.2.9'],
      ['api_key.created', olga.user_id, 'Olga', 'test', '198.51.100.7'],
    ]);
    expect(JSON.stringify(log)).not.toContain(user_code);
    expect(await systemDb().deviceLogin.count()).toBe(0);
  });

  it('gets exactly one key when it polls concurrently', async () => {
    const { device_code, user_code } = await ask();
    await pageOf(olga).allow_device({ user_code, scopes: null });
    // The clock advances by ten seconds with each reading, so that no poll is too early.
    setClock({
      now: () => {
        later(10);
        return now;
      },
    });
    // Slows down the removal of the request, so that every poll finds it.
    await systemDb().$executeRaw`create function pause() returns trigger language plpgsql as
      'begin perform pg_sleep(0.5); return null; end'`;
    await systemDb().$executeRaw`create trigger pause before delete on device_logins execute function pause()`;
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_, turn) => {
        await sleep(turn * 40);
        return poll(device_code);
      }),
    );
    await systemDb().$executeRaw`drop function pause() cascade`;
    setClock({ now: () => now });
    const refused = answers.filter(({ status }) => status !== 200).map(({ body }) => body.error);
    expect(refused).toHaveLength(5);
    // The order in which the database handles the polls determines their errors.
    for (const error of refused) expect(['invalid_grant', 'slow_down']).toContain(error);
    expect(await systemDb().apiKey.count({ where: { team_id: olga.team_id } })).toBe(1);
  });

  it('gets what it requested: a live key, or a restricted one', async () => {
    const asked = { mode: 'live', scope: 'reservations:read events:read events:read' };
    const { device_code, user_code } = await ask(asked);
    const scopes = ['reservations:read', 'events:read'];
    expect(await pageOf(olga).find_device({ user_code })).toMatchObject({ mode: 'live', scopes });
    await pageOf(olga).allow_device({ user_code, scopes });
    const { body } = await poll(device_code);
    expect(body).toMatchObject({ access_token: expect.stringMatching(/^service_live_rk_/), scope: scopes.join(' ') });
    expect(await authenticateApiKey(`Bearer ${body.access_token}`, null)).toMatchObject({ scopes });
  });

  it('gets the scopes and lifetime that the owner chose; full live access is chosen explicitly and expires', async () => {
    const { device_code, user_code } = await ask({ mode: 'live' });
    await expect(pageOf(olga).allow_device({ user_code } as never)).rejects.toThrow(/scopes/);
    await pageOf(olga).allow_device({ user_code, scopes: ['events:read'], days: 7 });
    const { body } = await poll(device_code);
    expect(body).toMatchObject({ scope: 'events:read', expires_in: 7 * 86_400 });
    const header = `Bearer ${body.access_token}`;
    expect(await authenticateApiKey(header, null)).toMatchObject({ scopes: ['events:read'], deprecated: false });
    const page = pageOf(olga);
    const { data } = await page.list();
    expect(data).toMatchObject([
      { state: 'active', expires_at: new Date(now.getTime() + 7 * 86_400_000).toISOString() },
    ]);
    const log = await systemDb().auditLog.findMany({
      where: { team_id: olga.team_id, action: 'api_key.device_allowed' },
    });
    expect(log).toMatchObject([{ data: { scopes: ['events:read'], days: 7 } }]);
    // A rotation does not extend the key's lifetime.
    later(6 * 86_400 + 80_000);
    const rotated = await page.rotate({ id: data[0]!.id });
    expect(rotated).toMatchObject({
      api_key: { expires_at: data[0]!.expires_at },
      old_expires_at: data[0]!.expires_at,
    });
    later(7_000);
    for (const key of [header, `Bearer ${rotated.key}`])
      await expect(authenticateApiKey(key, null)).rejects.toMatchObject({ code: 'api_key_expired' });
    await expect(page.rotate({ id: rotated.api_key.id })).rejects.toEqual(appError('api_key_expired'));
  });

  it.each([
    [{ scopes: null }, 'null means everything'],
    [{ scopes: ['reservations:write'] }, 'another scope'],
    [{ scopes: ['events:read', 'properties:read'] }, 'one scope more'],
    [{ scopes: [] }, 'no scope'],
    [{ scopes: ['reservations:read'], days: 0 }, 'zero days'],
    [{ scopes: ['reservations:read'], days: 366 }, 'more than a year'],
  ])('gets no more than it requested: %j (%s)', async (grant, _what) => {
    const { device_code, user_code } = await ask({ scope: 'reservations:send events:read' });
    await expect(pageOf(olga).allow_device({ user_code, ...grant })).rejects.toThrow();
    expect((await poll(device_code)).body.error).toBe('authorization_pending');
    await pageOf(olga).allow_device({ user_code, scopes: ['reservations:read'] });
    later(10);
    expect((await poll(device_code)).body).toMatchObject({ scope: 'reservations:read' });
  });

  it('that polls too often must wait longer each time', async () => {
    const { device_code } = await ask();
    expect((await poll(device_code)).body.error).toBe('authorization_pending');
    later(3);
    expect((await poll(device_code)).body.error).toBe('slow_down');
    later(5);
    expect((await poll(device_code)).body.error).toBe('slow_down');
    later(15);
    expect((await poll(device_code)).body.error).toBe('authorization_pending');
  });

  it('gets an error for a refused login and for an expired code', async () => {
    const refused = await ask();
    await pageOf(olga).refuse_device({ user_code: refused.user_code });
    expect((await poll(refused.device_code)).body).toEqual({ error: 'access_denied' });
    await expect(pageOf(olga).allow_device({ user_code: refused.user_code, scopes: null })).rejects.toEqual(
      appError('resource_missing'),
    );
    const late = await ask();
    later(600);
    await expect(pageOf(olga).find_device({ user_code: late.user_code })).rejects.toEqual(appError('resource_missing'));
    await expect(pageOf(olga).allow_device({ user_code: late.user_code, scopes: null })).rejects.toEqual(
      appError('resource_missing'),
    );
    expect((await poll(late.device_code)).body).toEqual({ error: 'expired_token' });
    expect((await poll('nobody-has-it')).body).toEqual({ error: 'invalid_grant' });
    expect(await systemDb().apiKey.count({ where: { team_id: olga.team_id } })).toBe(0);
    const log = await systemDb().auditLog.findMany({ where: { team_id: olga.team_id } });
    expect(log).toMatchObject([
      { action: 'api_key.device_refused', data: { asked_from: '198.51.100.7', mode: 'test' } },
    ]);
  });

  it('gets nothing if it polls after the code expired, even when approved', async () => {
    const { device_code, user_code } = await ask();
    await pageOf(olga).allow_device({ user_code, scopes: null });
    later(601);
    expect((await poll(device_code)).body).toEqual({ error: 'expired_token' });
  });

  it.each([
    [{ client_id: 'other' }, 'invalid_client'],
    [{ mode: 'both' }, 'invalid_request'],
    [{ scope: 'reservations:read keys:write' }, 'invalid_scope'],
  ])('is refused when it requests codes with %j', async (form, error) => {
    expect(await post(handleDeviceCodeRequest, form)).toMatchObject({ status: 400, body: { error } });
  });

  it.each([
    [{ client_id: 'other', ...GRANT, device_code: 'x' }, 'invalid_client'],
    [{ device_code: 'x' }, 'unsupported_grant_type'],
    [{ ...GRANT }, 'invalid_request'],
    [{ ...GRANT, device_code: '\u0000' }, 'invalid_grant'],
  ])('is refused when it polls with %j', async (form, error) => {
    expect(await post(handleDeviceTokenRequest, form as Record<string, string>)).toMatchObject({
      status: 400,
      body: { error },
    });
  });

  it('must send a form', async () => {
    for (const door of [handleDeviceCodeRequest, handleDeviceTokenRequest]) {
      const response = await door(new Request('https://threshold.example/', { method: 'POST', body: '{}' }));
      expect([response.status, (await response.json()).error]).toEqual([400, 'invalid_request']);
    }
  });
});

describe('the member who approves a login', () => {
  it('must be an owner, in the session and in the team', async () => {
    const { device_code, user_code } = await ask();
    for (const procedure of ['find_device', 'allow_device', 'refuse_device'] as const)
      await expect(
        pageOf(olga, 'manager')[procedure]({
          user_code,
          ...(procedure === 'allow_device' && { scopes: null }),
        } as never),
      ).rejects.toEqual(appError('insufficient_scope'));
    // The session still has the owner's role, but the membership no longer does.
    await systemDb().member.update({ where: { id: olga.id }, data: { role: 'member' } });
    await expect(pageOf(olga).allow_device({ user_code, scopes: null })).rejects.toEqual(
      appError('insufficient_scope'),
    );
    expect((await poll(device_code)).body.error).toBe('authorization_pending');
  });

  it.each([
    [
      'loses the right to create keys',
      (id: string) => systemDb().member.update({ where: { id }, data: { role: 'member' } }),
      'access_denied',
    ],
    ['leaves the team', (id: string) => systemDb().member.delete({ where: { id } }), 'invalid_grant'],
  ])('who %s before the terminal polls leaves it without a key', async (_how, change, error) => {
    const { device_code, user_code } = await ask();
    await pageOf(olga).allow_device({ user_code, scopes: null });
    await change(olga.id);
    expect((await poll(device_code)).body.error).toBe(error);
    expect(await systemDb().apiKey.count({ where: { team_id: olga.team_id } })).toBe(0);
  });

  it('answers once; later answers, also of others, are refused', async () => {
    const other = await newOwner();
    const { device_code, user_code } = await ask();
    await pageOf(olga).allow_device({ user_code, scopes: null });
    await expect(pageOf(other).allow_device({ user_code, scopes: null })).rejects.toEqual(appError('resource_missing'));
    await expect(pageOf(other).refuse_device({ user_code })).rejects.toEqual(appError('resource_missing'));
    const { access_token } = (await poll(device_code)).body;
    expect(await authenticateApiKey(`Bearer ${access_token}`, null)).toMatchObject({
      scope: { team_id: olga.team_id },
    });
  });

  it('sees that the key limit is reached, and the terminal gets an error', async () => {
    const scope = { team_id: olga.team_id, mode: 'test', actor: { kind: 'system', name: 'test' } } as const;
    for (const name of ['a', 'b', 'c']) await createApiKey(scope, { name });
    const { device_code, user_code } = await ask();
    expect(await pageOf(olga).find_device({ user_code })).toMatchObject({ active: 3, limit: 3 });
    await pageOf(olga).allow_device({ user_code, scopes: null });
    expect((await poll(device_code)).body).toEqual({
      error: 'access_denied',
      error_description: expect.stringContaining('at most 3 keys'),
    });
  });
});

describe('limits on guessing', () => {
  it('a person may try twenty codes in ten minutes, right or wrong, one after another or at once', async () => {
    const { user_code } = await ask();
    const tries = await Promise.allSettled(
      Array.from({ length: 25 }, (_, index) => pageOf(olga).find_device({ user_code: index % 2 ? 'BBBB-BBBB' : 'x' })),
    );
    const codes = tries.map((one) => one.status === 'rejected' && one.reason.cause.code);
    expect(codes.filter((code) => code === 'resource_missing')).toHaveLength(20);
    expect(codes.filter((code) => code === 'rate_limit_exceeded')).toHaveLength(5);
    for (const procedure of ['find_device', 'allow_device', 'refuse_device'] as const)
      await expect(
        pageOf(olga)[procedure]({ user_code, ...(procedure === 'allow_device' && { scopes: null }) } as never),
      ).rejects.toEqual(appError('rate_limit_exceeded'));
    expect(await pageOf(await newOwner()).find_device({ user_code })).toMatchObject({ device_name: 'ada-laptop' });
    later(600);
    const { user_code: another } = await ask();
    expect(await pageOf(olga).find_device({ user_code: another })).toMatchObject({ device_name: 'ada-laptop' });
  });

  it('a client address may start twenty logins', async () => {
    for (let turn = 0; turn < 20; turn += 1) await ask();
    const { status, headers, body } = await post(handleDeviceCodeRequest, {});
    expect([status, headers.get('retry-after'), body.error]).toEqual([429, '600', 'slow_down']);
    expect((await post(handleDeviceCodeRequest, {}, '198.51.100.8')).status).toBe(200);
  });

  it('codes are stored only as hashes', async () => {
    const { device_code, user_code } = await ask();
    const rows = JSON.stringify(await systemDb().deviceLogin.findMany());
    for (const code of [device_code, user_code, user_code.replace('-', '')]) expect(rows).not.toContain(code);
  });
});
