/**
 * An AI assistant gets a token like any OAuth client, can use it only at /mcp, and can be
 * disconnected.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handleMcpRequest } from '@/api/mcp/server';
import { handleRestApiRequest } from '@/api/rest/handle-request';
import { flushRequestLog } from '@/api/rest/request-log';
import { setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { hashToken } from '@/infra/encryption';
import { setClock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import { createSystemScope } from '@/shared/scope';
import {
  callDashboardRoute,
  createTestIpAddress,
  DASHBOARD_TEST_ORIGIN,
  enableTwoFactor,
  getSignedInUser,
  postToAuthHandler,
  signIn,
} from '@/testing/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readLastOutboundMail } from '@/testing/mail';
import { clearDatabase } from '@/testing/team';
import { confirmEmailChange } from '../accounts/email-change/email-change';
import { replacePendingEmailChange } from '../accounts/email-change/email-change.repository';
import { createTeam } from '../accounts/service';
import { createApiKey } from '../api-keys/service';
import { handleOAuthRequest } from './http';

const OWNER = { email: 'olga@example.com', password: 'a long password' };
const CALLBACK = 'https://assistant.example/callback';
const HOUR = 3_600_000;

let server: Server;
let team_id: string;
let olga: Headers;

beforeAll(async () => {
  await openTestDatabase();
  setConfig({ app_url: DASHBOARD_TEST_ORIGIN, api_root: `${DASHBOARD_TEST_ORIGIN}/v1` });
  server = createServer((request, response) =>
    request.url?.startsWith('/v1')
      ? void handleRestApiRequest(request, response)
      : void handleMcpRequest(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  setClock(null);
  server.closeAllConnections();
  server.close();
  await flushRequestLog();
  await closeTestDatabase();
});
beforeEach(async () => {
  setClock(null);
  setConfig({ mcp_live_keys: false });
  await clearDatabase();
  ({
    team: { id: team_id },
  } = await createTeam({ name: 'One', plan: 'pro', owner_email: OWNER.email, owner_password: OWNER.password }));
  olga = await signIn(OWNER.email, OWNER.password, { 'x-threshold-client-ip': createTestIpAddress() });
});

const ask = (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
  handleOAuthRequest(
    new Request(DASHBOARD_TEST_ORIGIN + path, {
      redirect: 'manual',
      ...init,
      headers: { 'x-threshold-client-ip': createTestIpAddress(), ...init.headers },
    }),
  );
const json = async (response: Response) => (await response.json()) as Record<string, string>;
const form = (fields: Record<string, string>) => ({ method: 'POST', body: new URLSearchParams(fields) });

async function register(redirect_uris = [CALLBACK], ip = createTestIpAddress()) {
  const body = JSON.stringify({
    client_name: 'Helper',
    redirect_uris,
    token_endpoint_auth_method: 'client_secret_post',
  });
  const headers = { 'content-type': 'application/json', 'x-threshold-client-ip': ip };
  return ask('/oauth2/register', { method: 'POST', body, headers });
}

const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

const authorizeUrl = (client_id: string, more: Record<string, string> = {}) => {
  const query = {
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    state: 'xyz',
    resource: `${DASHBOARD_TEST_ORIGIN}/mcp`,
  };
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
  return `/oauth2/authorize?${new URLSearchParams({ ...query, ...pkce, ...more })}`;
};

const cookie = (headers: Headers) => ({ cookie: headers.get('cookie') ?? '' });

/** Returns the signed query of the redirect to the consent page. */
async function consentQuery(client_id: string, more: Record<string, string> = {}, who = olga) {
  const response = await ask(authorizeUrl(client_id, more), { headers: cookie(who) });
  const location = new URL(response.headers.get('location') ?? '', DASHBOARD_TEST_ORIGIN);
  expect([response.status, location.pathname]).toEqual([302, '/connect-assistant']);
  return location.search.slice(1);
}

