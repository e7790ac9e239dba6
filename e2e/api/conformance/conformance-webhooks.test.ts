/**
 * Tests the specification's sections "WebhookEndpoint" and "WebhookDelivery" and its endpoint table
 * "Webhook endpoints", row by row.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPE_NAMES } from '@/events/catalogue';
import { expectFieldsToMatchTypes, WEBHOOK_DELIVERY_FIELD_TYPES, WEBHOOK_ENDPOINT_FIELD_TYPES } from '../fields';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  createScopeForTestTeam,
  DAY_MS,
  expectHttpStatus,
  insertTestDeliveryAttempt,
  makeProperty,
  makeWebhookEndpoint,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  type TestResponse,
} from '../test-context';

const URL_ = 'https://example.com/webhooks';

let world: ApiTestContext;
let live: ApiCaller;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  const { setConfig } = await import('@/config');
  setConfig({ outbound_allow_loopback: false });
});
afterAll(() => world.close());

/** Removes all endpoints, because a mode may have at most sixteen. */
async function clear(): Promise<void> {
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().webhookEndpoint.deleteMany();
}

function expectError(answer: TestResponse, status: number, code: string, param: string | null = null) {
  expect({ status: answer.status, code: answer.body?.error?.code, param: answer.body?.error?.param }).toEqual({
    status,
    code,
    param,
  });
}

describe('POST /webhook_endpoints', () => {
  it('201 with every field, and the secret in this response only', async () => {
    const answer = await live.post('/webhook_endpoints', { url: URL_, events: ['reservation.signed'] });
    const made = expectHttpStatus(answer, 201);
    expectFieldsToMatchTypes(made, {
      ...WEBHOOK_ENDPOINT_FIELD_TYPES,
      signing_secret: 'string',
      signing_secret_warning: 'string',
    });
    expect(made).toMatchObject({
      id: expect.stringMatching(/^whe_/),
      object: 'webhook_endpoint',
      url: URL_,
      events: ['reservation.signed'],
      status: 'enabled',
      mode: 'live',
      consecutive_failures: 0,
      last_delivery_at: null,
      last_success_at: null,
      rotated_until: null,
    });
    expect(made.signing_secret.endsWith(made.signing_secret_last4)).toBe(true);
    expect(made.signing_secret_last4).toHaveLength(4);
    const shown = expectHttpStatus(await live.get(`/webhook_endpoints/${made.id}`), 200);
    const { signing_secret: _secret, signing_secret_warning: _warning, ...rest } = made;
    expect(shown).toEqual(rest);
    const { systemDb } = await import('@/infra/db/client');
    const row = await systemDb().webhookEndpoint.findUniqueOrThrow({ where: { id: made.id } });
    const text = JSON.stringify(row, (_field, value) => (typeof value === 'bigint' ? String(value) : value));
    expect(text).not.toContain(made.signing_secret);
  });

  it('mode is live or test, as the API key is', async () => {
    const sandbox = createApiCaller(world.api, world.team.test);
    expect((await makeWebhookEndpoint(sandbox)).mode).toBe('test');
  });

  it('events (array of string, default ["*"])', async () => {
    await clear();
    expect((await makeWebhookEndpoint(live)).events).toEqual(['*']);
    const twice = ['property.created', 'reservation.signed', 'property.created'];
    expect((await makeWebhookEndpoint(live, { events: twice })).events).toEqual(twice.slice(0, 2));
    expect((await makeWebhookEndpoint(live, { events: EVENT_TYPE_NAMES })).events).toEqual(EVENT_TYPE_NAMES);
    const post = (events: unknown) => live.post('/webhook_endpoints', { url: URL_, events });
    expectError(await post(['reservation.signed', 'reservation.eaten']), 400, 'unknown_event_type', 'events[1]');
    expectError(await post(['*', 'reservation.signed']), 400, 'unknown_event_type', 'events[0]');
    expectError(await post([]), 400, 'invalid_field', 'events');
    expectError(await post('reservation.signed'), 400, 'invalid_field', 'events');
    expectError(await post([7]), 400, 'invalid_field', 'events[0]');
  });

  it.each([
    ['http://example.com/hook', 'url_not_https'],
    ['ftp://example.com/hook', 'url_not_https'],
    ['example.com/hook', 'url_not_https'],
    ['webcal://example.com/hook', 'url_not_https'],
    ['https://user:pass@example.com/hook', 'url_not_allowed'],
    ['https://127.0.0.1/hook', 'url_not_allowed'],
    ['https://[::1]/hook', 'url_not_allowed'],
    ['https://[::ffff:10.0.0.1]/hook', 'url_not_allowed'],
    ['https://169.254.169.254/latest', 'url_not_allowed'],
    ['https://0x7f.1/hook', 'url_not_allowed'],
    ['https://localhost/hook', 'url_not_allowed'],
    ['https://metadata.internal/hook', 'url_not_allowed'],
    ['https://example.com:22/hook', 'url_not_allowed'],
    ['https:///hook', 'url_not_allowed'],
  ])('url (URI, required, must be https://): %s is refused', async (url, code) => {
    expectError(await live.post('/webhook_endpoints', { url }), 400, code, 'url');
    const { id } = await makeWebhookEndpoint(live)
      .finally(clear)
      .then(() => makeWebhookEndpoint(live));
    expectError(await live.patch(`/webhook_endpoints/${id}`, { url }), 400, code, 'url');
  });

  it('rejects a body without url', async () => {
    expectError(await live.post('/webhook_endpoints', {}), 400, 'missing_required_field', 'url');
    expectError(await live.post('/webhook_endpoints', { url: '' }), 400, 'missing_required_field', 'url');
    expectError(await live.post('/webhook_endpoints', { url: URL_, secret: 'x' }), 400, 'unknown_field', 'secret');
  });

  it('accepts at most 16 endpoints per mode', async () => {
    await clear();
    for (let index = 0; index < 16; index++) await makeWebhookEndpoint(live);
    expectError(await live.post('/webhook_endpoints', { url: URL_ }), 400, 'endpoint_limit_reached');
    expect((await createApiCaller(world.api, world.team.test).post('/webhook_endpoints', { url: URL_ })).status).toBe(
      201,
    );
    await clear();
  });
});

