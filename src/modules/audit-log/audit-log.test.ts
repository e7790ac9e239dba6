import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { trpcBuilder } from '@/api/trpc/init';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { createTeam } from '@/modules/accounts/service';
import { readSessionContext } from '@/modules/accounts/session';
import { handleAuthRequest } from '@/modules/accounts/sign-in/auth';
import { apiKeysRouter } from '@/modules/api-keys/dashboard.router';
import { createApiKey } from '@/modules/api-keys/service';
import { downloadAuditLog } from '@/modules/export-and-deletion/http';
import { webhookEndpointsDashboardRouter } from '@/modules/webhooks/dashboard.router';
import { webhookEndpointsRouter } from '@/modules/webhooks/router';
import { setClock } from '@/shared/clock';
import { createSystemScope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { clearDatabase } from '@/testing/team';
import { auditLogRouter } from './dashboard.router';
import { recordTeamAuditEntry } from './service';

const origin = 'http://localhost:4100';
const ADDRESS = '203.0.113.9';
let now = new Date('2026-03-01T12:00:00.000Z');

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: origin });
  setClock({ now: () => now });
});
afterAll(async () => {
  setClock(null);
  await closeTestDatabase();
});

const owner = { email: 'olga@example.com', password: 'a long password' };

async function post(path: string, body: object, cookie = '') {
  return handleAuthRequest(
    new Request(`${origin}/api/auth${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', origin, cookie, 'x-threshold-client-ip': ADDRESS },
    }),
  );
}

const cookieOf = (response: Response) =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

let team_id: string;
let cookie: string;
beforeEach(async () => {
  now = new Date();
  await clearDatabase();
  const { team } = await createTeam({
    name: 'Sea View',
    owner_email: owner.email,
    owner_password: owner.password,
  });
  team_id = team.id;
  cookie = cookieOf(await post('/sign-in/email', owner));
});

/** Returns the context that the dashboard's endpoint creates from a session. */
async function context(mode: 'live' | 'test' = 'live', role?: 'manager') {
  const headers = new Headers({ cookie, 'x-threshold-mode': mode, 'x-threshold-client-ip': ADDRESS });
  const { user, ...session } = await readSessionContext(headers);
  if (!user) throw new Error('Not signed in.');
  return {
    ...session,
    user: { ...user, ...(role && { role }) },
    request_id: 'req_test',
    surface: 'dashboard' as const,
    if_match: null,
    reply: { headers: {} },
  };
}
const log = async (mode?: 'live' | 'test', role?: 'manager') =>
  trpcBuilder.createCallerFactory(auditLogRouter)(await context(mode, role));
const newest = async () => (await (await log()).list({ limit: 1 })).data[0];

describe('the audit log', () => {
  it('records who signed in, from where and how', async () => {
    expect(await newest()).toMatchObject({
      action: 'user.signed_in',
      actor_name: 'olga',
      ip: ADDRESS,
      details: [{ name: 'with', value: 'password' }],
      mode: null,
    });
  });

  it('distinguishes the operator from the service’s own jobs', async () => {
    for (const name of ['operator', 'first start'])
      await createApiKey(createSystemScope(team_id, 'live', name), { name });
    const actors = (await (await log()).actors()).map(({ actor }) => actor);
    expect(actors).toEqual(expect.arrayContaining(['operator', 'first start']));
    expect((await (await log()).list({ actor: 'first start' })).data).toMatchObject([
      { details: [{ name: 'name', value: 'first start' }] },
    ]);
  });

  it('does not record a refused sign-in', async () => {
    const before = await systemDb().auditLog.count();
    expect((await post('/sign-in/email', { ...owner, password: 'wrong' })).status).toBe(401);
    expect(await systemDb().auditLog.count()).toBe(before);
  });

  it('records a new password', async () => {
    const passwords = { currentPassword: owner.password, newPassword: 'the next password' };
    // Changing the password ends every session and opens a new one.
    cookie = cookieOf(await post('/change-password', passwords, cookie));
    expect(await newest()).toMatchObject({ action: 'user.password_changed', ip: ADDRESS });
  });

  it('records changes of a key with the caller’s address, in its mode', async () => {
    const keys = trpcBuilder.createCallerFactory(apiKeysRouter)(await context('test'));
    const { api_key } = await keys.create({ name: 'CI', scopes: null });
    expect(await newest()).toMatchObject({
      action: 'api_key.created',
      object_id: api_key.id,
      details: [{ name: 'name', value: 'CI' }],
      ip: ADDRESS,
      mode: 'test',
    });
    await keys.revoke({ id: api_key.id });
    expect(await newest()).toMatchObject({
      action: 'api_key.revoked',
      details: [{ name: 'name', value: 'CI' }],
      ip: ADDRESS,
    });
  });

  it('records the changes of an endpoint: created, changed, secret rotated, re-enabled, deleted', async () => {
    const endpoints = trpcBuilder.createCallerFactory(webhookEndpointsRouter)(await context());
    const { id } = await endpoints.create({ url: 'https://hooks.example/a', events: ['reservation.signed'] });
    await endpoints.update({ id, url: 'https://hooks.example/b' });
    await endpoints.rotate({ id });
    await systemDb().webhookEndpoint.updateMany({ data: { status: 'auto_disabled' } });
    await trpcBuilder
      .createCallerFactory(webhookEndpointsDashboardRouter)(await context())
      .enable({ id });
    await endpoints.delete({ id });
    const { data } = await (await log()).list({ limit: 5 });
    expect(data.map(({ action, details, ip }) => [action, details, ip])).toEqual([
      ['webhook_endpoint.deleted', [{ name: 'url', value: 'https://hooks.example/b' }], ADDRESS],
      ['webhook_endpoint.enabled', [{ name: 'url', value: 'https://hooks.example/b' }], ADDRESS],
      ['webhook_endpoint.secret_rotated', [{ name: 'url', value: 'https://hooks.example/b' }], ADDRESS],
      ['webhook_endpoint.updated', [{ name: 'url', value: 'https://hooks.example/b' }], ADDRESS],
      ['webhook_endpoint.created', [{ name: 'url', value: 'https://hooks.example/a' }], ADDRESS],
    ]);
  });

  it('gets no entry for an endpoint that could not be changed', async () => {
    const endpoints = trpcBuilder.createCallerFactory(webhookEndpointsRouter)(await context());
    const { id } = await endpoints.create({ url: 'https://hooks.example/a', events: ['reservation.signed'] });
    const before = await systemDb().auditLog.count();
    await expect(
      trpcBuilder
        .createCallerFactory(webhookEndpointsRouter)({ ...(await context()), if_match: '"another"' })
        .update({ id, events: [] }),
    ).rejects.toBeDefined();
    expect(await systemDb().auditLog.count()).toBe(before);
  });

  it('is visible to owners only', async () => {
    const refused = { cause: expect.objectContaining({ code: 'insufficient_scope' }) };
    await expect((await log('live', 'manager')).list({})).rejects.toMatchObject(refused);
    await expect((await log('live', 'manager')).actors()).rejects.toMatchObject(refused);
  });

  it('is one log for both modes, without other teams’ entries', async () => {
    const other = await createTeam({
      name: 'Other',
      owner_email: 'otto@example.com',
      owner_password: 'a long password',
    });
    expect(await (await log('test')).list({})).toEqual(await (await log('live')).list({}));
    const note = { action: 'team.renamed' as const, actor: 'user_other', actor_name: 'Otto', ip: null };
    await recordTeamAuditEntry({ team_id: other.team.id, ...note });
    expect((await newest())?.action).toBe('user.signed_in');
    expect((await (await log()).actors()).map((actor) => actor.actor)).not.toContain('user_other');
  });
});

describe('the audit log’s filters', () => {
  const note = (actor: string, action: 'member.removed' | 'team.renamed', at: string) => {
    now = new Date(at);
    return recordTeamAuditEntry({ team_id, actor, actor_name: actor.toUpperCase(), action, ip: null });
  };
  beforeEach(async () => {
    await systemDb().auditLog.deleteMany();
    await note('user_a', 'team.renamed', '2026-03-01T23:59:59.999Z');
    await note('user_a', 'member.removed', '2026-03-02T00:00:00.000Z');
    await note('user_b', 'team.renamed', '2026-03-02T23:59:59.999Z');
    await note('user_b', 'member.removed', '2026-03-03T00:00:00.000Z');
    now = new Date();
  });
  const days = async (filters: object) =>
    (await (await log()).list(filters)).data.map((entry) => entry.created_at.slice(0, 16));

  it('find by actor, action and whole UTC days, alone and combined', async () => {
    expect(await days({ actor: 'user_a' })).toEqual(['2026-03-02T00:00', '2026-03-01T23:59']);
    expect(await days({ action: 'member.removed' })).toEqual(['2026-03-03T00:00', '2026-03-02T00:00']);
    expect(await days({ from: '2026-03-02', to: '2026-03-02' })).toEqual(['2026-03-02T23:59', '2026-03-02T00:00']);
    expect(await days({ from: '2026-03-03' })).toEqual(['2026-03-03T00:00']);
    expect(await days({ to: '2026-03-01' })).toEqual(['2026-03-01T23:59']);
    expect(await days({ actor: 'user_b', action: 'team.renamed', from: '2026-03-02' })).toEqual(['2026-03-02T23:59']);
  });

  it('support cursors in both directions', async () => {
    const caller = await log();
    const first = await caller.list({ limit: 3 });
    expect(first).toMatchObject({ has_more: true, data: { length: 3 } });
    const second = await caller.list({ limit: 3, starting_after: first.data.at(-1)?.id });
    expect(second).toMatchObject({ has_more: false, data: { length: 1 } });
    expect(await caller.list({ limit: 3, ending_before: second.data[0]?.id })).toEqual({ ...first, has_more: false });
  });

  it('list each actor once, under the latest name', async () => {
    const renamed = { team_id, actor: 'user_a', actor_name: 'A renamed', action: 'team.renamed' as const, ip: null };
    await recordTeamAuditEntry(renamed);
    expect(await (await log()).actors()).toEqual([
      { actor: 'user_a', name: 'A renamed' },
      { actor: 'user_b', name: 'USER_B' },
    ]);
  });
});

describe('the audit log’s CSV file', () => {
  const download = (query: Record<string, string> = {}, headers: Record<string, string> = { cookie }) =>
    downloadAuditLog(
      new Request(`${origin}/api/audit-log.csv?${new URLSearchParams({ team: team_id, mode: 'live', ...query })}`, {
        headers,
      }),
    );

  it('has every entry in the order of the page, beyond one page of the database', async () => {
    const row = { team_id, actor: 'user_x', actor_name: '=cmd()', action: 'team.renamed' as const, ip: null };
    await recordTeamAuditEntry(
      ...Array.from({ length: 1201 }, (_, index) => ({ ...row, data: { name: `N${index}` } })),
    );
    const response = await download({ action: 'team.renamed' });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-.*\.csv"$/);
    const lines = (await response.text()).split('\r\n');
    expect(lines[0]).toContain('"Time (UTC)","Actor"');
    expect(lines).toHaveLength(1203);
    expect(lines[1]).toContain('"name: N1200"');
    expect(lines[1201]).toContain('"name: N0"');
    expect(lines[1]).toContain(`"'=cmd()"`);
  });

  it('is recorded in the log', async () => {
    await (await download({ from: '2026-01-01' })).text();
    expect(await newest()).toMatchObject({
      action: 'audit_log.exported',
      details: [{ name: 'from', value: '2026-01-01' }],
    });
  });

  it('does not contain the id of an invitation', async () => {
    await recordTeamAuditEntry({
      team_id,
      actor: 'user_x',
      actor_name: 'X',
      action: 'member.invited',
      ip: null,
      object_id: 'inv_secret',
    });
    expect(await (await download()).text()).not.toContain('inv_secret');
  });

  it('is available only to signed-in owners', async () => {
    expect((await download({}, {})).status).toBe(401);
    await systemDb().member.updateMany({ data: { role: 'member' } });
    expect((await download()).status).toBe(403);
  });

  it('refuses unknown filters', async () => {
    expect((await download({ action: 'nothing' })).status).toBe(400);
    expect((await download({ team_id: 'team_other' })).status).toBe(400);
  });
});
