import { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, it, vi } from 'vitest';
import { setConfig } from '@/config';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { verifyWebhookSignature } from '@/testing/receiver';
import { commitTestEvent } from '@/testing/team';
import { createEndpoint, enableEndpoint, redeliverEvent, rotateSigningSecret, updateEndpoint } from '../service';
import { stopDeliveryAttemptsOfProcess, wakeEndpointDeliveryRun } from './delivery';
import { WEBHOOK_RETRY_DELAYS_MS } from './retry.rules';
import {
  createEndpointForUrl,
  deliverDueAttempts,
  fakeClock,
  findEndpoint,
  getUnreachableUrl,
  listStoredDeliveryAttempts,
  MINUTE_MS,
  readSentMails,
  runNextDeliveryAttempt,
  scope,
  sendEvent,
  setUpDeliveryTests,
  webhookReceiver,
} from './testing/delivery-test-context';

setUpDeliveryTests();

describe('an attempt', () => {
  it('sends the stored bytes, the specified headers, and a signature that Stripe’s library accepts', async () => {
    const { row, secret } = await createEndpoint(scope, { url: webhookReceiver.url, events: ['property.created'] });
    const event_id = await sendEvent({ name: 'Zażółć 🏖' });
    const [request] = webhookReceiver.requests;
    const [delivery] = await listStoredDeliveryAttempts(row.id);
    const stored = await systemDb().event.findUniqueOrThrow({ where: { id: event_id } });
    expect(request?.body).toBe(stored.body);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'service-event': 'property.created',
      'service-event-id': event_id,
      'service-delivery-id': delivery?.id,
      'service-attempt': '1',
      'webhook-id': event_id,
      'webhook-timestamp': String(fakeClock.now().getTime() / 1000),
    });
    const stripe = new Stripe('sk_test_x');
    const signature = request?.headers['service-signature'] ?? '';
    const verified = stripe.webhooks.constructEvent(request?.body ?? '', signature, secret, 1e9);
    expect(verified.id).toBe(event_id);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const standard = createHmac('sha256', key).update(`${event_id}.${fakeClock.now().getTime() / 1000}.${stored.body}`);
    expect(request?.headers['webhook-signature']).toBe(`v1,${standard.digest('base64')}`);
    expect(delivery).toMatchObject({ status: 'succeeded', status_code: 200, attempt_number: 1, next_retry_at: null });
    expect(await findEndpoint(row.id)).toMatchObject({ consecutive_failures: 0, last_success_at: fakeClock.now() });
  });

  it('sends the host’s custom headers, which are encrypted at rest', async () => {
    const headers = { Authorization: 'Bearer of-the-gateway', 'X-Tenant': 'a b' };
    const { row } = await createEndpoint(scope, { url: webhookReceiver.url, events: ['*'], headers });
    expect(JSON.stringify(Object.values(row).map(String))).not.toMatch(/of-the-gateway|a b/);
    await sendEvent();
    expect(webhookReceiver.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer of-the-gateway',
      'x-tenant': 'a b',
    });
    await updateEndpoint(scope, row.id, { headers: null }, null);
    await sendEvent();
    expect(webhookReceiver.requests[1]?.headers.authorization).toBeUndefined();
    expect(webhookReceiver.requests[1]?.headers['content-type']).toBe('application/json');
  });

  it('stores no secret, signature or custom header that the receiver echoes, in whatever encoding', async () => {
    const value = `Bearer gate/way+"tok&en-${'x'.repeat(40)}`;
    const headers = {
      Authorization: value,
      'X-Basic': `Basic ${Buffer.from('user:pass-of-gateway').toString('base64')}`,
    };
    const { row, secret } = await createEndpoint(scope, { url: webhookReceiver.url, events: ['*'], headers });
    const token = value.slice('Bearer '.length);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const echoes = (sent: Record<string, string>) => [
      value,
      `token ${token}!`,
      JSON.stringify({ authorization: value }),
      encodeURIComponent(value).toLowerCase(),
      `x=${new URLSearchParams({ value })}`,
      base64(value),
      base64(`Authorization: ${value}\r\n`),
      base64(`1Authorization: ${value}\r\n`),
      base64(`12Authorization: ${value}\r\n`),
      Buffer.from(token).toString('hex'),
      secret,
      secret.slice('whsec_'.length),
      'decoded user:pass-of-gateway and pass-of-gateway',
      sent['service-signature'] ?? '',
      sent['webhook-signature'] ?? '',
      // Secrets at the end of the stored kilobyte, and secrets that the receiver cuts off or
      // alters.
      `${' '.repeat(1_024 - 10)}${value}`,
      `${' '.repeat(1_024 - 1)}${value}`,
      `${token} ${' '.repeat(1_000)}${value}`,
      value.slice(0, 30),
      [...value].join('\u0000'),
    ];
    for (let index = 0; index < 20; index++) {
      webhookReceiver.answer(({ headers: sent }, response) => {
        response.writeHead(200).end(echoes(sent as never)[index]);
      });
      await sendEvent();
      const [last] = (await listStoredDeliveryAttempts(row.id)).slice(-1);
      const stored = last?.response_body_truncated ?? '';
      const said = webhookReceiver.requests.at(-1)?.headers ?? {};
      const whole = [...echoes(said as never).slice(0, 5), token.slice(0, 12), secret.slice(6, 20), 'pass-of-gateway'];
      const forms = [base64(token).slice(4, 20), Buffer.from(token).toString('hex').slice(0, 20)];
      const signature = (said['service-signature'] ?? '').split('v1=')[1]?.slice(0, 16) ?? 'none';
      for (const part of [...whole, ...forms, signature])
        expect([index, stored]).not.toEqual([index, expect.stringContaining(part)]);
      expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(1_024 + 20);
    }
  });

  it('is signed with at most the two newest secrets, however often the secret is rotated', async () => {
    const { row, secret: first } = await createEndpoint(scope, { url: webhookReceiver.url, events: ['*'] });
    const { secret: second, grace_until } = await rotateSigningSecret(scope, row.id);
    fakeClock.set(new Date(fakeClock.now().getTime() + 3_600_000));
    const { secret: third } = await rotateSigningSecret(scope, row.id);
    await sendEvent();
    expect(webhookReceiver.requests[0]?.headers['service-signature']?.match(/v1=/g)).toHaveLength(2);
    fakeClock.set(grace_until);
    await sendEvent();
    const verifies = (index: number, secret: string) => {
      const { body, headers } = webhookReceiver.requests[index]!;
      return verifyWebhookSignature(headers['service-signature']!, body, secret, fakeClock.now().getTime() / 1000);
    };
    const window = (index: number) => [first, second, third].map((secret) => verifies(index, secret));
    expect(window(1)).toEqual([false, true, true]);
    fakeClock.set(new Date(grace_until.getTime() - 23 * 3_600_000));
    expect(window(0)).toEqual([false, true, true]);
  });

  it('is signed with both secrets for 24 hours after a rotation, then with the new one alone', async () => {
    const { row, secret: old } = await createEndpoint(scope, { url: webhookReceiver.url, events: ['*'] });
    await sendEvent();
    const { secret: fresh, grace_until } = await rotateSigningSecret(scope, row.id);
    await sendEvent();
    fakeClock.set(new Date(grace_until.getTime() - 1));
    await sendEvent();
    fakeClock.set(grace_until);
    await sendEvent();
    const stripe = new Stripe('sk_test_x');
    const accepts = (index: number, secret: string) => {
      const { body, headers } = webhookReceiver.requests[index]!;
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
    expect(
      webhookReceiver.requests.map(({ headers }) => headers['service-signature']!.split('v1=').length - 1),
    ).toEqual([1, 2, 2, 1]);
  });

  it.each([
    ['a refused connection', () => getUnreachableUrl(), 'refused'],
    ['an unknown host', async () => 'https://nowhere.invalid/hook', 'dns'],
    ['an address that is not public', async () => 'https://10.1.2.3/hook', 'blocked_address'],
    ['a server without TLS', async () => webhookReceiver.url.replace('http:', 'https:'), 'tls'],
  ])('to %s fails with the right error kind', async (_name, url, error_kind) => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await systemDb().webhookEndpoint.update({ where: { id }, data: { url: await url() } });
    await sendEvent();
    expect((await listStoredDeliveryAttempts(id))[0]).toMatchObject({
      status: 'failed',
      error_kind,
      status_code: null,
      response_body_truncated: null,
    });
  });

  it('with a 2xx response whose body is incomplete succeeds', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer((_request, response) => {
      response.writeHead(200).write('accepted');
      setTimeout(() => response.destroy(), 100);
    });
    await sendEvent();
    expect((await listStoredDeliveryAttempts(id))[0]).toMatchObject({
      status: 'succeeded',
      status_code: 200,
      error_kind: null,
    });
  });

  it('does not follow a redirect, and stores its status', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer(
      (_request, response) => void response.writeHead(307, { Location: webhookReceiver.url }).end(),
    );
    await sendEvent();
    expect(webhookReceiver.requests).toHaveLength(1);
    expect((await listStoredDeliveryAttempts(id))[0]).toMatchObject({
      status: 'failed',
      error_kind: 'redirect',
      status_code: 307,
    });
  });

  it('stores 1 KiB of the response, without characters that PostgreSQL cannot store', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer((_request, response) => void response.writeHead(500).end(`a\u0000b${'é'.repeat(2_000)}`));
    await sendEvent();
    const [first] = await listStoredDeliveryAttempts(id);
    expect(first?.response_body_truncated).toBe(`ab${'é'.repeat(511)}`);
  });
});

