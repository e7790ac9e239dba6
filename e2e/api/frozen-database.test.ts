/**
 * Tests an external database that stops responding without closing its connections, like a frozen
 * machine. A proxy in front of the database stops forwarding. Every caller waits at most five
 * seconds and gets the same error. Requests succeed again once the database responds.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUEST_PAGES } from '@/guest/http/serve';
import { startTestServer, type TestServer } from '@/testing/server';

const admin_url = process.env.TEST_DATABASE_URL;
/**
 * The limit of five seconds, doubled for a busy machine. Without a limit, requests took half a
 * minute or longer.
 */
const MOST_MS = 10_000;

describe.skipIf(!admin_url)('a database that is frozen', () => {
  const database = `frozen_${randomBytes(4).toString('hex')}`;
  const sockets = new Set<Socket>();
  let frozen = false;
  let server: TestServer;
  let key: string;
  const proxy = createServer((client) => {
    const { hostname, port } = new URL(admin_url as string);
    const database_side = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [client, database_side],
      [database_side, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      from.pipe(to);
      if (frozen) from.pause();
    }
  });
  const freeze = (on: boolean) => {
    frozen = on;
    for (const socket of sockets) on ? socket.pause() : socket.resume();
  };
  const sql = async (text: string) => {
    const client = new Client({ connectionString: admin_url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  async function ask(method: string, path: string, body?: string) {
    const began = performance.now();
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body }) });
    return { status: response.status, text: await response.text(), ms: performance.now() - began };
  }

  beforeAll(async () => {
    await sql(`CREATE DATABASE ${database}`);
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const url = new URL(admin_url as string);
    url.port = String((proxy.address() as AddressInfo).port);
    url.hostname = '127.0.0.1';
    url.pathname = `/${database}`;
    const env = {
      DATABASE_URL: url.toString(),
      APP_SECRET: randomBytes(32).toString('base64url'),
      LOG_LEVEL: 'silent',
    };
    server = await startTestServer({ with_pages: true, built: true, env });
    const owner = { email: 'o@example.com', password: 'correct horse battery staple' };
    const { team } = await server.createTeam({ name: 'Ice', ...owner });
    ({ key } = await server.admin<{ key: string }>('key', 'create', '--team', team.id, '--mode', 'test'));
  }, 180_000);
  afterAll(async () => {
    freeze(false);
    await server?.stop();
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await sql(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`);
  });

  it('fails every request with 503 within five seconds, and requests succeed again once it resumes', async () => {
    expect((await ask('GET', '/v1/properties')).status).toBe(200);
    freeze(true);
    // Sends more requests than the pool has connections.
    const asked = await Promise.all([
      ...Array.from({ length: 15 }, () => ask('GET', '/v1/properties')),
      ask('POST', '/v1/properties', '{"name":"Ice"}'),
      ...[...GUEST_PAGES].flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => ask(method, path.replace(':token', 'a'.repeat(32)))),
      ),
      ask('GET', '/readyz'),
    ]);
    expect(asked.map(({ status }) => status)).toEqual(asked.map(() => 503));
    expect(Math.max(...asked.map(({ ms }) => ms))).toBeLessThan(MOST_MS);
    expect(JSON.parse(asked[0]?.text ?? '')).toMatchObject({ error: { code: 'service_unavailable' } });
    expect((await ask('GET', '/healthz')).status).toBe(200);
    freeze(false);
    await expect.poll(async () => (await ask('POST', '/v1/properties', '{"name":"Ice"}')).status).toBe(201);
  }, 60_000);
});