const answer = (
  oauth_query: string,
  scopes: string[] | null,
  { who = olga, mode = 'test', ...headers }: { who?: Headers; mode?: string } & Record<string, unknown> = {},
) =>
  ask('/oauth2/consent', {
    method: 'POST',
    body: JSON.stringify({ oauth_query, scopes }),
    headers: {
      ...cookie(who),
      origin: DASHBOARD_TEST_ORIGIN,
      'content-type': 'application/json',
      'x-threshold-mode': mode,
      'x-threshold-team': team_id,
      ...(headers as Record<string, string>),
    },
  });

async function connect(scopes = ['properties:write'], { who = olga, mode = 'test' } = {}) {
  const { client_id = '' } = await json(await register());
  const response = await answer(await consentQuery(client_id, {}, who), scopes, { who, mode });
  const { url = '' } = await json(response);
  const code = new URL(url).searchParams.get('code') ?? '';
  const redeemed = await ask(
    '/oauth2/token',
    form({ grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri: CALLBACK }),
  );
  expect(redeemed.status).toBe(200);
  return { client_id, code, url, ...(await json(redeemed)) } as Record<string, string> & { client_id: string };
}

const refresh = (client_id: string, refresh_token = '') =>
  ask(
    '/oauth2/token',
    form({ grant_type: 'refresh_token', client_id, refresh_token, resource: `${DASHBOARD_TEST_ORIGIN}/mcp` }),
  );

const at = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