describe('GET /webhook_endpoints', () => {
  it('lists endpoints newest first, without secrets', async () => {
    await clear();
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      world.clock.advance(SECOND_MS);
      ids.unshift((await makeWebhookEndpoint(live)).id);
    }
    const page = expectHttpStatus(await live.get('/webhook_endpoints?limit=2'), 200);
    expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/webhook_endpoints' });
    expect(page.data.map((item: ResponseBody) => item.id)).toEqual(ids.slice(0, 2));
    for (const item of page.data) expectFieldsToMatchTypes(item, WEBHOOK_ENDPOINT_FIELD_TYPES);
    expect(JSON.stringify(page)).not.toContain('signing_secret"');
  });
});

describe('PATCH /webhook_endpoints/{id}', () => {
  it('accepts url, events and status, each optional', async () => {
    await clear();
    const made = await makeWebhookEndpoint(live);
    const path = `/webhook_endpoints/${made.id}`;
    expect((await live.patch(path, { status: 'disabled' })).body.status).toBe('disabled');
    expect((await live.patch(path, { status: 'enabled' })).body.status).toBe('enabled');
    const moved = expectHttpStatus(
      await live.patch(path, { url: 'https://example.org/x', events: ['packet.updated'] }),
      200,
    );
    expect(moved).toMatchObject({ url: 'https://example.org/x', events: ['packet.updated'], status: 'enabled' });
    expect(expectHttpStatus(await live.patch(path, moved), 200)).toMatchObject({
      url: moved.url,
      events: moved.events,
    });
    expectError(await live.patch(path, { status: 'auto_disabled' }), 400, 'invalid_field', 'status');
    expectError(await live.patch(path, { events: ['nope'] }), 400, 'unknown_event_type', 'events[0]');
    expectError(await live.patch(path, { retries: 3 }), 400, 'unknown_field', 'retries');
    expectError(await live.patch('/webhook_endpoints/whe_nothing00', {}), 404, 'resource_missing');
  });

  it('a PATCH cannot re-enable an auto-disabled endpoint, which only the dashboard can: endpoint_auto_disabled', async () => {
    await clear();
    const { systemDb } = await import('@/infra/db/client');
    const { enableEndpoint } = await import('@/modules/webhooks/service');
    const { id } = await makeWebhookEndpoint(live);
    await systemDb().webhookEndpoint.update({
      where: { id },
      data: { status: 'auto_disabled', consecutive_failures: 9 },
    });
    const path = `/webhook_endpoints/${id}`;
    expect((await live.get(path)).body).toMatchObject({ status: 'auto_disabled', consecutive_failures: 9 });
    for (const status of ['enabled', 'disabled']) {
      expectError(await live.patch(path, { status }), 400, 'endpoint_auto_disabled', 'status');
    }
    expect((await live.patch(path, { events: ['*'] })).body.status).toBe('auto_disabled');
    await enableEndpoint(createScopeForTestTeam(world.team, 'live'), id);
    expect((await live.get(path)).body).toMatchObject({ status: 'enabled', consecutive_failures: 0 });
  });
});

