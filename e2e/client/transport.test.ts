/** Tests how the client handles responses that are late, cut off, refused, or not from the API. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  IdempotencyError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  PlanLimitError,
  RateLimitError,
  responseOf,
  Threshold,
  ThresholdError,
  TimeoutError,
} from '@threshold/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildApiError, type StubServer, sendJson, startStubServer, TEST_API_KEY } from './support';

let stub: StubServer;
beforeEach(async () => {
  stub = await startStubServer();
});
afterEach(() => stub.close());

const caught = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('It should have failed.');
    },
    (error) => error,
  );
const PROPERTY = { name: 'Harbour Loft' };
/** Refuses the first request and accepts the second. */
function refuseOnce(status: number, body: unknown, headers: Record<string, string> = {}) {
  stub.answer = (response, _request, number) =>
    number === 1 ? sendJson(response, status, body, headers) : sendJson(response, 200, { id: 'prop_1' });
}

describe('a request', () => {
  it('sends key, JSON body and options; an id is one segment of the path', async () => {
    await stub.client().properties.update('prop/1?x', PROPERTY, { ifMatch: '"7"', idempotencyKey: 'mine' });
    const [{ method, path, headers, body } = expect.fail()] = stub.came;
    expect([method, path, body]).toEqual(['PATCH', '/v1/properties/prop%2F1%3Fx', JSON.stringify(PROPERTY)]);
    expect(headers).toMatchObject({
      authorization: `Bearer ${TEST_API_KEY}`,
      'content-type': 'application/json',
      'if-match': '"7"',
      'idempotency-key': 'mine',
    });
  });

  it('without an id is rejected before it is sent, because its path would be another operation’s', async () => {
    for (const id of ['', '.', '..', undefined as never])
      expect(await caught(stub.client().properties.delete(id))).toBeInstanceOf(TypeError);
    expect(stub.came).toEqual([]);
  });

  it('omits undefined parameters and sends false ones', async () => {
    await stub.client().properties.delete('prop_1', { force: false });
    await stub.client().reservations.list({ status: undefined, 'checkin_date.gte': '2030-01-01' });
    expect(stub.came.map(({ query }) => query.toString())).toEqual(['force=false', 'checkin_date.gte=2030-01-01']);
  });

  it('does not reveal the key when the client is printed', () => {
    expect(inspect(stub.client(), { depth: 9, showHidden: true }) + JSON.stringify(stub.client())).not.toContain(
      TEST_API_KEY,
    );
  });

  it('requires a key and an absolute base URL', () => {
    for (const apiKey of ['', 'two lines\nof it', undefined as never])
      expect(() => new Threshold({ apiKey, baseUrl: 'https://a.example/v1' })).toThrow(TypeError);
    expect(() => new Threshold({ apiKey: TEST_API_KEY, baseUrl: '/v1' })).toThrow(TypeError);
  });

  it('exposes the response headers of a returned object', async () => {
    stub.answer = (response) => sendJson(response, 200, { id: 'prop_1' }, { ETag: '"7"', 'X-Request-Id': 'req_9' });
    const property = await stub.client().properties.retrieve('prop_1');
    expect(responseOf(property)).toMatchObject({ status: 200, requestId: 'req_9' });
    expect(responseOf(property)?.headers.get('etag')).toBe('"7"');
    expect(Object.keys(property)).toEqual(['id']);
  });
});

