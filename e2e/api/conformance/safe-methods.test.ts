/**
 * Tests that GET changes nothing (RFC 9110, 9.2.1), because mail scanners, link previews and
 * prefetching browsers follow every link. Requests every page, route, procedure and mailed link by
 * GET, as a stranger and as the owner. Triggers in the server's own database record each write.
 * Needs the build that `npm test` creates.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyProcedure } from '@trpc/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { listRoutes } from '@/api/rest/routes';
import { appRouter } from '@/api/router';
import { selectHostVariantOfSchema } from '@/api/trpc/host-part';
import { GUEST_PAGES } from '@/guest/http/serve';
import { openPglite } from '@/infra/db/driver/pglite';
import { LIVE_OR_TEST_MODE_HEADER_NAME } from '@/modules/accounts/session-headers';
import { getBetterAuth } from '@/modules/accounts/sign-in/auth';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { createRandom } from '@/testing/random';
import { startWebhookReceiver, type WebhookReceiver } from '@/testing/receiver';
import { hasNextJsBuild, startTestServer, type TestServer } from '@/testing/server';
import { createGuestClient, extractSigningUrlPathFromMail } from '../../../scripts/demo/guest';
import { type MailProvider, startMailProvider } from '../../support/mail-provider';

/**
 * Tables that a GET may write, each with the reason why the write is harmless. `columns` limits
 * updates to these columns.
 */
const ALLOWED: Record<string, { why: string; columns?: string[] }> = {
  request_logs: { why: 'a record of the request itself' },
  api_keys: { why: 'when the key was last used', columns: ['last_used_at', 'last_used_ip'] },
  tallies: { why: 'counts attempts against the limits' },
  sessions: { why: 'a session that is used lasts longer', columns: ['expires_at', 'updated_at'] },
  installation_keys: { why: 'a key of the installation is made at its first use' },
  processes: { why: 'this process is alive' },
  reservations: { why: 'background work looks for double bookings', columns: ['nights_changed'] },
};
const BACKGROUND = /^engine_/;

const RECORDER = `
  CREATE TABLE recorded_writes (at timestamptz DEFAULT clock_timestamp(), name text, op text, columns text[]);
  CREATE FUNCTION record_write() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE changed text[];
  BEGIN
    IF TG_OP = 'UPDATE' THEN
      SELECT array_agg(n.key) INTO changed FROM jsonb_each(to_jsonb(NEW)) n
        WHERE n.value IS DISTINCT FROM to_jsonb(OLD) -> n.key;
    END IF;
    IF TG_OP <> 'UPDATE' OR changed IS NOT NULL THEN
      INSERT INTO recorded_writes (name, op, columns) VALUES (TG_TABLE_NAME, TG_OP, changed);
    END IF;
    RETURN NULL;
  END $$;
  DO $$ DECLARE t text; BEGIN
    FOR t IN SELECT tablename FROM pg_tables
      WHERE schemaname = current_schema() AND tablename NOT IN ('_prisma_migrations', 'recorded_writes')
    LOOP
      EXECUTE format('CREATE TRIGGER record_write AFTER INSERT OR UPDATE OR DELETE ON %I
        FOR EACH ROW EXECUTE FUNCTION record_write()', t);
    END LOOP;
  END $$;`;

/** Values for fields that are not ids and whose schema has no example. */
const SAMPLES: Record<string, unknown> = {
  timezone: 'Europe/Lisbon',
  query: 'Harbour',
  from: '2030-05-01',
  to: '2030-05-09',
};

/** The id prefix of the resource that each path segment names. */
const PREFIXES: Record<string, string> = {
  properties: 'prop',
  reservations: 'res',
  packets: 'pkt',
  certificates: 'sig',
  calendars: 'ss',
  sync_sources: 'ss',
  webhooks: 'whe',
  webhook_endpoints: 'whe',
  deliveries: 'evt',
  events: 'evt',
  logs: 'req',
  request_logs: 'req',
  outbox: 'mail',
  runs: 'run',
  test_clocks: 'clock',
};

