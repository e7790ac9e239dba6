/**
 * Tests that no secret is stored in clear. The real server creates a live secret of every kind. The
 * test then searches the data directory's files, a database dump and the server's output.
 */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBackupArchive } from '@/operator/backup/archive';
import { createRandom } from '@/testing/random';
import { hasNextJsBuild, startTestServer, type TestServer } from '@/testing/server';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type MailProvider, startMailProvider } from '../support/mail-provider';
import { buildSignFormFields } from '../support/sign-form';

const OWNER = { email: 'owner@example.com', password: `a good ${randomBytes(6).toString('hex')} password` };
const secrets = new Map<string, string>();
let server: TestServer;
let provider: MailProvider;
let output = '';

beforeAll(async () => {
  if (!hasNextJsBuild()) return;
  provider = await startMailProvider(createRandom(1), 0);
  server = await startTestServer({
    with_pages: true,
    built: true,
    env: {
      MCP_LIVE_KEYS: '1',
      RESEND_API_KEY: 're_secret_of_the_provider',
      RESEND_BASE_URL: provider.url,
      LOG_LEVEL: 'debug',
    },
  });
});
afterAll(async () => {
  await server?.stop();
  await provider?.close();
});

const keep = (kind: string, value: string | null | undefined) => {
  if (!value || value.length < 6) throw new Error(`No ${kind} was handed out.`);
  secrets.set(kind, value);
  return value;
};

/** Returns the last part of the link in the newest mail to an address. */
async function mailed(to: string, path: RegExp): Promise<string> {
  for (let turn = 0; turn < 200; turn++) {
    const mail = provider.sent.findLast((one) => one.to === to && path.test(one.text));
    const found = mail && path.exec(mail.text)?.[1];
    if (found) return found;
    await sleep(50);
  }
  throw new Error(`No mail to ${to} with ${path}.`);
}

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: server.url, ...headers },
    body: JSON.stringify(body),
  });

const device = async (door: 'code' | 'token', form: Record<string, string>) =>
  (
    await fetch(`${server.url}/api/device/${door}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'threshold-cli', ...form }),
    })
  ).json();

async function guest(api: ApiClient, property_id: string, email: string) {
  const { id } = await api.post('/reservations', {
    property_id,
    guest_name: 'Ada Lovelace',
    guest_email: email,
    checkin_date: '2030-05-01',
    checkout_date: '2030-05-05',
  });
  await api.post(`/reservations/${id}/send`);
  const { signingUrl } = await api.get(`/reservations/${id}/copy-link`);
  return { id, path: new URL(signingUrl).pathname };
}

async function handOutEverything(): Promise<void> {
  const { team } = await server.createTeam({ name: 'Harbour', ...OWNER });
  keep('password', OWNER.password);
  const { key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'live');
  keep('API key', key);
  const api = createApiClient(server.url, key);
  const { id: property_id } = await api.post('/properties', { name: 'Harbour Loft', otp_required: true });
  const headers = { 'X-Gateway-Key': keep('gateway key of a receiver', randomBytes(16).toString('hex')) };
  const endpoint = await api.post('/webhook_endpoints', { url: 'http://127.0.0.1:1099/hook', headers });
  keep('webhook secret', endpoint.signing_secret);
  keep('rotated webhook secret', (await api.post(`/webhook_endpoints/${endpoint.id}/rotate`)).signing_secret);

  // A guest's link and one-time code, which are in sent mails.
  const { id, path } = await guest(api, property_id, 'ada@example.com');
  keep('signing link', path.split('/')[2]);
  await mailed('ada@example.com', /\/sign\/([\w-]+)/);
  const page = await (await fetch(server.url + path)).text();
  const form = { ...buildSignFormFields(page, 'Ada Lovelace') };
  const submit = (fields: Record<string, string>) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { origin: server.url },
      body: new URLSearchParams({ ...form, ...fields }),
      redirect: 'manual',
    });
  await submit({ intent: 'send_code' });
  const code = await mailed('ada@example.com', /\b(\d{6})\b/);
  expect((await submit({ otp_code: code })).status).toBe(303);
  const { copyUrl } = await api.get(`/reservations/${id}/copy-link`);
  keep('copy link', new URL(copyUrl).pathname.split('/')[2]);
  const later = await guest(api, property_id, 'bea@example.com');
  keep('another signing link', later.path.split('/')[2]);
  await fetch(server.url + later.path);
  const unconfirmed = await fetch(server.url + later.path, {
    method: 'POST',
    headers: { origin: server.url },
    body: new URLSearchParams({ intent: 'send_code', locale: 'en' }),
  });
  expect(unconfirmed.status).toBeLessThan(500);
  codes.push(code, await mailed('bea@example.com', /\b(\d{6})\b/));

  // Secrets of the team's members, such as sessions and invitations.
  const signed_in = await post('/api/auth/sign-in/email', OWNER);
  expect(signed_in.status).toBe(200);
  const cookie = signed_in.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  const session = cookie.find((one) => one?.includes('session_token'))?.split('=')[1];
  keep('session cookie', session);
  keep('session token', session?.split('.')[0]);
  const mode = { cookie: cookie.join('; '), 'x-threshold-mode': 'live', 'x-threshold-team': team.id };
  await post('/api/trpc/accounts.create_invitation', { email: 'new@example.com', role: 'manager' }, mode);
  keep('invitation', await mailed('new@example.com', /\/invite\/([\w-]+)/));
  await post('/api/auth/request-password-reset', { email: OWNER.email, redirectTo: '/reset-password' });
  keep('reset link', await mailed(OWNER.email, /token=([\w.%-]+)/));
  const signed_up = await post('/api/auth/sign-up/email', {
    name: 'Cy',
    email: 'cy@example.com',
    password: OWNER.password,
  });
  keep('browser that signed up', /sign_up=([\w-]+)/.exec(signed_up.headers.getSetCookie().join())?.[1]);
  keep('verification link', await mailed('cy@example.com', /token=([\w.%-]+)/));

  // The code of a terminal that waits for approval, and the key of an approved terminal.
  const waiting = await device('code', { mode: 'live' });
  keep('code of a terminal', waiting.device_code);
  keep('code that a terminal shows', waiting.user_code.replace('-', ''));
  const let_in = await device('code', { mode: 'live' });
  await post('/api/trpc/api_keys.allow_device', { user_code: let_in.user_code, scopes: null }, mode);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  keep('key of a terminal', (await device('token', { grant_type, device_code: let_in.device_code })).access_token);

  await connectAssistant(mode);

  const export_link = await post('/api/trpc/team_data.create_export', {}, mode);
  keep(
    'export link',
    /"(?:url|path|href)":"([^"]+)"/
      .exec(await export_link.text())?.[1]
      ?.split(/[/=]/)
      .at(-1),
  );
}

/** Creates an assistant's code, and its tokens before and after they are renewed. */
async function connectAssistant(host: Record<string, string>): Promise<void> {
  const json = async (response: Promise<Response>) => (await (await response).json()) as Record<string, string>;
  const redirect_uri = 'https://assistant.example/callback';
  const registration = { client_name: 'Helper', redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' };
  const { client_id = '' } = await json(post('/oauth2/register', registration));
  const code_verifier = keep('verifier of an assistant', randomBytes(32).toString('base64url'));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri,
    resource: `${server.url}/mcp`,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  // A request by a script gets the redirect address as JSON.
  const asked = await json(fetch(`${server.url}/oauth2/authorize?${query}`, { headers: host }));
  const oauth_query = new URL(asked.url ?? '', server.url).search.slice(1);
  const { url = '' } = await json(post('/oauth2/consent', { oauth_query, scopes: ['properties:read'] }, host));
  const code = keep('code of an assistant', new URL(url).searchParams.get('code'));
  const token = (fields: Record<string, string>) =>
    json(fetch(`${server.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams({ client_id, ...fields }) }));
  const first = await token({ grant_type: 'authorization_code', code, code_verifier, redirect_uri });
  keep('access token of an assistant', first.access_token?.replace('threshold_at_', ''));
  const refresh_token = keep('refresh token of an assistant', first.refresh_token?.replace('threshold_rt_', ''));
  const next = await token({ grant_type: 'refresh_token', refresh_token: `threshold_rt_${refresh_token}` });
  keep('renewed access token', next.access_token?.replace('threshold_at_', ''));
  keep('renewed refresh token', next.refresh_token?.replace('threshold_rt_', ''));
}

