import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setConfig } from '@/config';
import { relayBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { processId } from '@/infra/process/processes';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { readMails } from '@/testing/mail';
import { type RawReceiver, startRawReceiver } from '@/testing/raw-receiver';
import { commitEvent, emptyDatabase, insertTeam } from '@/testing/team';
import { IN_FLIGHT } from '../endpoint-health.rules';
import { createEndpoint, enableEndpoint, redeliver, rotateSecret, updateEndpoint } from '../service';
import { askForRuns, pullBackDeliveries } from './ask';
import { deliverTo, freeHeldDeliveries, stopDeliveries } from './delivery';
import { claimDue } from './queue.repository';
import { writeResults } from './results';
import { RETRY_DELAYS_MS } from './retry.rules';
import { verifyServiceSignature } from './signature.rules';

const MINUTE = 60_000;
const NO_LINGER = { attempts: 1_000, ms: 5_000, linger_ms: 0 };
let scope: Scope;
let time: FakeClock;
let receiver: RawReceiver;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await emptyDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  setConfig({ webhook_retry_delays_ms: undefined });
  scope = await insertTeam();
  receiver = await startRawReceiver();
});
afterEach(async () => {
  await stopDeliveries();
  await receiver.close();
  setClock(null);
});

const endpointFor = async (url: string) => (await createEndpoint(scope, { url, events: ['*'] })).row.id;
const endpoint = (id: string) => systemDb().webhookEndpoint.findUniqueOrThrow({ where: { id } });
const attempts = (endpoint_id: string) =>
  systemDb().webhookDelivery.findMany({
    where: { endpoint_id },
    orderBy: [{ created_at: 'asc' }, { attempt_number: 'asc' }],
  });
/** An address where nothing listens. */
async function closedUrl(): Promise<string> {
  const closed = await startRawReceiver();
  await closed.close();
  return closed.url;
}
/** A run of every endpoint. */
async function deliver() {
  const endpoints = await systemDb().webhookEndpoint.findMany({ select: { id: true } });
  return Promise.all(endpoints.map((one) => deliverTo(one.id, NO_LINGER)));
}
const mails = () => readMails();

/** Commits an event, relays it and delivers what is due. */
async function send(object: object = {}): Promise<string> {
  const id = await commitEvent(scope, 'property.created', object);
  await relayBatch(async () => {});
  await deliver();
  return id;
}

/** Moves the clock to the next pending attempt and makes it. */
async function nextAttempt(endpoint_id: string) {
  const pending = (await attempts(endpoint_id)).find((one) => one.status === 'pending');
  if (!pending) throw new Error('Nothing is pending.');
  time.set(pending.due_at);
  await deliver();
  return pending;
}