interface JsonSchema {
  type?: string;
  format?: string;
  enum?: unknown[];
  minimum?: number;
  const?: unknown;
}
function sampleOf({ type, format, minimum, ...schema }: JsonSchema, id: string): unknown {
  const [value] = schema.enum ?? [schema.const];
  if (value !== undefined) return value;
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return false;
  if (type === 'array') return [id];
  return format === 'date-time' ? '2020-01-01T00:00:00Z' : id;
}

/**
 * Queries that this test cannot call. Their resources do not exist in this installation, or their
 * input names two resources.
 */
const UNREACHED = [
  'reservations.email_preview',
  'inbox.retrieve',
  'sms_messages.retrieve',
  'webhook_endpoints.retrieve_delivery',
  'test_clocks.retrieve',
  'request_logs.retrieve',
  'mail.preview',
  'runs.retrieve',
  'guest_erasures.retrieve',
  'assistants.client',
];

interface Write {
  at: Date;
  name: string;
  op: string;
  columns: string[] | null;
}

/**
 * Paths of Next's pages and routes, with the parameters as in the file names: `/reservations/[id]`.
 */
const NEXT_PATHS = readdirSync('src/app', { recursive: true, encoding: 'utf8' }).flatMap((file) => {
  const path = /^(.*)[\\/](page\.tsx|route\.ts)$/.exec(`/${file}`)?.[1];
  const has_get =
    path !== undefined && (file.endsWith('.tsx') || /\bGET\b/.test(readFileSync(`src/app/${file}`, 'utf8')));
  return has_get ? [path.replaceAll('\\', '/').replace(/\/\([^)]+\)/g, '') || '/'] : [];
});

const procedures = Object.entries(appRouter._def.procedures as unknown as Record<string, AnyProcedure>);