const codes: string[] = [];

async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name);
  }
}

/** Returns a row of a dump as text. Byte columns are decoded. */
const readable = (line: string) =>
  line +
  (line.match(/\\\\x[0-9a-f]+/g) ?? []).map((hex) => Buffer.from(hex.slice(3), 'hex').toString('latin1')).join('\n');

it.runIf(hasNextJsBuild())(
  'no live secret of any kind appears in files, database or log',
  { timeout: 240_000 },
  async () => {
    await handOutEverything();
    await sleep(500);
    const folder = await mkdtemp(join(tmpdir(), 'threshold-dump-'));
    const dump = join(folder, 'dump');
    await server.admin('backup', '--out', dump);
    output = server.output();
    await server.stopProcess();
    output += server.output();

    const found: string[] = [];
    const search = (where: string, text: string) => {
      for (const [kind, secret] of secrets) {
        for (const form of [secret, decodeURIComponent(secret)])
          if (text.includes(form)) found.push(`${kind} in ${where}`);
      }
    };
    // The installation's own key is in its file and in backups (docs/operating.md). It is not a
    // user's secret.
    for await (const file of filesIn(server.data_dir))
      search(file.slice(server.data_dir.length), (await readFile(file)).toString('latin1'));
    for await (const piece of readBackupArchive(dump, undefined)) {
      for (const { table, json } of piece.kind === 'rows' ? piece.rows : []) {
        search(`dump of ${table}: ${json.slice(0, 60)}`, readable(json));
        // Six digits may occur anywhere by chance. Only rows about mails or codes are searched for
        // them.
        if (!/^(mail_messages|guest_codes|trail_entries|events)$/.test(table)) continue;
        for (const code of codes)
          if (new RegExp(`\\b${code}\\b`).test(readable(json))) found.push(`code in ${table}: ${json.slice(0, 60)}`);
      }
    }
    search('output', output);
    for (const code of codes) if (new RegExp(`\\b${code}\\b`).test(output)) found.push('code in the output');
    await rm(folder, { recursive: true });
    expect([...new Set(found)]).toEqual([]);
    expect([...secrets.keys()]).toHaveLength(24);
  },
);