describe('an attempt', () => {
  it('carries the stored bytes, the headers of the specification, and a signature that Stripe’s library accepts', async () => {
    const { row, secret } = await createEndpoint(scope, { url: receiver.url, events: ['property.created'] });
    const event_id = await send({ name: 'Zażółć 🏖' });
    const [request] = receiver.requests;
    const [delivery] = await attempts(row.id);
    const stored = await systemDb().event.findUniqueOrThrow({ where: { id: event_id } });
    expect(request?.body).toBe(stored.body);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'service-event': 'property.created',
      'service-event-id': event_id,
      'service-delivery-id': delivery?.id,
      'service-attempt': '1',
      'webhook-id': event_id,
      'webhook-timestamp': String(time.now().getTime() / 1000),
    });
    const stripe = new Stripe('sk_test_x');
    const signature = request?.headers['service-signature'] ?? '';
    const verified = stripe.webhooks.constructEvent(request?.body ?? '', signature, secret, 1e9);
    expect(verified.id).toBe(event_id);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const standard = createHmac('sha256', key).update(`${event_id}.${time.now().getTime() / 1000}.${stored.body}`);
    expect(request?.headers['webhook-signature']).toBe(`v1,${standard.digest('base64')}`);
    expect(delivery).toMatchObject({ status: 'succeeded', status_code: 200, attempt_number: 1, next_retry_at: null });
    expect(await endpoint(row.id)).toMatchObject({ consecutive_failures: 0, last_success_at: time.now() });
  });

  it('keeps the first secret until its announced time when it is rotated again', async () => {
    const { row, secret: first } = await createEndpoint(scope, { url: receiver.url, events: ['*'] });
    const { secret: second, grace_until } = await rotateSecret(scope, row.id);
    time.set(new Date(time.now().getTime() + 3_600_000));
    const { secret: third } = await rotateSecret(scope, row.id);
    await send();
    time.set(grace_until);
    await send();
    const verifies = (index: number, secret: string) => {
      const { body, headers } = receiver.requests[index]!;
      return verifyServiceSignature(headers['service-signature']!, body, secret, time.now()).ok;
    };
    const window = (index: number) => [first, second, third].map((secret) => verifies(index, secret));
    expect(window(1)).toEqual([false, true, true]);
    time.set(new Date(grace_until.getTime() - 23 * 3_600_000));
    expect(window(0)).toEqual([true, true, true]);
  });

  it('is signed with both secrets for 24 hours after a rotation, then with the new one alone', async () => {
    const { row, secret: old } = await createEndpoint(scope, { url: receiver.url, events: ['*'] });
    await send();
    const { secret: fresh, grace_until } = await rotateSecret(scope, row.id);
    await send();
    time.set(new Date(grace_until.getTime() - 1));
    await send();
    time.set(grace_until);
    await send();
    const stripe = new Stripe('sk_test_x');
    const accepts = (index: number, secret: string) => {
      const { body, headers } = receiver.requests[index]!;
      try {
        return Boolean(stripe.webhooks.constructEvent(body, headers['service-signature']!, secret, 1e9));
      } catch {
        return false;
      }
    };
    expect([0, 1, 2, 3].map((index) => [accepts(index, old), accepts(index, fresh)])).toEqual([
      [true, false],
      [true, true],
      [true, true],
      [false, true],
    ]);
    expect(receiver.requests.map(({ headers }) => headers['service-signature']!.split('v1=').length - 1)).toEqual([
      1, 2, 2, 1,
    ]);
  });

  it.each([
    ['a refused connection', () => closedUrl(), 'refused'],
    ['an unknown host', async () => 'https://nowhere.invalid/hook', 'dns'],
    ['an address that is not public', async () => 'https://10.1.2.3/hook', 'blocked_address'],
    ['a server without TLS', async () => receiver.url.replace('http:', 'https:'), 'tls'],
  ])('to %s fails with its kind', async (_name, url, error_kind) => {
    const id = await endpointFor(receiver.url);
    await systemDb().webhookEndpoint.update({ where: { id }, data: { url: await url() } });
    await send();
    expect((await attempts(id))[0]).toMatchObject({
      status: 'failed',
      error_kind,
      status_code: null,
      response_body_truncated: null,
    });
  });

  it('does not follow a redirect, and keeps its status', async () => {
    const id = await endpointFor(receiver.url);
    receiver.answer((_request, response) => void response.writeHead(307, { Location: receiver.url }).end());
    await send();
    expect(receiver.requests).toHaveLength(1);
    expect((await attempts(id))[0]).toMatchObject({ status: 'failed', error_kind: 'redirect', status_code: 307 });
  });

  it('keeps 1 KiB of the answer, without what PostgreSQL cannot hold', async () => {
    const id = await endpointFor(receiver.url);
    receiver.answer((_request, response) => void response.writeHead(500).end(`a\u0000b${'é'.repeat(2_000)}`));
    await send();
    const [first] = await attempts(id);
    expect(first?.response_body_truncated).toBe(`ab${'é'.repeat(510)}`);
  });
});

