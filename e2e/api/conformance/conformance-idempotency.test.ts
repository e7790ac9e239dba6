/** Tests the specification's section "Idempotency on writes", and design "Idempotency". */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  DAY_MS,
  expectHttpStatus,
  HOUR_MS,
  makeApiKey,
  makeProperty,
  makeReservation,
  makeUniqueText,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  type TestResponse,
} from '../test-context';

let world: ApiTestContext;
let live: ApiCaller;
let property: ResponseBody;

beforeAll(async () => {
  world = await openApiTestContext();
  live = createApiCaller(world.api, world.team.live);
  const { systemDb } = await import('@/infra/db/client');
  await systemDb().team.updateMany({ data: { property_limit: 1_000 } });
  property = await makeProperty(live);
});
afterAll(() => world.close());

const withKey = (key: string) => ({ 'Idempotency-Key': key });
/**
 * Selects the headers that belong to the stored response. A replay has its own rate limit and
 * connection headers.
 */
const stored = (answer: TestResponse) =>
  Object.fromEntries(
    [...answer.headers].filter(
      ([name]) =>
        !/^(x-ratelimit-|date$|connection$|keep-alive$|idempotent-replay$|x-(original-)?request-id$)/.test(name),
    ),
  );
const replayed = (answer: TestResponse) => answer.headers.get('idempotent-replay');
async function countProperties(name: string): Promise<number> {
  const { systemDb } = await import('@/infra/db/client');
  return systemDb().property.count({ where: { name } });
}

function expectReplay(first: TestResponse, second: TestResponse): void {
  expect(replayed(first)).toBeNull();
  expect(replayed(second)).toBe('true');
  expect(second.status).toBe(first.status);
  expect(second.text).toBe(first.text);
  expect(stored(second)).toEqual(stored(first));
}

describe('the same key with the same body', () => {
  it('returns the stored response and headers byte for byte, with Idempotent-Replay: true, and runs once', async () => {
    const [key, name] = [makeUniqueText('same-'), makeUniqueText('Same ')];
    const send = () => live.post('/properties', { name }, withKey(key));
    const first = await send();
    expectHttpStatus(first, 201);
    world.clock.advance(HOUR_MS);
    const second = await send();
    expectReplay(first, second);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('x-original-request-id')).toBe(first.headers.get('x-request-id'));
    expect(first.headers.get('x-original-request-id')).toBeNull();
    expect(await countProperties(name)).toBe(1);
  });

  it('PATCH also returns the stored response, even if the resource has changed since', async () => {
    const { id } = await makeProperty(live);
    const send = () => live.patch(`/properties/${id}`, { city: 'Cascais' }, withKey('patch-once'));
    const first = await send();
    await live.patch(`/properties/${id}`, { city: 'Lisbon' });
    expectReplay(first, await send());
    expect((await live.get(`/properties/${id}`)).body.city).toBe('Lisbon');
  });

  it('a send has no body: only method and path are compared', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const { id } = await makeReservation(live, world.clock, property.id);
    await live.post(`/reservations/${id}/send`);
    const key = makeUniqueText('resend-');
    const first = await live.post(`/reservations/${id}/resend`, undefined, withKey(key));
    expectReplay(first, await live.post(`/reservations/${id}/resend`, undefined, withKey(key)));
    expect(await systemDb().mailMessage.count({ where: { reservation_id: id } })).toBe(2);
  });

  it('a stored secret is encrypted at rest and replayed in plain text', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const send = () => live.post('/webhook_endpoints', { url: 'https://example.com/a' }, withKey('hook-secret'));
    const first = await send();
    expectReplay(first, await send());
    const row = await systemDb().idempotencyRecord.findFirstOrThrow({ where: { key: 'hook-secret' } });
    expect(row.encrypted).toBe(true);
    expect(row.response_body).not.toContain(first.body.signing_secret);
  });

  it('GET, PUT and DELETE ignore the idempotency key', async () => {
    const path = `/properties/${property.id}/packet`;
    const first = await live.put(path, { rules: [{ text: 'A' }] }, withKey('put-key'));
    const second = await live.put(path, { rules: [{ text: 'B' }] }, withKey('put-key'));
    expect([first.status, second.status, replayed(second)]).toEqual([200, 200, null]);
    const { id } = await makeProperty(live);
    expect((await live.del(`/properties/${id}`, withKey('put-key'))).status).toBe(200);
    expect((await live.get('/properties', withKey('put-key'))).status).toBe(200);
  });
});

