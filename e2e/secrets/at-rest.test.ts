/**
 * What opens something stands nowhere in clear: not in the data directory's files, not in a dump of the database, not in
 * what the server prints. The real server hands out a live secret of every kind; then all of it is searched.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readArchive } from '@/operator/backup/archive';
import { createRandom } from '@/testing/random';
import { pagesAreBuilt, startTestServer, type TestServer } from '@/testing/server';
import { type ApiClient, apiClient } from '../support/api-client';
import { type MailProvider, startMailProvider } from '../support/mail-provider';
import { signForm } from '../support/sign-form';

const OWNER = { email: 'owner@example.com', password: `a good ${randomBytes(6).toString('hex')} password` };
const secrets = new Map<string, string>();
let server: TestServer;
let provider: MailProvider;
let output = '';

beforeAll(async () => {
  if (!pagesAreBuilt()) return;
  provider = await startMailProvider(createRandom(1), 0);
  server = await startTestServer({
    with_pages: true,
    built: true,
    env: { RESEND_API_KEY: 're_secret_of_the_provider', RESEND_BASE_URL: provider.url, LOG_LEVEL: 'debug' },
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

/** The last part of the link in the newest mail to somebody. */
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
  const { team } = await server.admin<{ team: { id: string } }>(
    ...['team', 'create', '--name', 'Harbour', '--plan', 'pro'],
    ...['--owner-email', OWNER.email, '--owner-password', OWNER.password],
  );
  keep('password', OWNER.password);
  const { key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'live');
  keep('API key', key);
  const api = apiClient(server.url, key);
  const { id: property_id } = await api.post('/properties', { name: 'Harbour Loft', otp_required: true });
  const headers = { 'X-Gateway-Key': keep('gateway key of a receiver', randomBytes(16).toString('hex')) };
  const endpoint = await api.post('/webhook_endpoints', { url: 'http://127.0.0.1:1099/hook', headers });
  keep('webhook secret', endpoint.signing_secret);
  keep('rotated webhook secret', (await api.post(`/webhook_endpoints/${endpoint.id}/rotate`)).signing_secret);

  // A guest with the link in a mail that was sent, and a code.
  const { id, path } = await guest(api, property_id, 'ada@example.com');
  keep('signing link', path.split('/')[2]);
  await mailed('ada@example.com', /\/sign\/([\w-]+)/);
  const page = await (await fetch(server.url + path)).text();
  const form = { ...signForm(page, 'Ada Lovelace') };
  const submit = (fields: Record<string, string>) =>
    fetch(server.url + path, {
      method: 'POST',
      headers: { origin: server.url },
      body: new URLSearchParams({ ...form, ...fields }),
      redirect: 'manual',
    });
  await submit({ intent: 'send_code' });
  // A code is short: what surrounds it in the mail makes it findable.
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

  // People of the team.
  const signed_in = await post('/api/auth/sign-in/email', OWNER);
  expect(signed_in.status).toBe(200);
  const cookie = signed_in.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  const session = cookie.find((one) => one?.includes('session_token'))?.split('=')[1];
  keep('session cookie', session);
  keep('session token', session?.split('.')[0]);
  const mode = { cookie: cookie.join('; '), 'x-threshold-mode': 'live' };
  await post('/api/trpc/accounts.create_invitation', { email: 'new@example.com', role: 'member' }, mode);
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

  // A terminal that waits, and the key of one that was let in.
  const waiting = await device('code', { mode: 'live' });
  keep('code of a terminal', waiting.device_code);
  keep('code that a terminal shows', waiting.user_code.replace('-', ''));
  const let_in = await device('code', { mode: 'live' });
  await post('/api/trpc/api_keys.allow_device', { user_code: let_in.user_code, scopes: null }, mode);
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  keep('key of a terminal', (await device('token', { grant_type, device_code: let_in.device_code })).access_token);

  const export_link = await post('/api/trpc/team_data.create_export', {}, mode);
  keep(
    'export link',
    /"(?:url|path|href)":"([^"]+)"/
      .exec(await export_link.text())?.[1]
      ?.split(/[/=]/)
      .at(-1),
  );
}

const codes: string[] = [];

async function* filesIn(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) yield join(entry.parentPath, entry.name);
  }
}

/** A row of a dump as text, with what stands in its bytes. */
const readable = (line: string) =>
  line +
  (line.match(/\\\\x[0-9a-f]+/g) ?? []).map((hex) => Buffer.from(hex.slice(3), 'hex').toString('latin1')).join('\n');

it.runIf(pagesAreBuilt())('no live secret of any kind stands in files, database or log', async () => {
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
  // The installation's own key is in its file, and travels in a backup (docs/operating.md): neither is a user's.
  for await (const file of filesIn(server.data_dir))
    search(file.slice(server.data_dir.length), (await readFile(file)).toString('latin1'));
  for await (const piece of readArchive(dump, undefined)) {
    for (const { table, json } of piece.kind === 'rows' ? piece.rows : []) {
      search(`dump of ${table}: ${json.slice(0, 60)}`, readable(json));
      // Six digits may stand anywhere by chance; in a row of mail or codes they are the code.
      if (!/^(mail_messages|guest_codes|trail_entries|events)$/.test(table)) continue;
      for (const code of codes)
        if (new RegExp(`\\b${code}\\b`).test(readable(json))) found.push(`code in ${table}: ${json.slice(0, 60)}`);
    }
  }
  search('output', output);
  for (const code of codes) if (new RegExp(`\\b${code}\\b`).test(output)) found.push('code in the output');
  await rm(folder, { recursive: true });
  expect([...new Set(found)]).toEqual([]);
  expect([...secrets.keys()]).toHaveLength(18);
});