describe('DELETE /webhook_endpoints/{id}', () => {
  it('200, and the endpoint no longer exists', async () => {
    const { id } = await makeWebhookEndpoint(live);
    expect((await live.del(`/webhook_endpoints/${id}`)).status).toBe(200);
    expectError(await live.get(`/webhook_endpoints/${id}`), 404, 'resource_missing');
    expectError(await live.del(`/webhook_endpoints/${id}`), 404, 'resource_missing');
  });
});

describe('POST /webhook_endpoints/{id}/rotate', () => {
  it('200 with a new signing_secret, and rotation_grace_until 24 hours later', async () => {
    const made = await makeWebhookEndpoint(live);
    const rotated = expectHttpStatus(await live.post(`/webhook_endpoints/${made.id}/rotate`), 200);
    expectFieldsToMatchTypes(rotated, {
      ...WEBHOOK_ENDPOINT_FIELD_TYPES,
      signing_secret: 'string',
      rotation_grace_until: 'date-time',
    });
    expect(rotated.signing_secret).not.toBe(made.signing_secret);
    expect(rotated.rotated_until).toBe(rotated.rotation_grace_until);
    const ahead = Date.parse(rotated.rotation_grace_until) - world.clock.now().getTime();
    expect(Math.abs(ahead - DAY_MS)).toBeLessThan(30 * SECOND_MS);
    const shown = (await live.get(`/webhook_endpoints/${made.id}`)).body;
    expect(shown).toMatchObject({
      rotated_until: rotated.rotated_until,
      signing_secret_last4: rotated.signing_secret.slice(-4),
    });
    expect(shown).not.toHaveProperty('signing_secret');
    expectError(await live.post('/webhook_endpoints/whe_nothing00/rotate'), 404, 'resource_missing');
  });

  it('can be repeated; `rotated_until` is null once the previous secret no longer signs', async () => {
    const made = await makeWebhookEndpoint(live);
    const rotate = () => live.post(`/webhook_endpoints/${made.id}/rotate`);
    for (let turn = 0; turn < 6; turn++) expectHttpStatus(await rotate(), 200);
    const path = `/webhook_endpoints/${made.id}`;
    expect((await live.get(path)).body.rotated_until).not.toBeNull();
    world.clock.advance(DAY_MS);
    expect((await live.get(path)).body.rotated_until).toBeNull();
  });
});