describe.skipIf(!hasNextJsBuild() || process.env.TEST_DATABASE_URL)('GET (skipped without a build)', () => {
  let server: TestServer;
  let mails: MailProvider;
  let receiver: WebhookReceiver;
  let keys: { live: string; test: string };
  let cookie: string;
  /** Existing ids, used as values for path parameters. */
  const ids: string[] = [];
  const links = new Set<string>();
  const requests: { from: number; to: number; label: string; status: number }[] = [];

  async function call(path: string, body?: unknown, headers: Record<string, string> = {}, method = 'POST') {
    const response = await fetch(`${server.url}${path}`, {
      method,
      redirect: 'manual',
      headers: { 'Content-Type': 'application/json', Origin: server.url, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
    return { response, body: text.startsWith('{') ? JSON.parse(text) : text };
  }
  const v1 = async (path: string, body?: unknown, key = keys.live) =>
    (await call(`/v1${path}`, body, { Authorization: `Bearer ${key}` })).body;
  const procedure = async (path: string, input: unknown) =>
    (await call(`/api/trpc/${path}`, input, { Cookie: cookie, [LIVE_OR_TEST_MODE_HEADER_NAME]: 'live' })).body.result
      .data;

  async function get(label: string, path: string, headers: Record<string, string> = {}): Promise<number> {
    const from = Date.now();
    const response = await fetch(`${server.url}${path}`, { redirect: 'manual', headers });
    const text = await response.text();
    if (path.startsWith('/api/trpc/')) collect(text);
    requests.push({ from, to: Date.now(), label: `${label} ${path}`, status: response.status });
    return response.status;
  }

  async function onDatabase<Result>(work: (database: Awaited<ReturnType<typeof openPglite>>) => Promise<Result>) {
    await server.stopProcess();
    const database = await openPglite(join(server.data_dir, 'postgres'));
    const result = await work(database);
    await database.close();
    return result;
  }

  /** Creates every kind of object that has a link, an id or a token. */
  async function populate(): Promise<void> {
    const told = await readFile(join(server.data_dir, 'first-start.txt'), 'utf8');
    const found = (pattern: RegExp) => pattern.exec(told)?.[1] ?? '';
    keys = { live: found(/(service_live_sk_\w+)/), test: found(/(service_test_sk_\w+)/) };
    const signed_in = await call('/api/auth/sign-in/email', {
      email: 'owner@threshold.invalid',
      password: found(/password\s+(\S+)/),
    });
    cookie = signed_in.response.headers
      .getSetCookie()
      .map((each) => each.split(';', 1)[0])
      .join('; ');
    const property = await v1('/properties', { name: 'Harbour Loft', timezone: 'Europe/Lisbon' });
    await call(
      `/v1/properties/${property.id}/packet`,
      { rules: [{ text: 'No smoking.' }] },
      { Authorization: `Bearer ${keys.live}` },
      'PATCH',
    );
    const stay = { property_id: property.id, checkin_date: '2030-05-01', checkout_date: '2030-05-05' };
    for (const guest_email of ['ada@example.com', 'grace@example.com']) {
      const { id } = await v1('/reservations', { ...stay, guest_name: 'Ada Lovelace', guest_email });
      await v1(`/reservations/${id}/send`, {});
    }
    const endpoint = await v1('/webhook_endpoints', {
      url: `${receiver.url}/hook`,
    });
    const portal = await procedure('webhook_endpoints.share_portal', { id: endpoint.id, days: 7 });
    links.add(new URL(portal.url).pathname);
    await v1('/test_clocks', { frozen_time: '2030-01-01T00:00:00Z' }, keys.test);
    // This kind of source is never polled. A poll would write during the test.
    await server.admin('sync-source', 'create', '--property', property.id, '--kind', 'forward_email');
    await procedure('accounts.create_invitation', { email: 'member@example.com', role: 'manager' });
    await call('/api/auth/sign-up/email', { email: 'new@example.com', password: 'a long password 4711', name: 'New' });
    await call('/api/auth/request-password-reset', { email: 'owner@threshold.invalid' });
    const signing = await vi.waitFor(() => {
      const mail = mails.sent.find(({ to }) => to.includes('ada@example.com'));
      if (!mail) throw new Error('No mail yet.');
      return extractSigningUrlPathFromMail(mail.text);
    }, 30_000);
    const ada = createGuestClient(server.url, signing);
    await ada.sign(await ada.open(), 'Ada Lovelace');
    // Waits for the durable runs that the steps above started: mails, the certificate, the guest's
    // copy.
    await vi.waitFor(() => expect(mails.sent.length).toBeGreaterThanOrEqual(6), 30_000);
    await sleep(3_000);
    for (const { text, html } of mails.sent)
      for (const [url] of `${text} ${html.replaceAll('&amp;', '&')}`.matchAll(/http:\/\/localhost:\d+[^\s"<>)]*/g))
        if (!url.includes('/o/')) links.add(new URL(url).pathname + new URL(url).search);
  }

  /** Stores the first id of each kind that a response contains. */
  function collect(text: string): void {
    for (const [id, kind] of text.matchAll(/\b([a-z]+)_[0-9a-z]{26}\b/g))
      if (!ids.some((known) => known.startsWith(`${kind}_`))) ids.push(id);
  }

  beforeAll(async () => {
    await openTestDatabase();
    receiver = await startWebhookReceiver();
    mails = await startMailProvider(createRandom(1), 0);
    server = await startTestServer({
      with_pages: true,
      built: true,
      env: { RESEND_API_KEY: 're_test', RESEND_BASE_URL: mails.url, MAIL_FROM: 'Threshold <mail@example.com>' },
    });
    await vi.waitFor(() => readFile(join(server.data_dir, 'first-start.txt')), 30_000);
    await onDatabase((database) => database.exec(RECORDER));
    await server.restart();
    await populate();
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    await mails?.close();
    await receiver?.close();
    await closeTestDatabase();
  });

  /**
   * Returns every path for a pattern. Each parameter is replaced by every known id of the resource
   * named before it. If there is no such id, it is replaced by every known token.
   */
  function filled(pattern: string): string[] {
    const [, noun = '', parameter] = /([\w-]+)\/(\[[^\]]+\]|\{[^}]+\}|:token)/.exec(pattern) ?? [];
    if (!parameter) return [pattern];
    const of_kind = ids.filter((id) => id.startsWith(`${PREFIXES[noun]}_`));
    return (of_kind.length > 0 ? of_kind : tokens()).flatMap((value) => filled(pattern.replace(parameter, value)));
  }
  const tokens = () => [...links].map((link) => link.split(/[/=?&]/).find((part) => part.length > 20) ?? '');

  /**
   * Returns inputs that match a query's schema. Strings are known ids and tokens. All other types
   * have their smallest value.
   */
  function inputsOf(schema: z.ZodType | undefined): unknown[] {
    if (!schema) return [undefined];
    const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return [...ids, ...tokens()].map((id) =>
      Object.fromEntries(required.map((name) => [name, SAMPLES[name] ?? sampleOf(properties[name] as JsonSchema, id)])),
    );
  }

  /** Calls a query with one input after another until one succeeds. Returns whether one did. */
  async function query(name: string, { _def }: AnyProcedure): Promise<boolean> {
    const [schema] = (_def as unknown as { inputs: unknown[] }).inputs.map(selectHostVariantOfSchema) as z.ZodType[];
    const inputs = new Set(inputsOf(schema).map((input) => JSON.stringify(input)));
    for (const input of inputs) {
      const search = input === undefined ? '' : `?input=${encodeURIComponent(input)}`;
      for (const mode of ['live', 'test'])
        if (
          (await get('owner', `/api/trpc/${name}${search}`, {
            Cookie: cookie,
            [LIVE_OR_TEST_MODE_HEADER_NAME]: mode,
          })) === 200
        ) {
          return true;
        }
    }
    return false;
  }

  it('changes nothing, whatever is requested and whoever requests it', async () => {
    const began = new Date();
    const mutations = procedures.filter(([, { _def }]) => _def.type === 'mutation');
    for (const [name] of mutations) {
      const input = encodeURIComponent(JSON.stringify({ id: ids[0] }));
      const headers = { Cookie: cookie, [LIVE_OR_TEST_MODE_HEADER_NAME]: 'live' };
      expect([name, await get('owner', `/api/trpc/${name}?input=${input}`, headers)]).toEqual([name, 405]);
    }
    let unanswered = procedures.filter(([, { _def }]) => _def.type === 'query');
    // Each round uses the ids that the previous round found.
    for (const _round of [1, 2, 3]) {
      const left: typeof unanswered = [];
      for (const entry of unanswered) if (!(await query(...entry))) left.push(entry);
      unanswered = left;
    }

    const auth_paths = Object.values(getBetterAuth().api).flatMap((endpoint) => {
      const { path, options } = endpoint as { path?: string; options?: { method?: string | string[] } };
      return path && [options?.method].flat().includes('GET') ? [`/api/auth${path.replace(/:\w+/g, '[token]')}`] : [];
    });
    const patterns = [...NEXT_PATHS, ...GUEST_PAGES.keys(), ...auth_paths, '/readyz', '/metrics', '/docs'];
    for (const path of [...links, ...patterns.flatMap(filled)]) {
      await get('stranger', path);
      await get('owner', path, { Cookie: cookie });
    }
    for (const { method, pattern } of listRoutes(appRouter)) {
      if (method !== 'GET') continue;
      for (const path of filled(pattern)) await get('key', `/v1${path}`, { Authorization: `Bearer ${keys.live}` });
    }

    const writes = await onDatabase(
      async (database) =>
        (await database.query<Write>('SELECT * FROM recorded_writes WHERE at >= $1 ORDER BY at', [began])).rows,
    );
    const changes = writes.filter(({ name, columns }) => {
      const allowed = ALLOWED[name];
      const within = allowed && (!allowed.columns || columns?.every((column) => allowed.columns?.includes(column)));
      return !within && !BACKGROUND.test(name);
    });
    const causes = changes.map(({ at, ...write }) => ({
      ...write,
      requests: requests.filter(({ from, to }) => from <= at.getTime() && at.getTime() <= to).map(({ label }) => label),
    }));
    expect(causes).toEqual([]);
    expect(requests.filter(({ status }) => status >= 500)).toEqual([]);
    expect(unanswered.map(([name]) => name).sort()).toEqual([...UNREACHED].sort());
  }, 300_000);
});