describe('retries', () => {
  const HELPED: [number, string, string][] = [
    [408, 'invalid_request_error', 'request_timeout'],
    [409, 'conflict_error', 'idempotency_key_in_use'],
    [429, 'rate_limit_error', 'rate_limit_exceeded'],
    [500, 'api_error', 'internal_error'],
    [503, 'api_error', 'service_unavailable'],
  ];
  it.each(HELPED)('%i %s %s is retried, a write with the same idempotency key', async (status, type, code) => {
    refuseOnce(status, buildApiError(type, code), { 'Retry-After': '0' });
    await stub.client().properties.create(PROPERTY);
    await stub.client().properties.create(PROPERTY);
    const keys = stub.came.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it.each([
    [400, 'invalid_request_error', 'invalid_field'],
    [401, 'authentication_error', 'api_key_invalid'],
    [402, 'plan_limit_error', 'plan_required'],
    [403, 'permission_error', 'insufficient_scope'],
    [404, 'not_found_error', 'resource_missing'],
    [409, 'conflict_error', 'concurrent_edit'],
    [422, 'idempotency_error', 'idempotency_key_mismatch'],
  ])('%i %s %s is not retried, because it would fail again', async (status, type, code) => {
    refuseOnce(status, buildApiError(type, code));
    expect(await caught(stub.client().properties.create(PROPERTY))).toMatchObject({ status, type, code });
    expect(stub.came).toHaveLength(1);
  });

  it.each([
    ['seconds', () => '1', 990],
    // Dates in `Retry-After` have whole seconds, so the delay may be up to one second shorter than
    // two.
    ['a date', () => new Date(Date.now() + 2_000).toUTCString(), 900],
  ])('wait as long as Retry-After states in %s', async (_form, retry_after, at_least) => {
    refuseOnce(429, buildApiError('rate_limit_error', 'rate_limit_exceeded'), { 'Retry-After': retry_after() });
    await stub.client().properties.retrieve('prop_1');
    const [first, second] = stub.came.map(({ at_ms }) => at_ms);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(at_least);
    expect((second ?? 0) - (first ?? 0)).toBeLessThan(4_000);
  });

  it('a Retry-After over two minutes is thrown as an error instead of waited for', async () => {
    refuseOnce(429, buildApiError('rate_limit_error', 'rate_limit_exceeded'), { 'Retry-After': '3600' });
    const error = await caught(stub.client().properties.retrieve('prop_1'));
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error.retryAfter).toBe(3_600);
  });

  it('end after maxRetries, with the last error', async () => {
    stub.answer = (response) =>
      sendJson(response, 503, buildApiError('api_error', 'service_unavailable'), { 'Retry-After': '0' });
    expect(await caught(stub.client({ maxRetries: 2 }).properties.retrieve('prop_1'))).toBeInstanceOf(ApiError);
    expect(stub.came).toHaveLength(3);
    await caught(stub.client().properties.retrieve('prop_1', { maxRetries: 0 }));
    expect(stub.came).toHaveLength(4);
  });

  it('wait longer each time without a Retry-After', async () => {
    stub.answer = (response) => sendJson(response, 500, buildApiError('api_error', 'internal_error'));
    await caught(stub.client({ maxRetries: 2 }).properties.retrieve('prop_1'));
    const at = stub.came.map(({ at_ms }) => at_ms);
    const waits = at.slice(1).map((time, index) => time - (at[index] ?? 0));
    expect(waits[0]).toBeGreaterThan(240);
    expect(waits[1]).toBeGreaterThan(490);
  });
});

describe('a connection', () => {
  it.each(['before the answer', 'in the middle of it'])('cut %s is retried with the same key', async (moment) => {
    stub.answer = (response, _request, number) => {
      if (number > 1) return sendJson(response, 201, { id: 'prop_1' });
      if (moment === 'before the answer') return void response.destroy();
      response.writeHead(201, { 'Content-Length': '100' });
      response.write('{"id":', () => response.destroy());
    };
    expect(await stub.client().properties.create(PROPERTY)).toEqual({ id: 'prop_1' });
    const [first, second] = stub.came.map(({ headers }) => headers['idempotency-key']);
    expect(second).toBe(first);
  });

  it('that is refused throws a ConnectionError with the reason', async () => {
    await stub.close();
    const error = await caught(stub.client({ maxRetries: 1 }).properties.retrieve('prop_1'));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ type: 'connection_error', code: 'connection_failed', status: null, requestId: null });
    expect(error.message).toContain('ECONNREFUSED');
    stub = await startStubServer();
  });

  it.each([
    ['never answers', () => {}],
    ['never finishes its answer', (response: { write(text: string): void }) => response.write('{"id":')],
  ])('to a server that %s times out', async (_what, answer) => {
    stub.answer = answer as never;
    const error = await caught(stub.client({ maxRetries: 1 }).properties.retrieve('prop_1', { timeoutMs: 1_000 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'timeout' });
    expect(stub.came).toHaveLength(2);
  });
});