describe('the retry schedule of a delivery', () => {
  it('follows the specification until auto-disable, holds the tenth attempt, and resumes when re-enabled', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer((_request, response) => void response.writeHead(503).end('down for maintenance'));
    const event_id = await sendEvent();
    for (let failure = 1; failure <= 8; failure++) {
      const rows = await listStoredDeliveryAttempts(id);
      const [done, pending] = [rows[failure - 1], rows[failure]];
      const wait = (pending?.due_at.getTime() ?? 0) - fakeClock.now().getTime();
      const delay = WEBHOOK_RETRY_DELAYS_MS[failure - 1]!;
      expect(wait).toBeGreaterThanOrEqual(delay);
      expect(wait).toBeLessThanOrEqual(delay * 1.1);
      expect(done).toMatchObject({ status: 'failed', status_code: 503, next_retry_at: pending?.due_at });
      fakeClock.set(new Date((pending?.due_at.getTime() ?? 0) - 1));
      await deliverDueAttempts();
      expect(webhookReceiver.requests).toHaveLength(failure);
      expect(await readSentMails()).toHaveLength(failure >= 3 ? 1 : 0);
      fakeClock.advance(1);
      await deliverDueAttempts();
    }
    expect(webhookReceiver.requests).toHaveLength(9);
    expect(new Set(webhookReceiver.requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(webhookReceiver.requests.map(({ headers }) => headers['service-event-id']))).toEqual(
      new Set([event_id]),
    );
    expect(new Set(webhookReceiver.requests.map(({ headers }) => headers['service-delivery-id'])).size).toBe(9);
    expect(webhookReceiver.requests.map(({ headers }) => headers['service-attempt'])).toEqual('123456789'.split(''));

    expect(await findEndpoint(id)).toMatchObject({
      status: 'auto_disabled',
      consecutive_failures: 9,
      disabled_at: fakeClock.now(),
    });
    const [warning, disabled] = await readSentMails();
    expect(warning).toMatchObject({ template: 'endpoint_warning', to: 'owner@example.com' });
    expect(disabled).toMatchObject({ template: 'endpoint_disabled', to: 'owner@example.com' });
    expect(disabled?.text).toContain('HTTP 503: down for maintenance');
    expect(await readSentMails()).toHaveLength(2);

    const meanwhile = await sendEvent();
    fakeClock.advance(30 * 24 * 60 * MINUTE_MS);
    await deliverDueAttempts();
    expect(webhookReceiver.requests).toHaveLength(9);
    expect(await systemDb().webhookDelivery.count({ where: { event_id: meanwhile } })).toBe(0);
    await expect(updateEndpoint(scope, id, { status: 'enabled' }, null)).rejects.toMatchObject({
      code: 'endpoint_auto_disabled',
    });

    webhookReceiver.answer(200);
    await enableEndpoint(scope, id);
    await deliverDueAttempts();
    expect(webhookReceiver.requests[9]?.headers).toMatchObject({
      'service-attempt': '10',
      'service-event-id': event_id,
    });
    expect(await findEndpoint(id)).toMatchObject({ status: 'enabled', consecutive_failures: 0, warned_at: null });
    await redeliverEvent(scope, id, meanwhile);
    await deliverDueAttempts();
    expect(webhookReceiver.requests[10]?.headers).toMatchObject({
      'service-attempt': '1',
      'service-event-id': meanwhile,
    });
    await deliverDueAttempts();
    expect(webhookReceiver.requests).toHaveLength(11);
  }, 60_000);

  it('ends for an event that the endpoint always rejects, without disabling the endpoint', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer(
      (request, response) => void response.writeHead(request.body.includes('poison') ? 500 : 200).end(),
    );
    const poisoned = await sendEvent({ name: 'poison' });
    for (let retry = 1; retry <= 9; retry++) {
      await runNextDeliveryAttempt(id);
      await sendEvent({ retry });
    }
    const own = (await listStoredDeliveryAttempts(id)).filter(({ event_id }) => event_id === poisoned);
    expect(own.map(({ status }) => status)).toEqual(Array(10).fill('failed'));
    expect(own.at(-1)?.next_retry_at).toBeNull();
    expect(await findEndpoint(id)).toMatchObject({ status: 'enabled', consecutive_failures: 0 });
    expect((await readSentMails()).map(({ template }) => template)).toEqual(['endpoint_warning']);
    expect(await systemDb().webhookDelivery.count({ where: { status: 'pending' } })).toBe(0);
  }, 60_000);

  it('warns once for a burst of deliveries that fail together, and disables once', async () => {
    setConfig({ webhook_retry_delays_ms: Array(9).fill(1_000) });
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer(500);
    for (let index = 0; index < 12; index++) await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    await deliverDueAttempts();
    for (let retry = 1; retry <= 8; retry++) {
      fakeClock.advance(1_100);
      await deliverDueAttempts();
    }
    expect(await findEndpoint(id)).toMatchObject({ status: 'auto_disabled' });
    expect((await readSentMails()).map(({ template }) => template)).toEqual(['endpoint_warning', 'endpoint_disabled']);
  }, 60_000);
});