async function tool(token: string | undefined, name = 'properties_list', args: Record<string, unknown> = {}) {
  const response = await fetch(at('/mcp'), {
    method: 'POST',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const text = await response.text();
  const { result, error } = JSON.parse(text.match(/^data: (.*)$/m)?.[1] ?? text) as {
    result?: { isError: boolean; content: { text: string }[] };
    error?: { code: string };
  };
  const body = JSON.parse(result?.content[0]?.text ?? 'null') as { error?: { code: string } } & Record<string, unknown>;
  return { status: response.status, headers: response.headers, body, code: error?.code ?? body?.error?.code ?? null };
}

async function toolNames(token: string | undefined): Promise<string[]> {
  const response = await fetch(at('/mcp'), {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const text = await response.text();
  const { result } = JSON.parse(text.match(/^data: (.*)$/m)?.[1] ?? text) as { result: { tools: { name: string }[] } };
  return result.tools.map(({ name }) => name);
}

describe('metadata', () => {
  it('a 401 of /mcp links the metadata of the resource, which names its authorization server', async () => {
    const refused = await tool(undefined);
    expect(refused.status).toBe(401);
    const metadata = `${DASHBOARD_TEST_ORIGIN}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    expect((await tool(`threshold_at_${'a'.repeat(32)}`)).headers.get('www-authenticate')).toBe(
      `Bearer error="invalid_token", resource_metadata="${metadata}"`,
    );
    for (const path of ['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])
      expect(await json(await ask(path))).toMatchObject({
        resource: `${DASHBOARD_TEST_ORIGIN}/mcp`,
        authorization_servers: [DASHBOARD_TEST_ORIGIN],
        bearer_methods_supported: ['header'],
        scopes_supported: expect.arrayContaining(['reservations:send', 'offline_access']),
      });
    expect(await json(await ask('/.well-known/oauth-authorization-server'))).toMatchObject({
      issuer: DASHBOARD_TEST_ORIGIN,
      authorization_endpoint: `${DASHBOARD_TEST_ORIGIN}/oauth2/authorize`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
  });

  it('no other path of the provider is served', async () => {
    for (const path of [
      '/oauth2/introspect',
      '/oauth2/create-client',
      '/oauth2/userinfo',
      '/admin/oauth2/create-client',
    ])
      expect((await ask(path, { method: 'POST', body: '{}' })).status).toBe(405);
  });
});

it('text that the database cannot store returns 400 at every path', async () => {
  const text = 'a\u0000';
  const { client_id = '' } = await json(await register());
  const headers = { 'content-type': 'application/json' };
  const registered = { client_name: text, redirect_uris: [CALLBACK] };
  const code = { grant_type: 'authorization_code', code: text, code_verifier: verifier, redirect_uri: CALLBACK };
  const answers = [
    await ask('/oauth2/register', { method: 'POST', headers, body: JSON.stringify(registered) }),
    await ask(authorizeUrl(text)),
    await ask('/oauth2/token', form({ ...code, client_id: text })),
    await ask('/oauth2/token', form({ ...code, client_id })),
    await refresh(client_id, text),
    await ask('/oauth2/revoke', form({ client_id: text, token: text })),
    await answer(`client_id=${encodeURIComponent(text.toWellFormed())}&sig=x`, ['properties:read']),
  ];
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status >= 500)).toEqual([]);
  expect(statuses[0]).toBe(400);
});

describe('registration', () => {
  it('creates a client without a secret, whatever it requests', async () => {
    const response = await register();
    expect(response.status).toBe(201);
    const client = await json(response);
    expect(client).toMatchObject({
      client_name: 'Helper',
      token_endpoint_auth_method: 'none',
      redirect_uris: [CALLBACK],
    });
    expect(client).not.toHaveProperty('client_secret');
  });

  it('refuses a redirect URI that redirect-uri.rules.ts does not allow', async () =>
    expect((await register(['javascript:alert(1)'])).status).toBe(400));

  it('accepts a redirect URI of a program on the user’s machine', async () =>
    expect((await register(['cursor://anysphere.cursor/cb'])).status).toBe(201));

  it('removes characters that hide or reorder text from a client’s name', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ client_name: ' Cla\u202Eude\u200B ', redirect_uris: [CALLBACK] });
    const response = await ask('/oauth2/register', { method: 'POST', body, headers });
    expect(await json(response)).toMatchObject({ client_name: 'Claude' });
  });

  it('is rate-limited by client address', async () => {
    const ip = createTestIpAddress();
    const { countAttemptAndGetWindowTotal } = await import('../accounts/attempt-counters/attempt-counter.repository');
    await countAttemptAndGetWindowTotal(`oauth_register:${ip}`, HOUR);
    await systemDb().tally.updateMany({ data: { count: 100 } });
    expect((await register([CALLBACK], ip)).status).toBe(429);
    expect((await register()).status).toBe(201);
  });
});

describe('consent', () => {
  it('is requested at every authorization, and a GET never returns a code, whatever the client’s prompt', async () => {
    const { client_id } = await connect();
    for (const prompt of ['', 'none', 'login', 'consent']) await consentQuery(client_id, prompt ? { prompt } : {});
    // Without a session the same page opens and asks the user to sign in.
    await consentQuery(client_id, {}, new Headers());
  });

  it('requires PKCE with S256, a registered redirect URI, known scopes and this server’s /mcp', async () => {
    const { client_id = '' } = await json(await register());
    const location = async (more: Record<string, string>) =>
      (await ask(authorizeUrl(client_id, more), { headers: cookie(olga) })).headers.get('location') ?? '';
    expect(await location({ code_challenge: '' })).toContain(`${CALLBACK}?error=invalid_request`);
    expect((await ask(authorizeUrl(client_id, { code_challenge_method: 'plain' }))).status).toBe(400);
    expect(await location({ scope: 'everything' })).toContain(`${CALLBACK}?error=invalid_scope`);
    expect(await location({ redirect_uri: 'https://evil.example/' })).toMatch(
      /^http:\/\/localhost:4100\/connect-assistant\?error=/,
    );
    const elsewhere = await ask(authorizeUrl(client_id, { resource: 'https://evil.example/mcp' }));
    expect([elsewhere.status, await json(elsewhere)]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_target' }),
    ]);
  });

  it('is accepted only from a member, from our page, and for the signed query unchanged', async () => {
    const { client_id = '' } = await json(await register());
    const query = await consentQuery(client_id, { scope: 'properties:read offline_access' });
    const changed = query.replace('properties%3Aread', 'properties%3Awrite');
    expect(changed).not.toBe(query);
    const refused = [
      await answer(query, ['properties:read'], { who: new Headers() }),
      await answer(query, ['properties:read'], { 'x-threshold-team': 'team_other' }),
      await answer(query, ['properties:read'], { origin: 'https://evil.example' }),
      await answer(changed, ['properties:write']),
      await answer(query, ['properties:write']),
      await answer(query, []),
      await answer(query, ['properties:read'], { mode: 'live' }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 403, 400, 400, 400, 403]);
    expect(await systemDb().oauthConsent.count()).toBe(0);
    const { url = '' } = await json(await answer(query, null));
    expect(url).toMatch(/^https:\/\/assistant\.example\/callback\?error=access_denied/);
    expect(url).toContain('state=xyz');
  });

  it('returns a code that works once, with its verifier and redirect URI, and is in the audit log', async () => {
    const { client_id, code = '', url = '' } = await connect();
    expect(new URL(url).searchParams.get('iss')).toBe(DASHBOARD_TEST_ORIGIN);
    const fields = {
      grant_type: 'authorization_code',
      client_id,
      code,
      code_verifier: verifier,
      redirect_uri: CALLBACK,
    };
    expect((await ask('/oauth2/token', form(fields))).status).toBe(401);
    const log = await systemDb().auditLog.findMany({ where: { team_id, action: 'assistant.connected' } });
    expect(log).toMatchObject([{ mode: 'test', data: { name: 'Helper', scopes: ['properties:write'] } }]);
  });
});

it('a member who connects an assistant is notified by mail, and the list shows the hosts of all redirect URIs', async () => {
  const { client_id = '' } = await json(await register(['https://claude.ai/callback', CALLBACK]));
  await answer(await consentQuery(client_id), null);
  expect(await systemDb().mailMessage.count()).toBe(0);
  await answer(await consentQuery(client_id), ['properties:read']);
  const mail = await readLastOutboundMail({ template: 'security_change' });
  expect(mail).toMatchObject({ to: OWNER.email, subject: 'An assistant was connected to your account' });
  expect(mail.text).toContain('“Helper”');
  const { data } = await callDashboardRoute(olga, 'query', 'assistants.list');
  expect(data).toMatchObject([{ place: 'claude.ai, assistant.example' }]);
});

describe('a token', () => {
  it('acts for the member in the team and mode, within the chosen scopes', async () => {
    const { access_token, scope } = await connect();
    expect(scope).toBe('properties:write offline_access');
    const made = await tool(access_token, 'properties_create', { name: 'Casa Azul' });
    expect(made).toMatchObject({ status: 200, body: { object: 'property', name: 'Casa Azul' } });
    expect(await systemDb().property.findMany()).toMatchObject([{ team_id, mode: 'test' }]);
    expect((await tool(access_token, 'reservations_list')).code).toBe('insufficient_scope');
    await flushRequestLog();
    expect(await systemDb().requestLog.findMany({ orderBy: { created_at: 'asc' } })).toMatchObject([
      { team_id, mode: 'test', api_key_id: null, assistant: 'Helper', status: 201 },
      { assistant: 'Helper', status: 403 },
    ]);
  });

  it('is stored as a hash, works only at /mcp, for an hour, and is renewed once by its refresh token', async () => {
    const { client_id, access_token = '', refresh_token = '' } = await connect();
    const rows = JSON.stringify([
      await systemDb().oauthAccessToken.findMany(),
      await systemDb().oauthRefreshToken.findMany(),
    ]);
    expect(rows).toContain(hashToken(access_token.replace('threshold_at_', '')));
    for (const token of [access_token, refresh_token]) expect(rows).not.toContain(token.replace(/^threshold_.t_/, ''));
    const headers = { Authorization: `Bearer ${access_token}` };
    expect((await fetch(at('/v1/properties'), { headers })).status).toBe(401);
    expect((await tool(refresh_token)).status).toBe(401);
    setClock({ now: () => new Date(Date.now() + HOUR + 1_000) });
    expect((await tool(access_token)).status).toBe(401);
    setClock(null);
    const renewed = await json(await refresh(client_id, refresh_token));
    expect((await tool(renewed.access_token)).status).toBe(200);
    // A refresh token that is used twice counts as stolen, so all tokens issued from the same
    // consent are revoked.
    expect((await refresh(client_id, refresh_token)).status).toBe(400);
    expect((await tool(renewed.access_token)).status).toBe(401);
    const elsewhere = await ask(
      '/oauth2/token',
      form({ grant_type: 'refresh_token', client_id, refresh_token, resource: 'https://evil.example' }),
    );
    expect(await json(elsewhere)).toMatchObject({ error: 'invalid_target' });
  });

  it('with MCP_LIVE_KEYS works on live data too, and only while that is set', async () => {
    setConfig({ mcp_live_keys: true });
    const { access_token } = await connect(['properties:read'], { mode: 'live' });
    expect((await tool(access_token)).status).toBe(200);
    await flushRequestLog();
    const log = await callDashboardRoute(new Headers(olga), 'query', 'request_logs.list', {});
    expect(log.data).toMatchObject({ data: [{ path: '/v1/properties', api_key_id: null, assistant: 'Helper' }] });
    const { key } = await createApiKey(createSystemScope(team_id, 'live', 'test'), { name: 'partner' });
    expect((await tool(key)).status).toBe(200);
    setConfig({ mcp_live_keys: false });
    expect((await tool(access_token)).code).toBe('api_key_wrong_environment');
  });

  it('has at most the member’s current role, and nothing after the membership ended', async () => {
    const { access_token } = await connect(['webhooks:write']);
    const member = await systemDb().member.findFirstOrThrow();
    await systemDb().member.update({ where: { id: member.id }, data: { role: 'member' } });
    const endpoint = { url: 'https://hooks.example.com/in', events: ['reservation.signed'] };
    expect((await tool(access_token, 'webhook_endpoints_create', endpoint)).code).toBe('insufficient_scope');
    await systemDb().member.update({ where: { id: member.id }, data: { role: 'owner' } });
    expect((await tool(access_token, 'webhook_endpoints_create', endpoint)).code).toBeNull();
    await systemDb().member.delete({ where: { id: member.id } });
    expect((await tool(access_token, 'webhook_endpoints_list')).status).toBe(401);
    const data = { ...member, id: newId('member'), saved_views: [] };
    await systemDb().member.create({ data });
    expect((await tool(access_token, 'webhook_endpoints_list')).status).toBe(401);
  });
});

describe('a role', () => {
  const setRole = (role: string) => systemDb().member.updateMany({ data: { role } });
  const endpoint = { url: 'https://hooks.example.com/in', events: ['reservation.signed'] };

  it('is checked before the stored response of an idempotency key is replayed', async () => {
    setConfig({ mcp_live_keys: true });
    const scope = createSystemScope(team_id, 'live', 'test');
    const { key } = await createApiKey(scope, { name: 'partner' });
    const once = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' };
    const body = JSON.stringify(endpoint);
    const made = await fetch(at('/v1/webhook_endpoints'), { method: 'POST', headers: once, body });
    expect(await json(made)).toHaveProperty('signing_secret');
    const { access_token } = await connect(['properties:write', 'webhooks:write'], { mode: 'live' });
    const property = { name: 'Casa Azul', idempotency_key: 'k2' };
    const first = await tool(access_token, 'properties_create', property);
    expect((await tool(access_token, 'properties_create', property)).body).toEqual(first.body);
    const own = { ...endpoint, idempotency_key: 'k3' };
    expect((await tool(access_token, 'webhook_endpoints_create', own)).body).toHaveProperty('signing_secret');
    await setRole('developer');
    const refused = [
      await tool(access_token, 'webhook_endpoints_create', { ...endpoint, idempotency_key: 'k1' }),
      await tool(access_token, 'properties_create', property),
      await tool(access_token, 'webhook_endpoints_create', own),
    ];
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('insufficient_scope'));
  });

  it('decides which tools are listed', async () => {
    setConfig({ mcp_live_keys: true });
    const { access_token } = await connect(['properties:write', 'reservations:write'], { mode: 'live' });
    expect(await toolNames(access_token)).toContain('properties_create');
    await setRole('developer');
    expect(await toolNames(access_token)).toContain('properties_list');
    expect(await toolNames(access_token)).not.toContain('properties_create');
    expect(await toolNames(access_token)).not.toContain('reservations_create');
  });

  it('of a co-host allows no assistant; an earlier connection stops working and can be removed', async () => {
    const { access_token } = await connect();
    await setRole('co_host');
    expect((await tool(access_token)).status).toBe(401);
    const { client_id = '' } = await json(await register());
    const refused = await answer(await consentQuery(client_id), ['properties:read']);
    expect([refused.status, await json(refused)]).toEqual([403, expect.objectContaining({ error: 'access_denied' })]);
    const { data } = (await callDashboardRoute(new Headers(olga), 'query', 'assistants.list')) as {
      data: { id: string }[];
    };
    expect(data).toHaveLength(1);
    const revoked = await callDashboardRoute(new Headers(olga), 'mutation', 'assistants.revoke', { id: data[0]?.id });
    expect(revoked.status).toBe(200);
    expect(await systemDb().oauthConsent.count()).toBe(0);
  });

  it('of a developer allows an assistant in live mode too', async () => {
    setConfig({ mcp_live_keys: true });
    await setRole('developer');
    const { access_token, client_id } = await connect(['properties:read'], { mode: 'live' });
    expect((await tool(access_token)).status).toBe(200);
    expect((await callDashboardRoute(new Headers(olga), 'query', 'assistants.client', { client_id })).status).toBe(200);
  });
});

describe('a connection', () => {
  const trpc = (kind: 'query' | 'mutation', path: string, input?: unknown) =>
    callDashboardRoute(new Headers(olga), kind, `assistants.${path}`, input);

  it('is listed, and ends with the next request when revoked', async () => {
    setConfig({ mcp_live_keys: true });
    const { client_id, access_token, refresh_token } = await connect(['properties:read']);
    expect((await trpc('query', 'client', { client_id })).data).toEqual({ name: 'Helper', live_allowed: true });
    const { data } = (await trpc('query', 'list')) as { data: { id: string }[] };
    expect(data).toMatchObject([
      { mode: 'test', client_name: 'Helper', place: 'assistant.example', scopes: ['properties:read'] },
    ]);
    expect((await trpc('mutation', 'revoke', { id: data[0]?.id })).status).toBe(200);
    expect((await tool(access_token)).status).toBe(401);
    expect((await refresh(client_id, refresh_token)).status).toBe(400);
    expect((await trpc('query', 'list')).data).toEqual([]);
    expect((await trpc('mutation', 'revoke', { id: data[0]?.id })).status).toBe(404);
    const log = await systemDb().auditLog.findMany({ where: { team_id, action: 'assistant.disconnected' } });
    expect(log).toMatchObject([{ mode: 'test', data: { name: 'Helper' } }]);
  });

  const consentOf = async (client_id: string) =>
    json(await answer(await consentQuery(client_id), ['properties:read'])).then(
      ({ url = '' }) => new URL(url).searchParams.get('code') ?? '',
    );
  const redeem = (client_id: string, code: string) =>
    ask(
      '/oauth2/token',
      form({ grant_type: 'authorization_code', client_id, code, code_verifier: verifier, redirect_uri: CALLBACK }),
    );

  it('issues no tokens after the membership ends, to a co-host, or for a code from before a disconnection', async () => {
    const { client_id, refresh_token } = await connect();
    const member = await systemDb().member.findFirstOrThrow();
    const early = await consentOf(client_id);
    await systemDb().member.update({ where: { id: member.id }, data: { role: 'co_host' } });
    expect((await refresh(client_id, refresh_token)).status).toBe(400);
    expect((await redeem(client_id, early)).status).toBe(400);
    await systemDb().member.update({ where: { id: member.id }, data: { role: 'owner' } });
    const pending = await consentOf(client_id);
    const { data } = (await trpc('query', 'list')) as { data: { id: string }[] };
    await trpc('mutation', 'revoke', { id: data[0]?.id });
    expect(await json(await redeem(client_id, pending))).toMatchObject({ error: 'invalid_grant' });
    // A code from before the disconnection stays void after the member connects again.
    const old = await consentOf(client_id);
    await trpc('mutation', 'revoke', {
      id: ((await trpc('query', 'list')) as { data: { id: string }[] }).data[0]?.id,
    });
    const fresh = await consentOf(client_id);
    expect((await redeem(client_id, old)).status).toBe(401);
    const tokens = await json(await redeem(client_id, fresh));
    expect((await tool(tokens.access_token)).status).toBe(200);
    await systemDb().member.delete({ where: { id: member.id } });
    expect(await json(await refresh(client_id, tokens.refresh_token))).toMatchObject({ error: 'invalid_grant' });
  });

  it('ends when its member signs out everywhere else or changes the email address', async () => {
    const first = await connect();
    expect((await callDashboardRoute(new Headers(olga), 'mutation', 'accounts.revoke_other_sessions')).status).toBe(
      200,
    );
    expect((await tool(first.access_token)).status).toBe(401);
    const second = await connect();
    const { id } = await systemDb().user.findUniqueOrThrow({ where: { email: OWNER.email } });
    await replacePendingEmailChange(id, 'new@example.com', hashToken('link'), 60);
    await confirmEmailChange(await getSignedInUser(olga), 'link', olga);
    expect((await tool(second.access_token)).status).toBe(401);
  });

  it('has to be confirmed again after 90 days, however often it was renewed', async () => {
    const { client_id, refresh_token } = await connect();
    await systemDb().oauthConsent.updateMany({ data: { updatedAt: new Date(Date.now() - 91 * 24 * HOUR) } });
    expect((await refresh(client_id, refresh_token)).status).toBe(400);
  });

  it('loses its tokens when its code is used again', async () => {
    const { client_id, code = '', access_token, refresh_token } = await connect();
    expect((await redeem(client_id, code)).status).toBe(401);
    expect((await tool(access_token)).status).toBe(401);
    expect((await refresh(client_id, refresh_token)).status).toBe(400);
  });

  it('ends when the client revokes its token', async () => {
    const { client_id, access_token = '' } = await connect();
    const revoked = await ask('/oauth2/revoke', form({ client_id, token: access_token }));
    expect(revoked.status).toBe(200);
    expect((await tool(access_token)).status).toBe(401);
  });

  it('ends when its member adds a second factor, and needs one to open a team that requires it', async () => {
    const before = await connect(['properties:read']);
    const { headers } = await enableTwoFactor(olga, OWNER.password);
    expect((await tool(before.access_token)).status).toBe(401);
    const proven = await connect(['properties:read'], { who: headers });
    const session = await systemDb().session.findFirstOrThrow();
    await systemDb().session.updateMany({ data: { signedInWith: 'password' } });
    const unproven = await connect(['properties:read'], { who: headers });
    await systemDb().session.updateMany({ data: { signedInWith: session.signedInWith } });
    for (const { access_token } of [proven, unproven]) expect((await tool(access_token)).status).toBe(200);
    await systemDb().team.update({ where: { id: team_id }, data: { require_second_factor: true } });
    expect((await tool(proven.access_token)).status).toBe(200);
    expect((await tool(unproven.access_token)).status).toBe(401);
  });

  it('ends when the password changes', async () => {
    const { client_id, access_token, refresh_token } = await connect();
    const body = { currentPassword: OWNER.password, newPassword: 'the next password' };
    expect((await postToAuthHandler('/change-password', body, cookie(olga))).status).toBe(200);
    expect((await tool(access_token)).status).toBe(401);
    expect((await refresh(client_id, refresh_token)).status).toBe(400);
  });
});