describe('deliveries', () => {
  const scope = () => createScopeForTestTeam(world.team, 'live');

  it('GET /webhook_endpoints/{id}/deliveries | lists attempts newest first, with every field', async () => {
    await clear();
    await makeProperty(live);
    const { id } = await makeWebhookEndpoint(live);
    const event_id = await insertTestDeliveryAttempt(scope(), id, {
      status: 'failed',
      status_code: 500,
      response_body_truncated: 'no',
      duration_ms: 12,
      created_at: new Date(world.clock.now().getTime() - SECOND_MS),
    });
    await insertTestDeliveryAttempt(scope(), id, { attempt_number: 2 });
    const path = `/webhook_endpoints/${id}/deliveries`;
    const list = expectHttpStatus(await live.get(path), 200);
    expect(list).toMatchObject({ object: 'list', has_more: false, url: `/v1${path}` });
    expect(list.data.map((item: ResponseBody) => [item.attempt_number, item.status])).toEqual([
      [2, 'pending'],
      [1, 'failed'],
    ]);
    for (const item of list.data) {
      expectFieldsToMatchTypes(item, WEBHOOK_DELIVERY_FIELD_TYPES);
      expect(item).toMatchObject({
        object: 'webhook_delivery',
        event_id,
        endpoint_id: id,
        event_type: 'property.created',
      });
    }
    const first = (await live.get(`${path}?limit=1`)).body;
    expect({ count: first.data.length, more: first.has_more }).toEqual({ count: 1, more: true });
    const next = (await live.get(`${path}?limit=1&starting_after=${first.data[0].id}`)).body;
    expect(next.data).toEqual([list.data[1]]);
    expect((await live.get(`${path}?ending_before=${next.data[0].id}`)).body.data).toEqual(first.data);
    expect((await live.get(`${path}?status=failed`)).body.data).toEqual([list.data[1]]);
    expectError(await live.get(`${path}?status=lost`), 400, 'invalid_field', 'status');
    expectError(await live.get('/webhook_endpoints/whe_nothing00/deliveries'), 404, 'resource_missing');

    const latest = expectHttpStatus(await live.get(`${path}/${event_id}`), 200);
    expect(latest).toEqual(list.data[0]);
    expectError(await live.get(`${path}/evt_nothing00`), 404, 'resource_missing');
    expectError(await live.get(`/webhook_endpoints/whe_nothing00/deliveries/${event_id}`), 404, 'resource_missing');
  });

  it('shows when each attempt was made, and no next attempt while the endpoint is disabled', async () => {
    await clear();
    await makeProperty(live);
    const { id } = await makeWebhookEndpoint(live);
    const attempted_at = new Date(world.clock.now().getTime() - SECOND_MS);
    const next_retry_at = new Date(world.clock.now().getTime() + DAY_MS);
    await insertTestDeliveryAttempt(scope(), id, { status: 'failed', attempted_at, created_at: attempted_at });
    await insertTestDeliveryAttempt(scope(), id, { attempt_number: 2, due_at: next_retry_at });
    const times = async () =>
      (await live.get(`/webhook_endpoints/${id}/deliveries`)).body.data.map((item: ResponseBody) => [
        item.attempted_at,
        item.next_retry_at,
      ]);
    expect(await times()).toEqual([
      [null, next_retry_at.toISOString()],
      [attempted_at.toISOString(), null],
    ]);
    const { systemDb } = await import('@/infra/db/client');
    await systemDb().webhookEndpoint.update({
      where: { id },
      data: { status: 'auto_disabled', disabled_at: attempted_at, disabled_reason: 'Failed.' },
    });
    expect((await times())[0]).toEqual([null, null]);
  });

  it('POST …/redeliver | 404 for an event type that the endpoint is not subscribed to', async () => {
    await clear();
    const made = await makeProperty(live);
    const { id } = await makeWebhookEndpoint(live, { events: ['reservation.signed'] });
    const { systemDb } = await import('@/infra/db/client');
    const event = await systemDb().event.findFirstOrThrow({ where: { object_id: made.id } });
    const redeliver = () => live.post(`/webhook_endpoints/${id}/deliveries/${event.id}/redeliver`);
    expectError(await redeliver(), 404, 'resource_missing');
    expectHttpStatus(await live.patch(`/webhook_endpoints/${id}`, { events: ['property.created'] }), 200);
    expectHttpStatus(await redeliver(), 202);
  });

  it('POST …/redeliver | 202 with a new, queued attempt', async () => {
    await clear();
    await makeProperty(live);
    const { id } = await makeWebhookEndpoint(live);
    const event_id = await insertTestDeliveryAttempt(scope(), id, { status: 'succeeded', status_code: 200 });
    const path = `/webhook_endpoints/${id}/deliveries/${event_id}`;
    const queued = expectHttpStatus(await live.post(`${path}/redeliver`), 202);
    expect(queued).toMatchObject({
      status: 'pending',
      attempt_number: 2,
      event_id,
      status_code: null,
      delivered_at: null,
    });
    expect((await live.get(path)).body).toEqual(queued);
    // Redelivering a pending delivery makes it due at once. It creates no second delivery.
    expect(expectHttpStatus(await live.post(`${path}/redeliver`), 202).id).toBe(queued.id);
    expectError(
      await live.post(`/webhook_endpoints/${id}/deliveries/evt_nothing00/redeliver`),
      404,
      'resource_missing',
    );
  });
});