describe('results of attempts', () => {
  it('are stored again after a failed write, without sending anything twice', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    for (let index = 0; index < 5; index++) await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    let broken = 3;
    const transaction = systemDb().$transaction.bind(systemDb());
    const spy = vi
      .spyOn(systemDb(), '$transaction')
      .mockImplementation(((...args: Parameters<typeof transaction>) =>
        broken-- > 0 ? Promise.reject(new Error('the database is away')) : transaction(...args)) as never);
    const [report] = await deliverDueAttempts();
    spy.mockRestore();
    expect(broken).toBeLessThanOrEqual(0);
    expect(report).toMatchObject({ succeeded: 5, failed: 0 });
    expect((await listStoredDeliveryAttempts(id)).map(({ status }) => status)).toEqual(Array(5).fill('succeeded'));
    expect(webhookReceiver.requests).toHaveLength(5);
  });

  it('that cannot be stored delay a stop only for its time limit, and no attempt begins after it', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    const spy = vi.spyOn(systemDb(), '$transaction').mockRejectedValue(new Error('the database is away'));
    const delivering = deliverDueAttempts();
    await webhookReceiver.received(1, 5_000);
    await stopDeliveryAttemptsOfProcess(200);
    spy.mockRestore();
    await commitTestEvent(scope);
    await relayEventBatch(async () => {});
    wakeEndpointDeliveryRun(id);
    await delivering;
    await deliverDueAttempts();
    // Both events have the same time, so their order is not fixed.
    expect((await listStoredDeliveryAttempts(id)).map(({ status }) => status).sort()).toEqual(['pending', 'succeeded']);
  }, 20_000);
});

describe('a redelivery', () => {
  it('makes a waiting attempt due instead of adding one, and restarts the schedule after the last', async () => {
    const id = await createEndpointForUrl(webhookReceiver.url);
    webhookReceiver.answer(500);
    const event_id = await sendEvent();
    const { row: waiting } = await redeliverEvent(scope, id, event_id);
    expect(waiting).toMatchObject({ status: 'pending', attempt_number: 2, trigger: 'redelivery' });
    webhookReceiver.answer(200);
    await deliverDueAttempts();
    const { row: again } = await redeliverEvent(scope, id, event_id);
    expect(again).toMatchObject({ status: 'pending', attempt_number: 3, failures_before: 0 });
    await deliverDueAttempts();
    expect(webhookReceiver.requests.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(webhookReceiver.requests.map(({ body }) => body)).size).toBe(1);
  });
});
