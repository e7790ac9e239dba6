/**
 * Tests a server that runs with the INNGEST_* variables. A fake Inngest server signs like a real
 * one.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { config, setConfig } from '@/config';
import { systemDb } from '@/infra/db/client';
import { createEndpoint } from '@/modules/webhooks/service';
import { probeInngestServer } from '@/operator/health/inngest-server';
import { checkReadiness } from '@/operator/health/readiness';
import { listDurableRunsForOperator } from '@/operator/runs';
import type { Scope } from '@/shared/scope';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawHttpReceiver, startRawHttpReceiver } from '@/testing/raw-receiver';
import { MATRIX_TEST_OPTIONS, selectSampledCases } from '@/testing/sample';
import { clearDatabase, commitTestEvent, insertTeam } from '@/testing/team';
import { buildInngestFunctionConfigRequest } from './engine/protocol';
import { waitUntil } from './engine/testing/harness';
import { INNGEST_REGISTRATION_INTERVALS_MS } from './registration';
import { type DurableWorkRuntime, startDurableWorkRuntime } from './start';
import { FakeInngestServer } from './testing/stand-in';

const HEX = '0123456789abcdef0123456789abcdef';
const SIGNING_KEY = `signkey-prod-${HEX}`;

let scope: Scope;
let receiver: RawHttpReceiver;
let work: DurableWorkRuntime;
let inngest: FakeInngestServer;
let app: Server;
const origin = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const listen = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  inngest = await FakeInngestServer.start(SIGNING_KEY);
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
      dashboard_url: undefined,
      signing_key_fallback: undefined,
    },
  });
  scope = await insertTeam();
  receiver = await startRawHttpReceiver();
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
  it('the engine is off, and the functions are registered under the public URL with the signing key', async () => {
    work = await startDurableWorkRuntime();
    expect(work.engine).toBeNull();
    await waitUntil(() => registrations().length === 1);
    const [registration] = registrations();
    const hash = createHash('sha256').update(Buffer.from(HEX, 'hex')).digest('hex');
    expect(registration?.authorization).toBe(`Bearer signkey-prod-${hash}`);
    expect(registration?.body).toMatchObject({ url: serveUrl(), appName: 'threshold' });
    expect(registration?.body.functions.length).toBeGreaterThanOrEqual(9);
  });

  it('registration is retried until it succeeds', async () => {
    inngest.failing = 1;
    work = await startDurableWorkRuntime({ times: { ...INNGEST_REGISTRATION_INTERVALS_MS, look_ms: 20 } });
    await waitUntil(() => registrations().length === 2, 8_000);
  });

  it('a committed event wakes the worker through the server, whose signed call delivers', async () => {
    work = await startDurableWorkRuntime();
    const event_id = await commitTestEvent(scope, 'reservation.signed', { id: 'res_1' });
    await waitUntil(() => sent().length === 2);
    expect(sent()).toMatchObject([
      { name: 'reservation.signed', id: event_id, data: { event_id, team_id: scope.team_id } },
      { name: 'webhooks/endpoint.due', data: { team_id: scope.team_id, url: receiver.url } },
    ]);
    const paths = inngest.requests.map(({ path }) => path).filter((path) => path.startsWith('/e/'));
    expect(new Set(paths)).toEqual(new Set(['/e/event-key']));
    expect(receiver.requests).toHaveLength(0);
    await waitUntil(() => inngest.app_url);
    const response = await inngest.call('threshold-deliver-to-endpoint', 'webhooks/endpoint.due', sent()[1].data);
    expect(response?.status).toBe(206);
    expect(receiver.requests.map(({ headers }) => headers['service-event-id'])).toEqual([event_id]);
    expect(await systemDb().webhookDelivery.findMany()).toMatchObject([{ status: 'succeeded' }]);
  });

  it('after a server lost its state, the functions are registered again, and a warning stays until it calls', async () => {
    const times = { ...INNGEST_REGISTRATION_INTERVALS_MS, look_ms: 50, silence_ms: 1_500 };
    // Calls a function every 200 ms. A real server's crons call every minute.
    const crons = setInterval(
      () => void inngest.call('threshold-heartbeat', 'threshold/heartbeat').catch(() => {}),
      200,
    );
    try {
      work = await startDurableWorkRuntime({ times });
      await waitUntil(async () => (await checkReadiness()).warnings.length === 0 && registrations().length === 1);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(await checkReadiness()).toMatchObject({ ready: true, warnings: [] });
      expect(registrations()).toHaveLength(1);
      inngest.loseState();
      // The restarted server refuses the first two requests.
      inngest.failing = 2;
      await waitUntil(async () => (await checkReadiness()).warnings.length > 0, 8_000);
      // The site still works. Requests of guests and partners do not need the Inngest server.
      expect(await checkReadiness()).toMatchObject({ ready: true, problems: [] });
      await waitUntil(async () => (await checkReadiness()).warnings[0]?.includes('did not register'), 8_000);
      await waitUntil(async () => (await checkReadiness()).warnings.length === 0, 8_000);
      expect(registrations().length).toBeGreaterThanOrEqual(3);
      expect(inngest.app_url).toBe(serveUrl());
    } finally {
      clearInterval(crons);
    }
  }, 30_000);

  it('functions are registered again every few minutes', async () => {
    work = await startDurableWorkRuntime({
      times: { ...INNGEST_REGISTRATION_INTERVALS_MS, look_ms: 20, again_ms: 200 },
    });
    await waitUntil(() => registrations().length >= 3);
  });

  describe('that runs the functions and remembers ids', () => {
    const times = { ...INNGEST_REGISTRATION_INTERVALS_MS, look_ms: 50, ask_ms: 300, silence_ms: 1_000, again_ms: 400 };
    beforeEach(() => {
      inngest.drives = true;
      setConfig({ webhook_retry_delays_ms: Array(9).fill(4_000) });
    });
    afterEach(() => setConfig({ webhook_retry_delays_ms: undefined }));
    /** Makes the receiver refuse its first request. */
    const refuseFirst = () =>
      receiver.answer((_request, response, index) => void response.writeHead(index === 0 ? 500 : 200).end());
    const problem = async () => (await checkReadiness()).warnings[0] ?? '';
    const healthy = async () => (await problem()) === '';

    it.each(selectSampledCases([0, 3_000, 60_000]))(
      'whose clock is %i ms ahead retries a delivery when it is due',
      { ...MATRIX_TEST_OPTIONS, timeout: 40_000 },
      async (skew_ms) => {
        inngest.skew_ms = skew_ms;
        refuseFirst();
        work = await startDurableWorkRuntime({ times });
        await waitUntil(healthy, 8_000);
        await commitTestEvent(scope);
        await waitUntil(() => receiver.requests.length === 1, 8_000);
        const failed_at = Date.now();
        await waitUntil(() => receiver.requests.length === 2, 15_000);
        expect(Date.now() - failed_at).toBeGreaterThan(2_500);
        expect(Date.now() - failed_at).toBeLessThan(9_000);
      },
    );

    it('whose event key changes causes a warning at the next event, which ends when the key is right again', async () => {
      work = await startDurableWorkRuntime({ times });
      await waitUntil(healthy, 8_000);
      inngest.takes_events = false;
      await commitTestEvent(scope);
      await waitUntil(async () => (await problem()).includes('INNGEST_EVENT_KEY'), 8_000);
      expect(receiver.requests).toHaveLength(0);
      inngest.takes_events = true;
      await waitUntil(() => receiver.requests.length === 1, 15_000);
      await waitUntil(healthy, 8_000);
    }, 40_000);

    it('with another signing key causes a warning, both when it registers and when it calls', async () => {
      inngest.refuses_registration = true;
      work = await startDurableWorkRuntime({ times });
      await waitUntil(async () => (await problem()).includes('INNGEST_SIGNING_KEY'), 8_000);
      inngest.refuses_registration = false;
      inngest.signing_key = `signkey-prod-${'ab'.repeat(16)}`;
      await waitUntil(async () => /Calls were refused.*INNGEST_SIGNING_KEY/.test(await problem()), 8_000);
      inngest.signing_key = SIGNING_KEY;
      await waitUntil(healthy, 8_000);
    }, 40_000);

    it('is checked by the doctor, which reports its last call and whether it rejects events', async () => {
      work = await startDurableWorkRuntime({ times });
      await waitUntil(healthy, 8_000);
      expect(await probeInngestServer(8_000)).toMatchObject({
        ok: true,
        says: expect.stringMatching(/It called \d+ s ago/),
      });
      inngest.reaches = false;
      expect(await probeInngestServer(500)).toMatchObject({
        ok: false,
        says: expect.stringMatching(/called no server/),
      });
      inngest.takes_events = false;
      const refused = await probeInngestServer(500);
      expect(refused).toMatchObject({ ok: false, says: expect.stringMatching(/refuses events: .*401/) });
    }, 40_000);

    it('may sign with the fallback key during a key rotation', async () => {
      const next = `signkey-prod-${'cd'.repeat(16)}`;
      setConfig({ inngest: { ...config().inngest!, signing_key_fallback: next } });
      work = await startDurableWorkRuntime({ times });
      inngest.signing_key = next;
      await commitTestEvent(scope);
      await waitUntil(() => receiver.requests.length === 1, 8_000);
      await waitUntil(healthy, 8_000);
    }, 40_000);

    it('that accepts everything but never calls causes a warning that names the setting for its URL', async () => {
      inngest.reaches = false;
      work = await startDurableWorkRuntime({ times });
      await waitUntil(async () => (await problem()).includes('INNGEST_SERVE_ORIGIN'), 8_000);
      inngest.reaches = true;
      await waitUntil(healthy, 8_000);
    }, 40_000);

    it('is judged neither alive nor dead by a stranger’s unsigned calls', async () => {
      inngest.reaches = false;
      work = await startDurableWorkRuntime({ times });
      const stranger = setInterval(() => void fetch(serveUrl(), { method: 'POST', body: '{}' }).catch(() => {}), 100);
      try {
        await waitUntil(async () => (await problem()) !== '' && registrations().length > 0, 8_000);
        await waitUntil(async () => (await problem()).includes('has not called'), 8_000);
        inngest.reaches = true;
        await waitUntil(healthy, 8_000);
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        expect(await problem()).toBe('');
      } finally {
        clearInterval(stranger);
      }
    }, 40_000);

    it('that lost its state immediately gets requests for the waiting deliveries and mails again', async () => {
      refuseFirst();
      work = await startDurableWorkRuntime({ times });
      await waitUntil(healthy, 8_000);
      await commitTestEvent(scope);
      await waitUntil(() => receiver.requests.length === 1, 8_000);
      const now = new Date();
      const mail = {
        id: 'mail_1',
        team_id: scope.team_id,
        mode: 'live',
        template: 'packet',
        status: 'queued',
      } as const;
      const address = { to: 'guest@example.com', from: 'stay@example.com', subject: 'Your stay' };
      await systemDb().mailMessage.create({
        data: { ...mail, ...address, due_at: now, created_at: now },
      });
      // Both runs have been requested. The server now loses them with the rest of its state.
      inngest.loseState();
      const lost_at = Date.now();
      await waitUntil(() => receiver.requests.length === 2, 15_000);
      await waitUntil(() => inngest.calls.some(({ function_id }) => function_id === 'threshold-send-mail'), 8_000);
      expect(Date.now() - lost_at).toBeLessThan(12_000);
    }, 40_000);
  });

  it('calls to another instance count too, because the load balancer chooses', async () => {
    work = await startDurableWorkRuntime({
      times: { ...INNGEST_REGISTRATION_INTERVALS_MS, look_ms: 50, silence_ms: 1_000 },
    });
    await systemDb().process.create({ data: { id: 'other', pid: 1, place: '', started_at: new Date() } });
    for (let look = 0; look < 10; look++) {
      await systemDb().process.update({ where: { id: 'other' }, data: { called_at: new Date() } });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(await checkReadiness()).toMatchObject({ ready: true, warnings: [] });
    expect(registrations()).toHaveLength(1);
  });

  it('an event key that the server does not know causes a warning that names it', async () => {
    inngest.takes_events = false;
    work = await startDurableWorkRuntime();
    await waitUntil(async () => (await checkReadiness()).warnings[0]?.includes('INNGEST_EVENT_KEY'));
    expect(registrations()).toHaveLength(1);
  }, 20_000);

  it('the functions are registered under the URL the server can reach, which may differ from the public one', async () => {
    setConfig({ app_url: 'https://threshold.example', inngest: { ...config().inngest!, serve_origin: origin(app) } });
    work = await startDurableWorkRuntime();
    await waitUntil(() => registrations().length === 1);
    expect(registrations()[0]?.body).toMatchObject({ url: serveUrl() });
  });

  it('an operator who lists the runs gets the URL of the server’s dashboard', async () => {
    work = await startDurableWorkRuntime();
    await expect(listDurableRunsForOperator({ limit: 1 })).rejects.toThrow(`${inngest.url}/runs`);
  });

  it.each([
    ['a call without a signature', {}],
    ['a call signed with another key', { 'x-inngest-signature': 'other' }],
  ])('%s does nothing', async (_name, headers: Record<string, string>) => {
    work = await startDurableWorkRuntime();
    await commitTestEvent(scope);
    await waitUntil(() => sent().length === 1);
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

  it('a registration request without the signing key is rejected', async () => {
    work = await startDurableWorkRuntime();
    await waitUntil(() => registrations().length === 1);
    const response = await fetch(serveUrl(), { method: 'PUT', headers: { 'x-forwarded-host': 'evil.example' } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(registrations()).toHaveLength(1);
    const signed = buildInngestFunctionConfigRequest({ serve_url: serveUrl(), signing_key: SIGNING_KEY });
    const headers = Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host'));
    expect((await fetch(serveUrl(), { method: 'PUT', headers, body: await signed.text() })).status).toBe(200);
  });
});