describe('422 idempotency_key_mismatch', () => {
  it('the same key with a different body, path, query or method', async () => {
    const [one, two] = [await makeProperty(live), await makeProperty(live)];
    const headers = withKey(makeUniqueText('mismatch-'));
    expectHttpStatus(await live.patch(`/properties/${one.id}`, { city: 'A' }, headers), 200);
    const others: (() => Promise<TestResponse>)[] = [
      () => live.patch(`/properties/${one.id}`, { city: 'B' }, headers),
      () =>
        world.api.request('PATCH', `/properties/${one.id}`, { key: world.team.live, raw: '{ "city": "A" }', headers }),
      () => live.patch(`/properties/${two.id}`, { city: 'A' }, headers),
      () => live.patch(`/properties/${one.id}?x=1`, { city: 'A' }, headers),
      () => live.post('/properties', { city: 'A' }, headers),
    ];
    for (const send of others) {
      const answer = await send();
      expect(answer.status).toBe(422);
      expect(answer.body.error).toMatchObject({ type: 'idempotency_error', code: 'idempotency_key_mismatch' });
    }
    expect((await live.get(`/properties/${two.id}`)).body.city).toBeNull();
  });
});

describe('the key', () => {
  it('has at most 255 characters: 255 are accepted, 256 return 400 idempotency_key_too_long', async () => {
    const send = (length: number) => live.post('/properties', { name: 'Long key' }, withKey('k'.repeat(length)));
    expectReplay(await send(255), await send(255));
    const answer = await send(256);
    expect({ status: answer.status, code: answer.body.error.code }).toEqual({
      status: 400,
      code: 'idempotency_key_too_long',
    });
    const patch = await live.patch(`/properties/${property.id}`, {}, withKey('k'.repeat(256)));
    expect(patch.body.error.code).toBe('idempotency_key_too_long');
  });

  it('is scoped to team and mode, and shared by all API keys of the team', async () => {
    const key = makeUniqueText('scoped-');
    const stranger = createApiCaller(world.api, (await world.api.createTeam()).live);
    const sandbox = createApiCaller(world.api, world.team.test);
    const send = (caller: ApiCaller) => caller.post('/properties', { name: 'Scoped' }, withKey(key));
    const first = await send(live);
    for (const caller of [stranger, sandbox]) {
      const answer = await send(caller);
      expect([answer.status, replayed(answer)]).toEqual([201, null]);
      expect(answer.body.id).not.toBe(first.body.id);
    }
    expectReplay(first, await send(createApiCaller(world.api, await makeApiKey(world.team.id))));
  });
});

describe('24 hours', () => {
  it('after 24 hours the key is forgotten and the request is processed normally', async () => {
    const send = (name: string) => live.post('/properties', { name }, withKey('a-day'));
    const first = await send('Day');
    world.clock.advance(DAY_MS - 5 * SECOND_MS);
    expectReplay(first, await send('Day'));
    world.clock.advance(5 * SECOND_MS);
    const anew = await send('Another body');
    expect([anew.status, replayed(anew)]).toEqual([201, null]);
    expectReplay(anew, await send('Another body'));
  });
});

describe('stored responses', () => {
  it('404, 409 and 410 are stored, and replayed even if the request would succeed now', async () => {
    const { id } = await makeReservation(live, world.clock, property.id);
    const missing = () => live.post('/reservations/res_nothing00/send', undefined, withKey('kept-404'));
    const first = await missing();
    expect(first.status).toBe(404);
    expectReplay(first, await missing());
    const early = () => live.post(`/reservations/${id}/resend`, undefined, withKey('kept-409'));
    const refused = await early();
    expect(refused.status).toBe(409);
    await live.post(`/reservations/${id}/send`);
    expectReplay(refused, await early());
  });

  it('400, 402, 403, 413, 415 and 429 are not stored: the corrected request succeeds with the same key', async () => {
    const { setConfig } = await import('@/config');
    const team = await world.api.createTeam({ plan: 'free' });
    const { systemDb } = await import('@/infra/db/client');
    const own = createApiCaller(world.api, team.live);
    const key = withKey('not-kept');
    const tries: [number, () => Promise<TestResponse>][] = [
      [402, () => own.post('/properties', { name: 'A' }, key)],
      [400, () => own.post('/properties', { nmae: 'A' }, key)],
      [400, () => world.api.request('POST', '/properties', { key: team.live, raw: '{', headers: key })],
      [
        415,
        () =>
          world.api.request('POST', '/properties', {
            key: team.live,
            raw: '{}',
            headers: { ...key, 'Content-Type': 'text/plain' },
          }),
      ],
      [
        413,
        () =>
          world.api.request('POST', '/properties', { key: team.live, raw: 'x'.repeat(1024 * 1024 + 1), headers: key }),
      ],
    ];
    for (const [status, send] of tries) {
      expect((await send()).status).toBe(status);
      if (status === 402) await systemDb().team.update({ where: { id: team.id }, data: { plan: 'pro' } });
    }
    const narrow = createApiCaller(world.api, await makeApiKey(team.id, { scopes: ['properties:read'] }));
    expect((await narrow.post('/properties', { name: 'A' }, key)).status).toBe(403);
    setConfig({ rate_limit_write_per_minute: 1 });
    expect((await own.post('/properties', { name: 'A' }, key)).status).toBe(429);
    setConfig({ rate_limit_write_per_minute: 1_000_000 });
    expect((await own.post('/properties', { name: 'A' }, key)).status).toBe(201);
  });

  it('a 500 is not stored: the retry runs as a new request', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const { logger } = await import('@/infra/logger');
    const quiet = vi.spyOn(logger(), 'error').mockImplementation(() => {});
    const send = () => live.post('/properties', { name: 'After the storm' }, withKey('storm'));
    await systemDb().$executeRawUnsafe('ALTER TABLE packets RENAME TO packets_away');
    const failed = await send();
    await systemDb().$executeRawUnsafe('ALTER TABLE packets_away RENAME TO packets');
    quiet.mockRestore();
    expect(failed.status).toBe(500);
    expect(await countProperties('After the storm')).toBe(0);
    expectReplay(await send(), await send());
    expect(await countProperties('After the storm')).toBe(1);
  });
});