describe('the retry curve', () => {
  it('leads over the specification’s delays to auto_disabled, keeps the tenth attempt waiting, and resumes when re-enabled', async () => {
    const id = await endpointFor(receiver.url);
    receiver.answer((_request, response) => void response.writeHead(503).end('down for maintenance'));
    const event_id = await send();
    for (let failure = 1; failure <= 8; failure++) {
      const rows = await attempts(id);
      const [done, pending] = [rows[failure - 1], rows[failure]];
      const wait = (pending?.due_at.getTime() ?? 0) - time.now().getTime();
      const delay = RETRY_DELAYS_MS[failure - 1]!;
      expect(wait).toBeGreaterThanOrEqual(delay);
      expect(wait).toBeLessThanOrEqual(delay * 1.1);
      expect(done).toMatchObject({ status: 'failed', status_code: 503, next_retry_at: pending?.due_at });
      time.set(new Date((pending?.due_at.getTime() ?? 0) - 1));
      await deliver();
      expect(receiver.requests).toHaveLength(failure);
      expect(await mails()).toHaveLength(failure >= 3 ? 1 : 0);
      time.advance(1);
      await deliver();
    }
    expect(receiver.requests).toHaveLength(9);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['service-event-id']))).toEqual(new Set([event_id]));
    expect(new Set(receiver.requests.map(({ headers }) => headers['service-delivery-id'])).size).toBe(9);
    expect(receiver.requests.map(({ headers }) => headers['service-attempt'])).toEqual('123456789'.split(''));

    expect(await endpoint(id)).toMatchObject({
      status: 'auto_disabled',
      consecutive_failures: 9,
      disabled_at: time.now(),
    });
    const [warning, disabled] = await mails();
    expect(warning).toMatchObject({ template: 'endpoint_warning', to: 'owner@example.com' });
    expect(disabled).toMatchObject({ template: 'endpoint_disabled', to: 'owner@example.com' });
    expect(disabled?.text).toContain('HTTP 503: down for maintenance');
    expect(await mails()).toHaveLength(2);

    const meanwhile = await send();
    time.advance(30 * 24 * 60 * MINUTE);
    await deliver();
    expect(receiver.requests).toHaveLength(9);
    expect(await systemDb().webhookDelivery.count({ where: { event_id: meanwhile } })).toBe(0);
    await expect(updateEndpoint(scope, id, { status: 'enabled' }, null)).rejects.toMatchObject({
      code: 'endpoint_auto_disabled',
    });

    receiver.answer(200);
    await enableEndpoint(scope, id);
    await deliver();
    expect(receiver.requests[9]?.headers).toMatchObject({ 'service-attempt': '10', 'service-event-id': event_id });
    expect(await endpoint(id)).toMatchObject({ status: 'enabled', consecutive_failures: 0, warned_at: null });
    await redeliver(scope, id, meanwhile);
    await deliver();
    expect(receiver.requests[10]?.headers).toMatchObject({ 'service-attempt': '1', 'service-event-id': meanwhile });
    await deliver();
    expect(receiver.requests).toHaveLength(11);
  }, 60_000);

  it('of an event that the endpoint cannot digest ends without silencing the endpoint', async () => {
    const id = await endpointFor(receiver.url);
    receiver.answer((request, response) => void response.writeHead(request.body.includes('poison') ? 500 : 200).end());
    const poisoned = await send({ name: 'poison' });
    for (let retry = 1; retry <= 9; retry++) {
      await nextAttempt(id);
      await send({ retry });
    }
    const own = (await attempts(id)).filter(({ event_id }) => event_id === poisoned);
    expect(own.map(({ status }) => status)).toEqual(Array(10).fill('failed'));
    expect(own.at(-1)?.next_retry_at).toBeNull();
    expect(await endpoint(id)).toMatchObject({ status: 'enabled', consecutive_failures: 0 });
    expect((await mails()).map(({ template }) => template)).toEqual(['endpoint_warning']);
    expect(await systemDb().webhookDelivery.count({ where: { status: 'pending' } })).toBe(0);
  }, 60_000);

  it('warns once for a burst of deliveries that fail together, and disables once', async () => {
    setConfig({ webhook_retry_delays_ms: Array(9).fill(1_000) });
    const id = await endpointFor(receiver.url);
    receiver.answer(500);
    for (let index = 0; index < 12; index++) await commitEvent(scope);
    await relayBatch(async () => {});
    await deliver();
    for (let retry = 1; retry <= 8; retry++) {
      time.advance(1_100);
      await deliver();
    }
    expect(await endpoint(id)).toMatchObject({ status: 'auto_disabled' });
    expect((await mails()).map(({ template }) => template)).toEqual(['endpoint_warning', 'endpoint_disabled']);
  }, 60_000);
});