describe('an abort signal', () => {
  it('ends a waiting call with the signal’s reason, without a retry', async () => {
    stub.answer = () => {};
    const error = await caught(stub.client().properties.list({}, { signal: AbortSignal.timeout(100) }));
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(error).not.toBeInstanceOf(ThresholdError);
    expect(stub.came).toHaveLength(1);
  });

  it('ends the wait between two attempts', async () => {
    refuseOnce(503, buildApiError('api_error', 'service_unavailable'), { 'Retry-After': '60' });
    const controller = new AbortController();
    const failed = caught(stub.client().properties.retrieve('prop_1', { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('enough')), 100);
    expect((await failed).message).toBe('enough');
  });

  it('that is already aborted sends nothing', async () => {
    const signal = AbortSignal.abort(new Error('before'));
    expect((await caught(stub.client().properties.create(PROPERTY, { signal }))).message).toBe('before');
    expect(stub.came).toEqual([]);
  });
});

describe('an error', () => {
  const CLASSES: Record<string, typeof ThresholdError> = {
    invalid_request_error: InvalidRequestError,
    authentication_error: AuthenticationError,
    plan_limit_error: PlanLimitError,
    permission_error: PermissionError,
    not_found_error: NotFoundError,
    conflict_error: ConflictError,
    idempotency_error: IdempotencyError,
    rate_limit_error: RateLimitError,
    api_error: ApiError,
  };

  it('has its own class for each type in the document', () => {
    const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
    const types: string[] = components.schemas.Error.properties.error.properties.type.enum;
    expect(Object.keys(CLASSES).sort()).toEqual([...types].sort());
    expect(new Set(Object.values(CLASSES)).size).toBe(types.length);
  });

  it.each(Object.keys(CLASSES))('%s has its own class, and code, param and request id', async (type) => {
    const error = {
      type,
      code: 'some_code',
      message: 'No.',
      param: 'fees[0]',
      doc_url: 'https://d',
      request_id: 'req_2',
    };
    stub.answer = (response) => sendJson(response, 400, { error });
    const thrown = await caught(stub.client().properties.create(PROPERTY));
    expect(thrown).toBeInstanceOf(CLASSES[type]);
    expect(thrown).toBeInstanceOf(ThresholdError);
    expect(thrown.name).toBe(CLASSES[type]?.name);
    expect(thrown).toMatchObject({ type, code: 'some_code', message: 'No.', param: 'fees[0]', requestId: 'req_2' });
    expect(thrown).toMatchObject({ docUrl: 'https://d', status: 400 });
  });

  it.each([
    [502, '<html>Bad gateway</html>', 4],
    [404, 'Not found', 1],
    [200, '<html>Sign in to this wifi</html>', 1],
    [200, '"text"', 1],
    [400, '{"error":"text"}', 1],
    [400, 'null', 1],
  ])('is thrown for a response that is not the API’s: %i %s', async (status, text, tries) => {
    stub.answer = (response) => void response.writeHead(status, { 'Retry-After': '0' }).end(text);
    const error = await caught(stub.client().properties.create(PROPERTY));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'unexpected_response', status, param: null });
    expect(error.message).toContain(text.slice(0, 20));
    expect(stub.came).toHaveLength(tries);
  });

  it('is thrown for a redirect, which could turn a write into a read and leak the key to another host', async () => {
    stub.answer = (response) => void response.writeHead(301, { Location: 'https://elsewhere.example/v1' }).end();
    const error = await caught(stub.client().properties.create(PROPERTY));
    expect(error).toMatchObject({ code: 'unexpected_response', status: 301 });
    expect(error.message).toContain('https://elsewhere.example/v1');
  });
});

describe('a file', () => {
  it('is downloaded from the redirect’s URL, without the key', async () => {
    stub.answer = (response, { path }) =>
      path.endsWith('/download')
        ? response.writeHead(302, { Location: '/files/1.pdf' }).end()
        : response.writeHead(200, { 'Content-Type': 'application/pdf' }).end('%PDF-');
    const file = await stub.client().certificates.download('sig_1');
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['application/pdf', '%PDF-']);
    expect(stub.came.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/certificates/sig_1/download', `Bearer ${TEST_API_KEY}`],
      ['/files/1.pdf', undefined],
    ]);
  });

  it('that is missing at the redirect’s URL throws an error', async () => {
    stub.answer = (response, { path }) =>
      path.endsWith('/download')
        ? response.writeHead(302, { Location: '/files/1.pdf' }).end()
        : response.writeHead(404).end('gone');
    expect(await caught(stub.client().certificates.download('sig_1'))).toMatchObject({ status: 404 });
  });
});
