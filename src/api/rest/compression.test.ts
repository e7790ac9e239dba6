import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApiServer, type TestApiServer, type TestTeam } from '@/testing/api';

let api: TestApiServer;
let team: TestTeam;
beforeAll(async () => {
  api = await startTestApiServer();
  team = await api.createTeam();
  for (let index = 0; index < 3; index++)
    await api.request('POST', '/properties', { key: team.live, body: { name: `Loft ${index}` } });
});
afterAll(() => api.close());

/** Returns the raw response. `fetch` would decompress it. */
async function get(path: string, headers: Record<string, string> = {}) {
  const { request } = await import('node:http');
  const all = { Authorization: `Bearer ${team.live}`, ...headers };
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = request(api.url + path, { headers: all }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part as Buffer);
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
    });
    sent.on('error', reject).end();
  });
}
const GZIP = { 'Accept-Encoding': 'gzip, br' };

describe('compression', () => {
  it('applies to responses over 1 kB if the client accepts it, and changes neither text nor ETag', async () => {
    const plain = await get('/properties');
    const packed = await get('/properties', GZIP);
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(plain.headers.vary).toBe('Accept-Encoding');
    expect(packed.body.length).toBeLessThan(plain.body.length / 2);
    expect(gunzipSync(packed.body).toString()).toBe(plain.body.toString());
    expect(
      (await get('/properties?limit=1', { 'Accept-Encoding': 'gzip;q=0' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  it('does not apply to small responses or to writes', async () => {
    const small = await get('/sync_sources', GZIP);
    expect([small.status, small.headers['content-encoding']]).toEqual([200, undefined]);
    const made = await api.request('POST', '/properties', {
      key: team.live,
      body: { name: 'Loft', address: 'x'.repeat(240), logo_url: `https://example.com/${'x'.repeat(1_900)}.png` },
      headers: GZIP,
    });
    expect([made.status, made.headers.get('content-encoding')]).toEqual([201, null]);
  });
});

describe('GET /v1/openapi.json', () => {
  it('is compressed and has an ETag, with which a client can check for changes', async () => {
    const packed = await get('/openapi.json', GZIP);
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', 'cache-control': 'no-cache' });
    expect(packed.body.length).toBeLessThan(60_000);
    const { etag } = packed.headers as { etag: string };
    expect((await get('/openapi.json')).headers.etag).toBe(etag);
    const unchanged = await get('/openapi.json', { ...GZIP, 'If-None-Match': etag });
    expect([unchanged.status, unchanged.body.length]).toEqual([304, 0]);
  });
});
