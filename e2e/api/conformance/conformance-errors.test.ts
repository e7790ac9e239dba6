/** Tests the specification's section "Errors", and "Order of checks" and "Input" of the design. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ERRORS, type ErrorCode } from '@/shared/errors';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  expectHttpStatus,
  makeApiKey,
  makeProperty,
  makeReservation,
  makeWebhookEndpoint,
  openApiTestContext,
  type ResponseBody,
  type TestResponse,
} from '../test-context';

let world: ApiTestContext;
let live: ApiCaller;
let property: ResponseBody;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  property = await makeProperty(live);
});
afterAll(() => world.close());

function expectError(answer: TestResponse, status: number, code: string, param: string | null = null) {
  expect({ status: answer.status, code: answer.body?.error?.code, param: answer.body?.error?.param }).toEqual({
    status,
    code,
    param,
  });
}
const raw = (method: string, path: string, text: string, headers: Record<string, string> = {}) =>
  world.api.request<ResponseBody>(method, path, { key: world.team.live, raw: text, headers });

describe('the error object', () => {
  it('has type, code, message, param, doc_url and request_id, which is also the header X-Request-Id', async () => {
    const answer = await live.post('/properties', { name: 7 });
    expect(Object.keys(answer.body)).toEqual(['error']);
    const { error } = answer.body;
    expect(Object.keys(error).sort()).toEqual(['code', 'doc_url', 'message', 'param', 'request_id', 'type']);
    expect(error.request_id).toBe(answer.headers.get('x-request-id'));
    expect(error.request_id).toMatch(/^req_[A-Za-z0-9_-]{8,}$/);
    expect(URL.canParse(error.doc_url)).toBe(true);
  });

  it.each<[string, number]>([
    ['invalid_request_error', 400],
    ['authentication_error', 401],
    ['plan_limit_error', 402],
    ['permission_error', 403],
    ['not_found_error', 404],
    ['conflict_error', 409],
    ['idempotency_error', 422],
    ['rate_limit_error', 429],
  ])('%s | %i', (type, status) => {
    const codes = Object.values(ERRORS).filter((definition) => definition.status === status);
    expect(codes.length).toBeGreaterThan(0);
    for (const definition of codes) expect(definition.type).toBe(type);
  });

  it.each<[ErrorCode, number]>([
    ['missing_required_field', 400],
    ['idempotency_key_too_long', 400],
    ['idempotency_key_mismatch', 422],
    ['packet_in_use', 409],
    ['default_packet', 409],
    ['last_packet', 409],
  ])('known code %s | %i', (code, status) => expect(ERRORS[code].status).toBe(status));

  it('405, 413 and 415 have type invalid_request_error, 410 has not_found_error', () => {
    for (const { status, type } of Object.values(ERRORS)) {
      if ([405, 413, 415].includes(status)) expect(type).toBe('invalid_request_error');
      if (status === 410) expect(type).toBe('not_found_error');
    }
  });

  it('an internal failure returns a generic 500 and writes its cause only to the log', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const { logger } = await import('@/infra/logger');
    const quiet = vi.spyOn(logger(), 'error').mockImplementation(() => {});
    await systemDb().$executeRawUnsafe('ALTER TABLE sms_messages RENAME TO sms_messages_away');
    try {
      const answer = await live.get('/sms_messages');
      expectError(answer, 500, 'internal_error');
      expect(answer.body.error.type).toBe('api_error');
      expect(answer.text).not.toMatch(/sms_messages|prisma|select|relation/i);
      expect(JSON.stringify(quiet.mock.calls)).toContain(answer.body.error.request_id);
    } finally {
      quiet.mockRestore();
      await systemDb().$executeRawUnsafe('ALTER TABLE sms_messages_away RENAME TO sms_messages');
    }
    expect((await live.get('/sms_messages')).status).toBe(200);
  });
});

describe('paths and methods', () => {
  it.each([
    '/',
    '',
    '/nothing',
    '/properties/',
    '//properties',
    '/properties//packet',
    '/Properties',
    '/properties/prop_1/nothing',
    '/reservations/res_1/send/now',
    '/constructor',
    '/__proto__',
    '/properties/prop_1/packet/',
  ])('404 route_not_found: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expectError(
        await live[method === 'GET' ? 'get' : method === 'POST' ? 'post' : 'del'](path),
        404,
        'route_not_found',
      );
  });

  it.each<[string, string, string]>([
    ['PUT', '/properties', 'GET, POST'],
    ['POST', '/properties/prop_1', 'GET, PATCH, DELETE'],
    ['GET', '/reservations/res_1/send', 'POST'],
    ['DELETE', '/certificates', 'GET'],
    ['PATCH', '/properties/prop_1/packets', 'GET, POST'],
    ['DELETE', '/properties/prop_1/packet', 'GET, PUT, PATCH'],
    ['OPTIONS', '/properties', 'GET, POST'],
    ['POST', '/openapi.json', 'GET'],
    ['DELETE', '/openapi.json', 'GET'],
  ])('405 method_not_allowed with Allow: %s %s', async (method, path, allow) => {
    const answer = await world.api.request<ResponseBody>(method, path, { key: world.team.live });
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(allow.split(', ').sort());
  });

  it('accepts any characters in an id: an unknown id is a 404', async () => {
    for (const id of ['x', '%20', '%2F', '%', '%E0%A4%A', "'--", '..%2f..', 'é', 'x'.repeat(2_000)]) {
      expectError(await live.get(`/properties/${id}`), 404, 'resource_missing');
    }
    expectError(await live.get('/properties/%00'), 400, 'invalid_field', 'id');
  });

  it('HEAD returns the status and headers of GET, without the body', async () => {
    const got = await live.get(`/properties/${property.id}`);
    const head = await world.api.request('HEAD', `/properties/${property.id}`, { key: world.team.live });
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    for (const name of ['etag', 'content-type', 'content-length']) {
      expect(head.headers.get(name)).toBe(got.headers.get(name));
    }
    expect((await world.api.request('HEAD', '/properties/prop_nothing00', { key: world.team.live })).status).toBe(404);
    expect((await world.api.request('HEAD', '/reservations/res_1/send', { key: world.team.live })).status).toBe(405);
  });

  it('rejects a query parameter that the operation does not define, also on writes', async () => {
    expectError(await live.get(`/properties/${property.id}?expand=packets`), 400, 'unknown_field', 'expand');
    expectError(await live.get(`/properties/${property.id}?id=other`), 400, 'unknown_field', 'id');
    expectError(await live.post('/properties?name=A', { name: 'B' }), 400, 'unknown_field', 'name');
    expectError(await live.patch(`/properties/${property.id}?city=A`, {}), 400, 'unknown_field', 'city');
    expectError(await live.get('/properties?toString=1'), 400, 'unknown_field', 'toString');
  });
});

describe('bodies', () => {
  it.each([
    '{',
    '{"name":}',
    "{'name':'A'}",
    '[]',
    '"text"',
    '7',
    'null',
    'true',
    '{"name":"A"} {"name":"B"}',
    '{"name":"A",}',
    'name=A',
    '\u0000',
    '{"name": NaN}',
  ])('400 invalid_json: %j', async (text) => {
    expectError(await raw('POST', '/properties', text), 400, 'invalid_json');
  });

  it('400 invalid_json: bytes that are not UTF-8', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
    const response = await fetch(`${world.api.url}/properties`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.team.live}`, 'Content-Type': 'application/json' },
      body,
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_json' } },
    });
  });

  it('rejects an endlessly nested body with 400 instead of failing', async () => {
    const deep = `{"name":"A","city":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const answer = await raw('POST', '/properties', deep);
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({ status: 400, code: 'invalid_json' });
    const objects = `${'{"name":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect((await raw('POST', '/properties', objects)).status).toBe(400);
  });

  it.each(['gzip', 'br', 'identity'])('Content-Encoding: %s', async (encoding) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': encoding };
    const answer = await raw('POST', '/properties', '{"name":"A"}', headers);
    if (encoding === 'identity') expect(answer.status).toBe(201);
    else expectError(answer, 415, 'unsupported_media_type');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/xml',
    '',
  ])('415 unsupported_media_type: %j', async (type) => {
    const answer = await raw('POST', '/properties', '{"name":"A"}', { 'Content-Type': type });
    expectError(answer, 415, 'unsupported_media_type');
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON',
    'application/json ;charset=UTF-8',
  ])('accepts %s', async (type) =>
    expect((await raw('POST', '/reservations', '{}', { 'Content-Type': type })).body.error.code).toBe(
      'missing_required_field',
    ),
  );

  it('an operation without a body accepts no body or an empty object, and rejects any field', async () => {
    const reservation = await makeReservation(live, world.clock, property.id);
    const path = `/reservations/${reservation.id}/cancel`;
    expect((await live.post(path)).status).toBe(200);
    expect((await live.post(path, {})).status).toBe(200);
    expectError(await live.post(path, { reason: 'x' }), 400, 'unknown_field', 'reason');
  });

  it('413 request_too_large beyond 1 MiB, with or without Content-Length; exactly 1 MiB is read', async () => {
    const fill = (size: number) => `{"name":"${'x'.repeat(size - 11)}"}`;
    expect(fill(1024 * 1024)).toHaveLength(1024 * 1024);
    expectError(await raw('POST', '/properties', fill(1024 * 1024)), 400, 'invalid_field', 'name');
    expectError(await raw('POST', '/properties', fill(1024 * 1024 + 1)), 413, 'request_too_large');
    const chunked = await fetch(`${world.api.url}/properties`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.team.live}`, 'Content-Type': 'application/json' },
      body: new Blob([fill(3 * 1024 * 1024)]).stream(),
      duplex: 'half',
    } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  it('a Content-Length that is too large is rejected before the body arrives', async () => {
    const { port } = new URL(world.api.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          'POST /v1/properties HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{',
        );
      });
      socket.on('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.on('error', reject);
    });
    expect(answer).toContain(' 413 ');
  });

  it.each<[string, unknown, string]>([
    ['NUL', 'a\u0000b', 'name'],
    ['a lone high surrogate', 'a\ud800', 'name'],
    ['a lone low surrogate', '\udc00a', 'name'],
  ])('400: %s cannot be stored', async (_name, name, param) => {
    expectError(await live.post('/properties', { name }), 400, 'invalid_field', param);
  });

  it('400: text that cannot be stored in a nested field, in a field name, or escaped', async () => {
    const packet = `/properties/${property.id}/packet`;
    expectError(
      await live.patch(packet, { rules: [{ text: 'fine' }, { text: '\u0000' }] }),
      400,
      'invalid_field',
      'rules[1].text',
    );
    expectError(
      await live.patch(packet, { arrival_details: { wifi: { network: '\ud83d' } } }),
      400,
      'invalid_field',
      'arrival_details.wifi.network',
    );
    expect((await live.post('/properties', { name: 'A', 'b\u0000': 1 })).status).toBe(400);
    expectError(await raw('POST', '/properties', '{"name":"\\ud800"}'), 400, 'invalid_field', 'name');
    expect((await live.post('/properties', { name: '👩‍👩‍👧 𝒜 ünï' })).body.name).toBe('👩‍👩‍👧 𝒜 ünï');
  });

  it('treats the names of JavaScript built-ins as unknown fields', async () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expectError(
        await raw('POST', '/properties', `{"name":"A",${JSON.stringify(name)}:{"x":1}}`),
        400,
        'unknown_field',
        name,
      );
    }
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('rejects numbers outside a field’s range', async () => {
    const packet = `/properties/${property.id}/packet`;
    for (const amount of ['1e400', '1e20', '9007199254740993', '2000000001', '-0.5']) {
      const answer = await raw('PATCH', packet, `{"fees":[{"label":"A","amount_cents":${amount}}]}`);
      expectError(answer, 400, 'invalid_field', 'fees[0].amount_cents');
    }
    expectError(await raw('POST', '/properties', '{"name":"A","lat":1e999}'), 400, 'invalid_field', 'lat');
  });

  it('reports only one error: the first in field order', async () => {
    const answer = await live.post('/reservations', {
      property_id: 'x',
      guest_name: '',
      guest_email: 'no',
      checkin_date: 1,
    });
    expectError(answer, 400, 'invalid_field', 'property_id');
  });

  it('an id in the path takes precedence over one in the body', async () => {
    const other = await makeProperty(live);
    const answer = await live.patch(`/properties/${property.id}`, { id: other.id, city: 'Here' });
    expect(expectHttpStatus(answer, 200)).toMatchObject({ id: property.id, city: 'Here' });
    expect((await live.get(`/properties/${other.id}`)).body.city).toBeNull();
  });
});

describe('order of checks', () => {
  const huge = 'x'.repeat(1024 * 1024 + 1);

  it('unknown path, then size, then key', async () => {
    const send = (path: string, text: string) => world.api.request<ResponseBody>('POST', path, { raw: text });
    expectError(await send('/nothing', huge), 404, 'route_not_found');
    expectError(await send('/properties', huge), 413, 'request_too_large');
    expectError(await send('/properties', '{'), 401, 'api_key_missing');
  });

  it('key, address, scope, plan, idempotency, content type, schema, existence, in that order', async () => {
    const team = await world.api.createTeam({ plan: 'free' });
    const long = { 'Idempotency-Key': 'k'.repeat(256), 'Content-Type': 'text/plain' };
    const send = (key: string, headers: Record<string, string> = long) =>
      world.api.request<ResponseBody>('POST', '/properties', { key, raw: '{', headers });
    const away = ['203.0.113.1'];
    const revoked = await makeApiKey(team.id, { ip_allow: away, scopes: [], revoked_at: world.clock.now() });
    expectError(await send(revoked), 401, 'api_key_revoked');
    expectError(await send(await makeApiKey(team.id, { ip_allow: away, scopes: [] })), 403, 'ip_not_allowed');
    expectError(await send(await makeApiKey(team.id, { scopes: ['properties:read'] })), 403, 'insufficient_scope');
    expectError(await send(team.live), 402, 'plan_required');
    expectError(await send(world.team.live), 400, 'idempotency_key_too_long');
    expectError(await send(world.team.live, { 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type');
    expectError(await send(world.team.live, {}), 400, 'invalid_json');
  });

  it('schema, then existence, then business rules', async () => {
    const sent = await makeReservation(live, world.clock, property.id);
    await live.post(`/reservations/${sent.id}/send`);
    expectError(await live.patch('/reservations/res_nothing00', { guest_name: 7 }), 400, 'invalid_field', 'guest_name');
    expectError(await live.patch('/reservations/res_nothing00', { guest_name: 'A' }), 404, 'resource_missing');
    expectError(await live.patch(`/reservations/${sent.id}`, { guest_name: 'A' }), 409, 'reservation_not_editable');
  });

  it('a key without the scope never receives the stored response to another key', async () => {
    const headers = { 'Idempotency-Key': 'the-secret-of-another' };
    const body = { url: 'https://example.com/hook' };
    expectHttpStatus(await live.post('/webhook_endpoints', body, headers), 201);
    const narrow = createApiCaller(world.api, await makeApiKey(world.team.id, { scopes: ['webhooks:read'] }));
    expectError(await narrow.post('/webhook_endpoints', body, headers), 403, 'insufficient_scope');
  });
});

describe('404 resource_missing', () => {
  it('names the mode that was searched', async () => {
    const answer = await createApiCaller(world.api, world.team.test).get(`/properties/${property.id}`);
    expectError(answer, 404, 'resource_missing');
    expect(answer.body.error.message).toContain('test-mode');
    const endpoint = await makeWebhookEndpoint(live);
    expect(
      (await createApiCaller(world.api, world.team.test).get(`/webhook_endpoints/${endpoint.id}`)).body.error.message,
    ).toContain('test-mode');
  });
});

describe('GET /openapi.json', () => {
  it('is public, is OpenAPI 3.1, and has the headers of every response', async () => {
    const response = await fetch(`${world.api.url}/openapi.json`);
    expect(response.status).toBe(200);
    const document = (await response.json()) as ResponseBody;
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(document.servers[0].url).toBe(world.api.url);
    for (const name of ['x-request-id', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']) {
      expect(response.headers.get(name)).toBeTruthy();
    }
  });
});