describe('the queue', () => {
  it('gives each due attempt to one of several workers', async () => {
    const id = await endpointFor(receiver.url);
    for (let index = 0; index < 60; index++) await commitEvent(scope);
    await relayBatch(async () => {});
    // A copy of the modules of its own has a memory of its own, as another process has.
    vi.resetModules();
    const other = await import('./delivery');
    await Promise.all([deliverTo(id, NO_LINGER), other.deliverTo(id, NO_LINGER)]);
    await Promise.all([deliverTo(id, NO_LINGER), other.deliverTo(id, NO_LINGER)]);
    expect(receiver.requests).toHaveLength(60);
    expect(new Set(receiver.requests.map(({ headers }) => headers['service-delivery-id'])).size).toBe(60);
    expect(await systemDb().webhookDelivery.count({ where: { endpoint_id: id, status: 'succeeded' } })).toBe(60);
  });

  it('makes an attempt again, with the same ids, when its worker died, and ignores the dead one’s late result', async () => {
    const id = await endpointFor(receiver.url);
    await commitEvent(scope);
    await relayBatch(async () => {});
    const lease_until = new Date(time.now().getTime() + 30_000);
    const [held] = await claimDue(id, time.now(), lease_until, 'dead', 0, IN_FLIGHT);
    await deliver();
    expect(receiver.requests).toHaveLength(0);
    time.set(lease_until);
    await deliver();
    expect(receiver.requests[0]?.headers['service-delivery-id']).toBe(held?.id);
    const outcome = {
      accepted: false,
      status_code: 500,
      error_kind: null,
      error_message: null,
      response_body_truncated: '',
      duration_ms: 1,
      at: time.now(),
    };
    await writeResults([{ delivery: held!, outcome, random: 0 }]);
    expect(await attempts(id)).toMatchObject([{ status: 'succeeded', attempt_number: 1 }]);
    expect(await endpoint(id)).toMatchObject({ consecutive_failures: 0 });
  });

  it('holds what waits while an endpoint is disabled, and goes on when it is enabled', async () => {
    const id = await endpointFor(receiver.url);
    receiver.answer(500);
    await send();
    await updateEndpoint(scope, id, { status: 'disabled' }, null);
    receiver.answer(200);
    time.advance(60 * MINUTE);
    await deliver();
    expect(receiver.requests).toHaveLength(1);
    await updateEndpoint(scope, id, { status: 'enabled' }, null);
    await deliver();
    expect(receiver.requests).toHaveLength(2);
  });

  it('sends a dead endpoint nothing but probes, and lets everything flow after the first success', async () => {
    const id = await endpointFor(receiver.url);
    await systemDb().webhookEndpoint.update({ where: { id }, data: { url: await closedUrl() } });
    for (let index = 0; index < 40; index++) await commitEvent(scope);
    await relayBatch(async () => {});
    await deliver();
    const made = await systemDb().webhookDelivery.count({ where: { status: 'failed' } });
    expect(made).toBeGreaterThanOrEqual(5);
    expect(made).toBeLessThan(20);
    time.advance(14_000);
    await deliver();
    expect(await systemDb().webhookDelivery.count({ where: { status: 'failed' } })).toBe(made);
    time.advance(2 * MINUTE);
    await deliver();
    expect(await systemDb().webhookDelivery.count({ where: { status: 'failed' } })).toBe(made + 1);
    await systemDb().webhookEndpoint.update({ where: { id }, data: { url: receiver.url } });
    time.advance(10 * MINUTE);
    await deliver();
    await deliver();
    expect(await systemDb().webhookDelivery.count({ where: { status: 'pending' } })).toBe(0);
    expect(new Set(receiver.requests.map(({ headers }) => headers['service-event-id'])).size).toBe(40);
  });

  it('of a healthy endpoint does not wait for one that never answers', async () => {
    const silent = await startRawReceiver(() => {});
    await endpointFor(silent.url);
    for (let index = 0; index < 100; index++) await commitEvent(scope);
    await relayBatch(async () => {});
    const healthy = await endpointFor(receiver.url);
    time.advance(1);
    for (let index = 0; index < 50; index++) await commitEvent(scope);
    await relayBatch(async () => {});
    const started = performance.now();
    const session = deliver();
    await receiver.received(50, 9_000);
    // Before the first of the silent ones has run into its time limit, however busy this machine is.
    expect(performance.now() - started).toBeLessThan(9_500);
    await session;
    expect(await systemDb().webhookDelivery.count({ where: { endpoint_id: healthy, status: 'succeeded' } })).toBe(50);
    await silent.close();
  }, 30_000);

  it('lets a hostile receiver cost its own attempt only: a byte a second, or a gigabyte', async () => {
    const drip = await startRawReceiver((_request, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write('.'), 1_000);
      response.on('close', () => clearInterval(timer));
    });
    let written = 0;
    const flood = await startRawReceiver((_request, response) => {
      response.writeHead(200, { 'Content-Length': String(2 ** 30) });
      const chunk = Buffer.alloc(65_536, 'x');
      const more = () => {
        while (!response.destroyed && written < 2 ** 30) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
      };
      more();
    });
    const [dripping, flooding] = [await endpointFor(drip.url), await endpointFor(flood.url)];
    const healthy = await endpointFor(receiver.url);
    const memory = process.memoryUsage().rss;
    const started = performance.now();
    await commitEvent(scope);
    await relayBatch(async () => {});
    const slow = deliverTo(dripping, NO_LINGER);
    await Promise.all([deliverTo(flooding, NO_LINGER), deliverTo(healthy, NO_LINGER)]);
    expect((await attempts(healthy))[0]).toMatchObject({ status: 'succeeded' });
    expect((await attempts(flooding))[0]).toMatchObject({
      status: 'succeeded',
      response_body_truncated: 'x'.repeat(1_024),
    });
    expect(performance.now() - started).toBeLessThan(6_000);
    expect(written).toBeLessThan(64 * 2 ** 20);
    expect(process.memoryUsage().rss - memory).toBeLessThan(200 * 2 ** 20);
    await slow;
    const [ended] = await attempts(dripping);
    expect(ended).toMatchObject({ status: 'failed', error_kind: 'timeout', status_code: 200 });
    expect(ended?.duration_ms).toBeLessThan(11_000);
    await Promise.all([drip.close(), flood.close()]);
  }, 30_000);
});

