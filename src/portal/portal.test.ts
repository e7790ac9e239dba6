/**
 * Tests the page of an endpoint's deliveries: who can see it, for how long, and that it contains no
 * secret.
 */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import { relayEventBatch } from '@/events/relay';
import { systemDb } from '@/infra/db/client';
import { deliverDueEventsToEndpoint, stopDeliveryAttemptsOfProcess } from '@/modules/webhooks/delivery/delivery';
import {
  createSharedDeliveriesLink,
  getSharedDeliveriesLinkStatus,
  withdrawSharedDeliveriesLink,
} from '@/modules/webhooks/portal/portal';
import { createEndpoint, updateEndpoint } from '@/modules/webhooks/service';
import { setClock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { type FakeClock, installFakeClock } from '@/testing/clock';
import { closeTestDatabase, openTestDatabase } from '@/testing/database';
import { type RawHttpReceiver, startRawHttpReceiver } from '@/testing/raw-receiver';
import { clearDatabase, commitTestEvent, insertTeam } from '@/testing/team';
import { handleSharedDeliveriesPage } from './http';

const DAY = 86_400_000;
let scope: Scope;
let time: FakeClock;
let receiver: RawHttpReceiver;
let endpoint: Awaited<ReturnType<typeof createEndpoint>>;

beforeAll(openTestDatabase);
afterAll(closeTestDatabase);
beforeEach(async () => {
  await clearDatabase();
  time = installFakeClock('2026-03-01T12:00:00.000Z');
  setConfig({ webhook_retry_delays_ms: undefined });
  scope = await insertTeam();
  receiver = await startRawHttpReceiver();
  endpoint = await createEndpoint(scope, {
    url: `${receiver.url}?token=in-the-url`,
    events: ['*'],
    headers: { 'X-Gateway-Key': 'of-the-gateway' },
  });
});
afterEach(async () => {
  await stopDeliveryAttemptsOfProcess();
  await receiver.close();
  setClock(null);
});

async function send(object: object = {}): Promise<string> {
  const id = await commitTestEvent(scope, 'property.created', object);
  await relayEventBatch(async () => {});
  await deliverDueEventsToEndpoint(endpoint.row.id, { attempts: 1_000, ms: 5_000, linger_ms: 0 });
  return id;
}
const share = async (days = 7) => (await createSharedDeliveriesLink(scope, endpoint.row.id, days)).url;
async function open(url: string): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await handleSharedDeliveriesPage(new Request(url), new URL(url).pathname.split('/').at(-1) ?? '');
  return { status: response.status, text: await response.text(), headers: response.headers };
}

it('the portal page shows each attempt with its request and response, and escapes their text', async () => {
  receiver.answer(500);
  const id = await send({ name: '<script>alert(1)</script>' });
  const { status, text } = await open(await share());
  expect(status).toBe(200);
  for (const shown of [id, 'property.created', '>500<', 'Service-Event-Id', 'Next attempt', '&lt;script&gt;alert(1)']) {
    expect(text).toContain(shown);
  }
  expect(text).not.toContain('<script');
});

it('the portal page contains no secret of the endpoint, its URL, its headers or the link itself', async () => {
  await send();
  const url = await share();
  const { text } = await open(url);
  const { secret, custom_headers, portal_token_hash } = await systemDb().webhookEndpoint.findUniqueOrThrow({
    where: { id: endpoint.row.id },
  });
  for (const kept of [endpoint.secret, secret, custom_headers, portal_token_hash, 'of-the-gateway', 'in-the-url']) {
    expect(kept).toBeTruthy();
    expect(text).not.toContain(kept);
  }
  expect(text).toMatch(/x-gateway-key: ••••••/i);
  // The token itself is not stored.
  const token = url.split('/').at(-1) ?? '';
  expect(portal_token_hash).toBe(createHash('sha256').update(token).digest('hex'));
});

it('the portal page runs no scripts, cannot be embedded, and is neither cached nor sent as a referrer', async () => {
  const { headers, text } = await open(await share());
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
  expect(style).not.toMatch(/&(amp|lt|gt|quot|#)/);
  expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
});

describe('a portal link', () => {
  it('works until it expires', async () => {
    const url = await share(1);
    expect(await getSharedDeliveriesLinkStatus(scope, endpoint.row.id)).toEqual({
      expires_at: '2026-03-02T12:00:00.000Z',
    });
    time.advance(DAY - 1);
    expect((await open(url)).status).toBe(200);
    time.advance(1);
    expect((await open(url)).status).toBe(404);
    expect(await getSharedDeliveriesLinkStatus(scope, endpoint.row.id)).toEqual({ expires_at: null });
  });

  it('stops working when it is withdrawn or replaced, or when its endpoint is deleted', async () => {
    const first = await share();
    const second = await share();
    expect([(await open(first)).status, (await open(second)).status]).toEqual([404, 200]);
    await withdrawSharedDeliveriesLink(scope, endpoint.row.id);
    expect((await open(second)).status).toBe(404);
    const third = await share();
    await systemDb().webhookEndpoint.delete({ where: { id: endpoint.row.id } });
    expect((await open(third)).status).toBe(404);
  });

  it('is withdrawn, with an audit log entry, when the endpoint’s URL moves to another host', async () => {
    const change = (url: string) => updateEndpoint(scope, endpoint.row.id, { url, headers: null }, null);
    const url = await share();
    await change(`${receiver.url}/other`);
    expect((await open(url)).status).toBe(200);
    await change('https://hooks.example.com/in');
    expect((await open(url)).status).toBe(404);
    expect(await getSharedDeliveriesLinkStatus(scope, endpoint.row.id)).toEqual({ expires_at: null });
    await change('https://others.example.com/in');
    const noted = { where: { action: 'webhook_endpoint.portal_withdrawn', object_id: endpoint.row.id } };
    expect(await systemDb().auditLog.count(noted)).toBe(1);
  });

  it('can be created and withdrawn only in the endpoint’s own team and mode', async () => {
    const other = await insertTeam('live', 'other@example.com');
    for (const stranger of [other, { ...scope, mode: 'test' as const }]) {
      await expect(createSharedDeliveriesLink(stranger, endpoint.row.id, 7)).rejects.toMatchObject({
        code: 'resource_missing',
      });
      await expect(withdrawSharedDeliveriesLink(stranger, endpoint.row.id)).rejects.toMatchObject({
        code: 'resource_missing',
      });
    }
    expect((await open('http://localhost/portal/nothing')).status).toBe(404);
  });

  it('shows only its endpoint’s attempts, in pages', async () => {
    const theirs = await createEndpoint(scope, { url: receiver.url, events: ['property.updated'] });
    for (let sent = 0; sent < 23; sent += 1) {
      time.advance(1_000);
      await send();
    }
    const url = await share();
    const first = await open(url);
    const after = /\?after=(whd_\w+)/.exec(first.text)?.[1] ?? '';
    const last = await open(`${url}?after=${after}`);
    const shown = (text: string) => text.match(/<li>/g)?.length ?? 0;
    expect([shown(first.text), shown(last.text)]).toEqual([20, 3]);
    expect(last.text).not.toContain('?after=');
    // Malformed cursors, such as text that PostgreSQL cannot store, return 404 and not 500.
    for (const after of ['%00', '', '%27', 'a'.repeat(100), '%ff'])
      expect([after, (await open(`${url}?after=${after}`)).status]).toEqual([after, 404]);
    // The id of another endpoint is well-formed, so it returns 200.
    expect((await open(`${url}?after=${theirs.row.id}`)).status).toBe(200);
  });
});