describe('concurrent duplicates', () => {
  it('one request runs; the others get its response, or 409 idempotency_key_in_use with Retry-After: 1', async () => {
    const [key, name] = [makeUniqueText('at-once-'), makeUniqueText('At once ')];
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => live.post('/properties', { name }, withKey(key))),
    );
    const fresh = answers.filter((answer) => answer.status === 201 && replayed(answer) === null);
    expect(fresh).toHaveLength(1);
    for (const answer of answers.filter((other) => other !== fresh[0])) {
      if (answer.status === 201) {
        expect(answer.text).toBe(fresh[0]?.text);
        continue;
      }
      expect({ status: answer.status, code: answer.body.error.code }).toEqual({
        status: 409,
        code: 'idempotency_key_in_use',
      });
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expect(await countProperties(name)).toBe(1);
    expectReplay(fresh[0] as TestResponse, await live.post('/properties', { name }, withKey(key)));
  });

  it('the lock of a dead process expires by itself, and a different body cannot take it over', async () => {
    const { systemDb } = await import('@/infra/db/client');
    const { computeRequestHash } = await import('@/api/rest/idempotency');
    const key = makeUniqueText('dead-');
    const now = world.clock.now();
    const raw = '{"name":"Left behind"}';
    await systemDb().idempotencyRecord.create({
      data: {
        team_id: world.team.id,
        mode: 'live',
        key,
        request_hash: computeRequestHash('POST', '/v1/properties', Buffer.from(raw)),
        locked_until: new Date(now.getTime() + 60 * SECOND_MS),
        lock_token: 'of the dead',
        created_at: now,
        expires_at: new Date(now.getTime() + DAY_MS),
      },
    });
    const send = (text = raw) =>
      world.api.request<ResponseBody>('POST', '/properties', {
        key: world.team.live,
        raw: text,
        headers: withKey(key),
      });
    expect((await send()).body.error.code).toBe('idempotency_key_in_use');
    world.clock.advance(61 * SECOND_MS);
    expect((await send('{"name":"Other"}')).body.error.code).toBe('idempotency_key_mismatch');
    expectReplay(await send(), await send());
  });
});

describe('a killed process', () => {
  it.each([
    ['a dead process is freed as soon as the death is detected', 'dead', 201],
    ['a living process is not freed', 'living', 409],
  ])('an idempotency key locked by %s', async (_name, holder, status) => {
    const { systemDb } = await import('@/infra/db/client');
    const { releaseAbandonedIdempotencyKeys, computeRequestHash } = await import('@/api/rest/idempotency');
    const key = makeUniqueText(`${holder}-`);
    const raw = JSON.stringify({ name: makeUniqueText('Taken ') });
    const now = world.clock.now();
    const id = makeUniqueText('process-');
    if (holder === 'living') await systemDb().process.create({ data: { id, pid: 1, place: '', started_at: now } });
    await systemDb().idempotencyRecord.create({
      data: {
        team_id: world.team.id,
        mode: 'live',
        key,
        request_hash: computeRequestHash('POST', '/v1/properties', Buffer.from(raw)),
        locked_until: new Date(now.getTime() + 60 * SECOND_MS),
        lock_token: `${id}:1`,
        created_at: now,
        expires_at: new Date(now.getTime() + DAY_MS),
      },
    });
    await releaseAbandonedIdempotencyKeys();
    const answer = await world.api.request('POST', '/properties', { key: world.team.live, raw, headers: withKey(key) });
    expect(answer.status).toBe(status);
  });
});

describe('a restart', () => {
  it('a new server on the same database replays the stored response', async () => {
    const [key, name] = [makeUniqueText('restart-'), makeUniqueText('Restart ')];
    const first = await live.post('/properties', { name }, withKey(key));
    vi.resetModules();
    const { handleRestApiRequest } = await import('@/api/rest/handle-request');
    const server: Server = createServer((request, response) => void handleRestApiRequest(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const second = await fetch(`http://127.0.0.1:${port}/v1/properties`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.team.live}`, 'Content-Type': 'application/json', ...withKey(key) },
      body: JSON.stringify({ name }),
    });
    expect(await second.text()).toBe(first.text);
    expect([second.status, second.headers.get('idempotent-replay')]).toEqual([201, 'true']);
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
    await new Promise((resolve) => server.close(resolve));
    expect(await countProperties(name)).toBe(1);
  });
});