describe('what is to be run', () => {
  async function asked() {
    const found: [string, Date | null][] = [];
    await askForRuns(
      async (work) => void found.push(...work.map((one): [string, Date | null] => [one.endpoint_id, one.at])),
    );
    return found;
  }

  it('is asked for once: an endpoint for now, a retry for its time, nothing for the disabled', async () => {
    const id = await endpointFor(receiver.url);
    await commitEvent(scope);
    await commitEvent(scope);
    await relayBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    expect(await asked()).toEqual([]);
    receiver.answer(500);
    await deliver();
    const due = (await attempts(id)).filter(({ status }) => status === 'pending').map(({ due_at }) => due_at.getTime());
    const [[, at] = []] = (await asked()) as [string, Date][];
    expect(at?.getTime()).toBeGreaterThanOrEqual(Math.min(...due));
    expect(at?.getTime()).toBeLessThan(Math.min(...due) + 1_000);
    expect(await asked()).toEqual([]);
    await commitEvent(scope);
    await relayBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    await updateEndpoint(scope, id, { status: 'disabled' }, null);
    time.advance(10 * MINUTE);
    expect(await asked()).toEqual([]);
    await updateEndpoint(scope, id, { status: 'enabled' }, null);
    expect(await asked()).toEqual([[id, null]]);
  });

  it('is asked for again when no run came of it', async () => {
    const id = await endpointFor(receiver.url);
    await commitEvent(scope);
    await relayBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    time.advance(29_000);
    expect(await asked()).toEqual([]);
    time.advance(1_000);
    expect(await asked()).toEqual([[id, null]]);
  });

  it('is asked for again at once when the asking failed, or whoever asked died', async () => {
    const id = await endpointFor(receiver.url);
    await commitEvent(scope);
    await relayBatch(async () => {});
    await expect(askForRuns(() => Promise.reject(new Error('Inngest is away')))).rejects.toThrow('away');
    expect(await asked()).toEqual([[id, null]]);
    expect(await asked()).toEqual([]);
    await freeHeldDeliveries();
    expect(await asked()).toEqual([[id, null]]);
  });

  it('leaves out what another process has in hand, and holds up nothing for it', async () => {
    const id = await endpointFor(receiver.url);
    for (let index = 0; index < 30; index++) await commitEvent(scope);
    await relayBatch(async () => {});
    await systemDb().webhookEndpoint.update({ where: { id }, data: { last_success_at: time.now() } });
    const lease_until = new Date(time.now().getTime() + 30_000);
    const held = await claimDue(id, time.now(), lease_until, `${processId()}:1`, IN_FLIGHT.healthy - 30, IN_FLIGHT);
    expect(held).toHaveLength(30);
    expect(await asked()).toEqual([]);
    const fresh = await commitEvent(scope);
    await relayBatch(async () => {});
    expect(await asked()).toEqual([[id, null]]);
    await deliver();
    expect(receiver.requests.map(({ headers }) => headers['service-event-id'])).toEqual([fresh]);
    expect(await asked()).toEqual([]);
    // Its process is not among the living: what it held is free.
    await freeHeldDeliveries();
    expect(await asked()).toEqual([[id, null]]);
    await deliver();
    expect(receiver.requests).toHaveLength(31);
  });

  it('finds the retries that were planned while the clock was an hour ahead', async () => {
    const id = await endpointFor(receiver.url);
    receiver.answer(500);
    time.advance(60 * MINUTE);
    await send();
    await asked();
    time.advance(-60 * MINUTE);
    await pullBackDeliveries();
    const [[, at] = []] = (await asked()) as [string, Date][];
    expect(at?.getTime()).toBeLessThanOrEqual(time.now().getTime() + 1.2 * MINUTE);
    receiver.answer(200);
    await nextAttempt(id);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('results', () => {
  it('that could not be stored are stored again, and nothing is sent twice for it', async () => {
    const id = await endpointFor(receiver.url);
    for (let index = 0; index < 5; index++) await commitEvent(scope);
    await relayBatch(async () => {});
    let broken = 3;
    const transaction = systemDb().$transaction.bind(systemDb());
    const spy = vi
      .spyOn(systemDb(), '$transaction')
      .mockImplementation(((...args: Parameters<typeof transaction>) =>
        broken-- > 0 ? Promise.reject(new Error('the database is away')) : transaction(...args)) as never);
    const [report] = await deliver();
    spy.mockRestore();
    expect(broken).toBeLessThanOrEqual(0);
    expect(report).toMatchObject({ succeeded: 5, failed: 0 });
    expect((await attempts(id)).map(({ status }) => status)).toEqual(Array(5).fill('succeeded'));
    expect(receiver.requests).toHaveLength(5);
  });
});

describe('a redelivery', () => {
  it('makes a waiting attempt due instead of adding one, and starts anew after the last', async () => {
    const id = await endpointFor(receiver.url);
    receiver.answer(500);
    const event_id = await send();
    const waiting = await redeliver(scope, id, event_id);
    expect(waiting).toMatchObject({ status: 'pending', attempt_number: 2, trigger: 'redelivery' });
    receiver.answer(200);
    await deliver();
    const again = await redeliver(scope, id, event_id);
    expect(again).toMatchObject({ status: 'pending', attempt_number: 3, failures_before: 0 });
    await deliver();
    expect(receiver.requests.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
  });
});
