/** With the INNGEST_* variables set: a stand-in for the Inngest server, signed as the real one signs. */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { config, setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { createEndpoint } from '@/modules/webhooks/service';
import { readiness } from '@/operator/readiness';
import { listOperatorRuns } from '@/operator/runs';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawReceiver, startRawReceiver } from '@/testing/raw-receiver';
import { commitEvent, emptyDatabase, insertTeam } from '@/testing/team';
import { callRequest, syncRequest } from './engine/protocol';
import { until } from './engine/testing/harness';
import { TIMES } from './registration';
import { type DurableWork, startDurableWork } from './start';

const HEX = '0123456789abcdef0123456789abcdef';
const SIGNING_KEY = `signkey-prod-${HEX}`;

interface Heard {
  path: string;
  authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the SDK sends.
  body: any;
}

let scope: Scope;
let receiver: RawReceiver;
let work: DurableWork;
let inngest: Server;
let app: Server;
let heard: Heard[];
/** Answers with 500 this many times before it works. */
let failing: number;
/** Whether events of the configured key are taken. */
let takes_events: boolean;
const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await emptyDatabase();
  heard = [];
  failing = 0;
  takes_events = true;
  inngest = createServer((request, response) => {
    let text = '';
    request.on('data', (part) => {
      text += part;
    });
    request.on('end', () => {
      heard.push({
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: JSON.parse(text || 'null'),
      });
      const body = request.url?.startsWith('/e/')
        ? { ids: heard.at(-1)?.body.map(() => 'id'), status: 200 }
        : { ok: true, modified: true };
      if (request.url?.startsWith('/e/') && !takes_events)
        return response.writeHead(401).end(JSON.stringify({ error: 'Event key not found', status: 401 }));
      if (failing-- > 0) return response.writeHead(502).end('Bad gateway');
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await listen(inngest);
  app = createServer((request, response) => void work.handler(request, response));
  await listen(app);
  setConfig({
    app_url: origin(app),
    inngest: {
      base_url: origin(inngest),
      event_key: 'event-key',
      signing_key: SIGNING_KEY,
      dev: false,
      serve_origin: undefined,
    },
  });
  scope = await insertTeam();
  receiver = await startRawReceiver();
  await createEndpoint(scope, { url: receiver.url, events: ['*'] });
});
afterEach(async () => {
  await work.stop();
  for (const server of [inngest, app]) {
    server.closeAllConnections();
    server.close();
  }
  await receiver.close();
  setConfig({ inngest: null });
});

const registrations = () => heard.filter(({ path }) => path.startsWith('/fn/register'));
const sent = () =>
  heard
    .filter(({ path }) => path.startsWith('/e/'))
    .flatMap(({ body }) => body)
    .filter(({ name }) => name !== 'threshold/registered');
const serveUrl = () => `${origin(app)}/api/inngest`;

/** Calls a function as the server does: signed. */
async function call(function_id: string, event_name: string, data = {}): Promise<Response> {
  const signed = callRequest(
    { serve_url: serveUrl(), signing_key: SIGNING_KEY },
    {
      function_id,
      run_id: '01HTEST',
      event: { id: 'e', name: event_name, data, ts: Date.now() },
      steps: [],
      attempt: 0,
      max_attempts: 4,
    },
  );
  return fetch(serveUrl() + new URL(signed.url).search, {
    method: 'POST',
    headers: Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host')),
    body: await signed.text(),
  });
}

describe('with a real Inngest server', () => {
  it('the engine is off, and the functions are registered under the public address with the key', async () => {
    work = await startDurableWork();
    expect(work.engine).toBeNull();
    await until(() => registrations().length === 1);
    const [registration] = registrations();
    const hash = createHash('sha256').update(Buffer.from(HEX, 'hex')).digest('hex');
    expect(registration?.authorization).toBe(`Bearer signkey-prod-${hash}`);
    expect(registration?.body).toMatchObject({ url: serveUrl(), appName: 'threshold' });
    expect(registration?.body.functions.length).toBeGreaterThanOrEqual(9);
  });

  it('registering is tried again until it works', async () => {
    failing = 1;
    work = await startDurableWork();
    await until(() => registrations().length === 2, 8_000);
  });

  it('a committed event wakes the worker over the server, whose signed call delivers', async () => {
    work = await startDurableWork();
    const event_id = await commitEvent(scope, 'reservation.signed', { id: 'res_1' });
    await until(() => sent().length === 2);
    expect(sent()).toMatchObject([
      { name: 'reservation.signed', id: event_id, data: { event_id, team_id: scope.team_id } },
      { name: 'webhooks/endpoint.due', data: { team_id: scope.team_id, url: receiver.url } },
    ]);
    expect(heard.filter(({ path }) => path.startsWith('/e/')).every(({ path }) => path === '/e/event-key')).toBe(true);
    expect(receiver.requests).toHaveLength(0);
    const response = await call('threshold-deliver-to-endpoint', 'webhooks/endpoint.due', sent()[1].data);
    expect(response.status).toBe(206);
    expect(receiver.requests.map(({ headers }) => headers['service-event-id'])).toEqual([event_id]);
    expect(await systemDb().webhookDelivery.findMany()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('a server that lost its state is told again, and until it calls the crons, logs, metrics and /readyz say it', async () => {
    const times = { ...TIMES, look_ms: 50, silence_ms: 1_500 };
    let known = false;
    const server = setInterval(() => {
      // What it knows, it calls: the cron of each minute, here a little faster.
      if (registrations().length > lost_after) known = true;
      if (known) void call('threshold-recover', 'inngest/scheduled.timer').catch(() => {});
    }, 200);
    let lost_after = 0;
    try {
      work = await startDurableWork({ times });
      await until(() => registrations().length === 1 && known);
      await until(async () => (await readiness()).ready);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(await readiness()).toEqual({ ready: true, problems: [] });
      expect(registrations()).toHaveLength(1);
      // It comes back empty, and hears the first registration only once it has been down for a while.
      lost_after = registrations().length + 1;
      known = false;
      await until(async () => !(await readiness()).ready, 8_000);
      expect((await readiness()).problems[0]).toContain('has called no cron');
      await until(async () => (await readiness()).ready, 8_000);
      expect(registrations().length).toBeGreaterThanOrEqual(3);
    } finally {
      clearInterval(server);
    }
  }, 30_000);

  it('functions are registered again every few minutes', async () => {
    work = await startDurableWork({ times: { ...TIMES, look_ms: 20, again_ms: 200 } });
    await until(() => registrations().length >= 3);
  });

  it('another instance that is called will do: the balancer decides which', async () => {
    work = await startDurableWork({ times: { ...TIMES, look_ms: 50, silence_ms: 1_000 } });
    await systemDb().process.create({ data: { id: 'other', pid: 1, place: '', started_at: new Date() } });
    for (let look = 0; look < 10; look++) {
      await systemDb().process.update({ where: { id: 'other' }, data: { cron_at: new Date() } });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(await readiness()).toEqual({ ready: true, problems: [] });
    expect(registrations()).toHaveLength(1);
  });

  it('an event key that the server does not know is found out at once and named', async () => {
    takes_events = false;
    work = await startDurableWork();
    await until(async () => (await readiness()).problems[0]?.includes('INNGEST_EVENT_KEY'));
    expect(registrations()).toHaveLength(1);
  }, 20_000);

  it('the functions are registered where the server finds them, which need not be the public address', async () => {
    setConfig({ app_url: 'https://threshold.example', inngest: { ...config().inngest!, serve_origin: origin(app) } });
    work = await startDurableWork();
    await until(() => registrations().length === 1);
    expect(registrations()[0]?.body).toMatchObject({ url: serveUrl() });
  });

  it('an operator who lists the runs is told where they are', async () => {
    work = await startDurableWork();
    await expect(listOperatorRuns({ limit: 1 })).rejects.toThrow(`${origin(inngest)}/runs`);
  });

  it.each([
    ['a call without a signature', {}],
    ['a call signed with another key', { 'x-inngest-signature': 'other' }],
  ])('%s does nothing', async (_name, headers: Record<string, string>) => {
    work = await startDurableWork();
    await commitEvent(scope);
    await until(() => sent().length === 1);
    const t = Math.round(Date.now() / 1000);
    const forged = createHmac('sha256', 'ff'.repeat(16)).update(`{}${t}`).digest('hex');
    const response = await fetch(`${serveUrl()}?fnId=threshold-deliver-to-endpoint&stepId=step`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(headers['x-inngest-signature'] && { 'x-inngest-signature': `t=${t}&s=${forged}` }),
      },
      body: '{}',
    });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(receiver.requests).toHaveLength(0);
  });

  it('nobody without the key makes it register itself', async () => {
    work = await startDurableWork();
    await until(() => registrations().length === 1);
    const response = await fetch(serveUrl(), { method: 'PUT', headers: { 'x-forwarded-host': 'evil.example' } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(registrations()).toHaveLength(1);
    const signed = syncRequest({ serve_url: serveUrl(), signing_key: SIGNING_KEY });
    const headers = Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host'));
    expect((await fetch(serveUrl(), { method: 'PUT', headers, body: await signed.text() })).status).toBe(200);
  });
});
