/**
 * Tests the request rates in the specification's section "Limits", and design "Rate limit". The
 * tests set the clock.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { setConfig } from '@/config';
import type { TestTeam } from '@/testing/api';
import {
  type ApiCaller,
  type ApiTestContext,
  createApiCaller,
  makeApiKey,
  openApiTestContext,
  type ResponseBody,
  SECOND_MS,
  type TestResponse,
} from '../test-context';

let world: ApiTestContext;
let team: TestTeam;
let live: ApiCaller;
let now: number;

beforeAll(async () => {
  world = await openApiTestContext();
  now = Date.now();
});
afterAll(() => world.close());
beforeEach(async () => {
  // Every test begins at a whole second, after a minute without requests, with a new team.
  now = Math.ceil(now / 1_000) * 1_000 + 120 * SECOND_MS;
  world.clock.set(now);
  setConfig({ rate_limit_read_per_minute: 100, rate_limit_write_per_minute: 30 });
  team = await world.api.createTeam();
  live = createApiCaller(world.api, team.live);
});

const at = (seconds: number) => world.clock.set(now + seconds * SECOND_MS);
const numbers = (answer: TestResponse) => ({
  status: answer.status,
  limit: Number(answer.headers.get('x-ratelimit-limit')),
  remaining: Number(answer.headers.get('x-ratelimit-remaining')),
  reset: Number(answer.headers.get('x-ratelimit-reset')) - now / 1_000,
  retry: answer.headers.get('retry-after') === null ? null : Number(answer.headers.get('retry-after')),
});
const read = () => live.get('/properties/prop_nothing00');
const write = () => live.post('/reservations/res_nothing00/cancel');
async function times(count: number, send: () => Promise<TestResponse>): Promise<TestResponse[]> {
  const answers: TestResponse[] = [];
  for (let index = 0; index < count; index++) answers.push(await send());
  return answers;
}

describe('Rate headers on every response', () => {
  it('X-RateLimit-Limit, -Remaining and -Reset (unix seconds): 100 reads and 30 writes per minute', async () => {
    expect(numbers(await read())).toEqual({ status: 404, limit: 100, remaining: 99, reset: 60, retry: null });
    expect(numbers(await read())).toMatchObject({ remaining: 98 });
    expect(numbers(await read())).toMatchObject({ remaining: 97 });
    expect(numbers(await write())).toMatchObject({ limit: 30, remaining: 29, reset: 60 });
    at(20);
    expect(numbers(await read())).toMatchObject({ remaining: 96, reset: 80 });
  });

  it('X-RateLimit-Remaining is a promise: that many requests pass, even when the burst starts to count in full', async () => {
    setConfig({ rate_limit_write_per_minute: 6 });
    const told = (await times(6, write)).map((answer) => numbers(answer).remaining);
    at(11);
    for (const [index, remaining] of told.entries()) {
      const since_then = told.length - 1 - index;
      for (const answer of await times(remaining - since_then, write)) expect(answer.status).toBe(404);
    }
  });

  it('reads and writes, modes, and teams count separately; keys of one team and mode share a limit', async () => {
    await times(3, read);
    const stranger = createApiCaller(world.api, (await world.api.createTeam()).live);
    expect(numbers(await createApiCaller(world.api, team.test).get('/properties')).remaining).toBe(99);
    expect(numbers(await stranger.get('/properties')).remaining).toBe(99);
    expect(numbers(await write()).remaining).toBe(29);
    const second = createApiCaller(world.api, await makeApiKey(team.id));
    expect(numbers(await second.get('/properties')).remaining).toBe(96);
  });

  it('HEAD is a read; PUT, PATCH, POST and DELETE are writes', async () => {
    for (const [method, limit] of [
      ['HEAD', 100],
      ['GET', 100],
      ['PUT', 30],
      ['PATCH', 30],
      ['DELETE', 30],
    ] as const) {
      const path = method === 'PUT' ? '/properties/prop_nothing00/packet' : '/properties/prop_nothing00';
      const answer = await world.api.request<ResponseBody>(method, path, { key: team.live });
      expect(numbers(answer).limit, method).toBe(limit);
    }
  });
});

describe('Burst allowance | 2 times the per-minute limit over a 10-second window', () => {
  it('a quiet client may burst to twice the limit inside 10 seconds, and then waits', async () => {
    setConfig({ rate_limit_write_per_minute: 5 });
    const burst = await times(10, write);
    expect(burst.map((answer) => answer.status)).toEqual(Array(10).fill(404));
    expect(burst.map((answer) => numbers(answer).remaining)).toEqual([4, 3, 2, 1, 0, 0, 0, 0, 0, 0]);
    const refused = await write();
    expect(refused.body.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    // All five requests of the burst count for 60 seconds. Until then every further request is
    // refused.
    expect(numbers(refused)).toEqual({ status: 429, limit: 5, remaining: 0, reset: 60, retry: 60 });
    at(59);
    expect(numbers(await write())).toMatchObject({ status: 429, retry: 1 });
    at(60);
    expect(numbers(await write())).toMatchObject({ status: 404, remaining: 4, reset: 120 });
  });

  it('the window slides: each request stops counting after 60 s', async () => {
    setConfig({ rate_limit_write_per_minute: 3 });
    for (const second of [0, 15, 30]) {
      at(second);
      expect((await write()).status).toBe(404);
    }
    at(45);
    expect(numbers(await write())).toMatchObject({ status: 429, retry: 15, reset: 90 });
    at(59.999);
    expect(numbers(await write())).toMatchObject({ status: 429, retry: 1 });
    at(60);
    expect((await write()).status).toBe(404);
    expect(numbers(await write())).toMatchObject({ status: 404, remaining: 0 });
    expect((await write()).status).toBe(429);
    at(75);
    expect((await write()).status).toBe(429);
  });

  it('Retry-After is exact: a second earlier the request is refused, then it passes', async () => {
    setConfig({ rate_limit_read_per_minute: 4 });
    for (const second of [0, 3, 7, 12, 13]) {
      at(second);
      await read();
    }
    for (let second = 14; second < 200; second++) {
      at(second);
      const answer = await read();
      if (answer.status !== 429) continue;
      const retry = numbers(answer).retry ?? 0;
      for (let early = 1; early < retry; early++) {
        at(second + early);
        expect(numbers(await read())).toMatchObject({ status: 429, retry: retry - early });
      }
      at(second + retry);
      expect((await read()).status).toBe(404);
      second += retry;
    }
  });

  it('refused requests do not count', async () => {
    setConfig({ rate_limit_write_per_minute: 1 });
    await times(2, write);
    await times(20, write);
    at(60);
    expect((await write()).status).toBe(404);
  });
});

describe('before the key is verified', () => {
  const nobody = () =>
    world.api.request<ResponseBody>('GET', '/properties', { key: `service_live_sk_${'x'.repeat(40)}` });

  it('failures are limited to 60 a minute per address, with the same headers; a valid key still works', async () => {
    const first = await nobody();
    expect(numbers(first)).toEqual({ status: 401, limit: 60, remaining: 59, reset: 60, retry: null });
    await times(30, nobody);
    await times(30, () => world.api.request<ResponseBody>('GET', '/nothing'));
    await times(59, () => world.api.request<ResponseBody>('PUT', '/properties'));
    const refused = await nobody();
    expect(refused.body.error).toMatchObject({ type: 'rate_limit_error', code: 'rate_limit_exceeded' });
    expect(numbers(refused)).toMatchObject({ status: 429, limit: 60, remaining: 0, retry: 60 });
    expect((await live.get('/properties')).status).toBe(200);
    at(60);
    expect((await nobody()).status).toBe(401);
  });

  it('behind a trusted proxy the limit is per client address or IPv6 /64; other proxies’ headers are ignored', async () => {
    const from = (address: string) =>
      world.api.request<ResponseBody>('GET', '/properties', { headers: { 'X-Forwarded-For': address } });
    expect(numbers(await from('198.51.100.1')).remaining).toBe(59);
    expect(numbers(await from('198.51.100.2')).remaining).toBe(58);
    expect(numbers(await from('198.51.100.3')).remaining).toBe(57);
    setConfig({ trusted_proxies: ['127.0.0.0/8'] });
    try {
      for (const address of ['198.51.100.1', '198.51.100.2', '2001:db8:1:2::1']) {
        expect(numbers(await from(address)).remaining).toBe(59);
      }
      await from('2001:db8:1:2:ffff::9');
      expect(numbers(await from('2001:db8:1:2::abcd')).remaining).toBe(57);
      expect(numbers(await from('2001:db8:1:3::1')).remaining).toBe(59);
    } finally {
      setConfig({ trusted_proxies: [] });
    }
  });
});

it('the limit is checked after key and address, before scope and everything else', async () => {
  setConfig({ rate_limit_read_per_minute: 1 });
  const narrow = createApiCaller(world.api, await makeApiKey(team.id, { scopes: ['webhooks:read'] }));
  expect((await narrow.get('/properties')).status).toBe(403);
  expect((await narrow.get('/properties')).status).toBe(403);
  expect((await narrow.get('/properties')).status).toBe(429);
});