describe('beta', () => {
  it('SMS, webhook endpoints and operations beyond the specification are marked beta, all others stable', async () => {
    const { buildOpenApiDocument } = await import('@/api/openapi');
    const { paths } = buildOpenApiDocument() as { paths: Record<string, Record<string, { 'x-stability': string }>> };
    for (const [path, operations] of Object.entries(paths)) {
      // These paths are not in the specification, so their operations are beta.
      const beta =
        /^\/(sms_messages|webhook_endpoints|test_clocks|events|request_logs)|\/(dispute_pack|correct-guest)$/.test(
          path,
        );
      const stability = beta ? 'beta' : 'stable';
      for (const operation of Object.values(operations)) expect(operation['x-stability'], path).toBe(stability);
    }
  });
});

describe('headers and a description of an endpoint (beta)', () => {
  const HEADERS = { 'X-Gateway-Key': 'k_4f9c', Authorization: 'Bearer theirs' };
  const make = async (fields: object = {}) =>
    expectHttpStatus(await live.post('/webhook_endpoints', { url: URL_, headers: HEADERS, ...fields }), 201);

  beforeAll(clear);

  it('lists header names but never values; stores the description, and an empty one as null', async () => {
    const made = await make({ description: 'Guidebook, production' });
    expect(made.header_names).toEqual(['X-Gateway-Key', 'Authorization']);
    expect(made.description).toBe('Guidebook, production');
    const read = await live.get(`/webhook_endpoints/${made.id}`);
    expect(read.text).not.toMatch(/k_4f9c|theirs/);
    const changed = await live.patch(`/webhook_endpoints/${made.id}`, { description: '' });
    expect(expectHttpStatus(changed, 200)).toMatchObject({
      description: null,
      header_names: ['X-Gateway-Key', 'Authorization'],
    });
    // A client may send back the whole body that it read.
    expectHttpStatus(await live.patch(`/webhook_endpoints/${made.id}`, read.body), 200);
  });

  it('new headers replace the old ones, and null removes them', async () => {
    const { id } = await make();
    const other = await live.patch(`/webhook_endpoints/${id}`, { headers: { 'X-Other': '1' } });
    expect(expectHttpStatus(other, 200).header_names).toEqual(['X-Other']);
    expect(expectHttpStatus(await live.patch(`/webhook_endpoints/${id}`, { headers: null }), 200).header_names).toEqual(
      [],
    );
  });

  it.each([
    [{ Host: 'elsewhere' }, 'headers.Host'],
    [{ 'Content-Type': 'text/plain' }, 'headers.Content-Type'],
    [{ 'Service-Signature': 't=1' }, 'headers.Service-Signature'],
    [{ 'X-Bad': 'a\r\nX-More: b' }, 'headers.X-Bad'],
    [{ 'X-Bad': 1 }, 'headers.X-Bad'],
    [Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`X-${index}`, 'x'])), 'headers'],
    [['X-Key'], 'headers'],
  ])('rejects the headers %j', async (headers, param) => {
    expectError(await live.post('/webhook_endpoints', { url: URL_, headers }), 400, 'invalid_field', param);
  });

  it('a change of host must remove or replace the headers, so that whoever changes the URL cannot read them', async () => {
    const { id } = await make();
    expectHttpStatus(await live.patch(`/webhook_endpoints/${id}`, { url: `${URL_}/moved` }), 200);
    const elsewhere = { url: 'https://elsewhere.example/hook' };
    expectError(await live.patch(`/webhook_endpoints/${id}`, elsewhere), 400, 'invalid_field', 'headers');
    const moved = await live.patch(`/webhook_endpoints/${id}`, { ...elsewhere, headers: null });
    expect(expectHttpStatus(moved, 200)).toMatchObject({ ...elsewhere, header_names: [] });
  });
});
