/** With the INNGEST_* variables set: a stand-in for the Inngest server, signed as the real one signs. */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { config, setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { createEndpoint } from '@/modules/webhooks/service';
import { readiness } from '@/operator/health/readiness';
import { listOperatorRuns } from '@/operator/runs';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawReceiver, startRawReceiver } from '@/testing/raw-receiver';
import { commitEvent, emptyDatabase, insertTeam } from '@/testing/team';
import { syncRequest } from './engine/protocol';
import { until } from './engine/testing/harness';
import { TIMES } from './registration';
import { type DurableWork, startDurableWork } from './start';
import { InngestStandIn } from './testing/stand-in';

const HEX = '0123456789abcdef0123456789abcdef';
const SIGNING_KEY = `signkey-prod-${HEX}`;

let scope: Scope;
let receiver: RawReceiver;
let work: DurableWork;
let inngest: InngestStandIn;
let app: Server;
const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await emptyDatabase();
  inngest = await InngestStandIn.start(SIGNING_KEY);
  app = createServer((request, response) => void work.handler(request, response));
  await listen(app);
  setConfig({
    app_url: origin(app),
    inngest: {
      base_url: inngest.url,
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
  inngest.close();
  app.closeAllConnections();
  app.close();
  await receiver.close();
  setConfig({ inngest: null });
});

const registrations = () => inngest.registrations();
const sent = () => inngest.events();
const serveUrl = () => `${origin(app)}/api/inngest`;

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
    inngest.failing = 1;
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
    const paths = inngest.heard.map(({ path }) => path).filter((path) => path.startsWith('/e/'));
    expect(new Set(paths)).toEqual(new Set(['/e/event-key']));
    expect(receiver.requests).toHaveLength(0);
    await until(() => inngest.app_url);
    const response = await inngest.call('threshold-deliver-to-endpoint', 'webhooks/endpoint.due', sent()[1].data);
    expect(response?.status).toBe(206);
    expect(receiver.requests.map(({ headers }) => headers['service-event-id'])).toEqual([event_id]);
    expect(await systemDb().webhookDelivery.findMany()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('a server that lost its state is told again, and until it calls the crons, logs, metrics and /readyz say it', async () => {
    const times = { ...TIMES, look_ms: 50, silence_ms: 1_500 };
    // What it knows, it calls: the cron of each minute, here a little faster.
    const crons = setInterval(
      () => void inngest.call('threshold-recover', 'inngest/scheduled.timer').catch(() => {}),
      200,
    );
    try {
      work = await startDurableWork({ times });
      await until(async () => (await readiness()).warnings.length === 0 && registrations().length === 1);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(await readiness()).toMatchObject({ ready: true, warnings: [] });
      expect(registrations()).toHaveLength(1);
      inngest.loseState();
      // It does not hear the first two attempts: it is still on its way up.
      inngest.failing = 2;
      await until(async () => (await readiness()).warnings.length > 0, 8_000);
      // The site serves on: nothing that a guest or a partner asks for needs the Inngest server.
      expect(await readiness()).toMatchObject({ ready: true, problems: [] });
      await until(async () => (await readiness()).warnings[0]?.includes('did not register'), 8_000);
      await until(async () => (await readiness()).warnings.length === 0, 8_000);
      expect(registrations().length).toBeGreaterThanOrEqual(3);
      expect(inngest.app_url).toBe(serveUrl());
    } finally {
      clearInterval(crons);
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
    expect(await readiness()).toMatchObject({ ready: true, warnings: [] });
    expect(registrations()).toHaveLength(1);
  });

  it('an event key that the server does not know is found out at once and named', async () => {
    inngest.takes_events = false;
    work = await startDurableWork();
    await until(async () => (await readiness()).warnings[0]?.includes('INNGEST_EVENT_KEY'));
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
    await expect(listOperatorRuns({ limit: 1 })).rejects.toThrow(`${inngest.url}/runs`);
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
