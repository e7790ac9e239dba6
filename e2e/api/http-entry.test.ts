/**
 * Tests the HTTP entry of the real server with its pages: bodies from unknown senders, connections
 * that send slowly, requests that are not HTTP, and the headers of every kind of response. Needs
 * the build that `npm test` creates.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GUEST_PAGES } from '@/guest/http/serve';
import { hasNextJsBuild, startTestServer, type TestServer } from '@/testing/server';
import { type RawResponse, RawTcpConnection, sendEndlessBody } from '../support/raw-http';

const MIB = 1024 * 1024;
const INBOUND_SECRET = 'the-inbound-secret';

/** Every route file of Next with its methods. Parameters have example values. */
const NEXT_ROUTES = readdirSync('src/app', { recursive: true, encoding: 'utf8' }).flatMap((file) => {
  if (!/[\\/]route\.ts$/.test(file)) return [];
  const path = `/${file.replaceAll('\\', '/')}`
    .replace(/\/route\.ts$|\/\([^)]+\)/g, '')
    .replace('[...all]', 'sign-in/email')
    .replace('[trpc]', 'reservations.import')
    .replace(/\[[^\]]+\]/g, 'a-token');
  const methods = [
    ...readFileSync(`src/app/${file}`, 'utf8').matchAll(
      /export (?:async )?(?:const|function) (GET|POST|PUT|PATCH|DELETE)/g,
    ),
  ].map(([, method]) => method ?? '');
  return methods.map((method) => `${method} ${path}`);
});

/** Pages, and routes that the process serves without Next. */
const OTHER_ROUTES = [
  ...[...GUEST_PAGES].flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace(':token', 'a-token')}`),
  ),
  ...['GET /healthz', 'GET /metrics', 'GET /guest-assets/a.css', 'POST /api/inngest', 'PUT /api/inngest'],
  ...['GET /api/tls-allowed', 'POST /v1/properties', 'PUT /v1/properties', 'POST /v1/nothing', 'GET /v1/properties'],
  ...[
    'GET /',
    'POST /sign-in',
    'POST /nothing',
    'POST //api/auth/sign-in/email',
    'POST /sign/../api/auth/sign-in/email',
  ],
];

describe.skipIf(!hasNextJsBuild())('the HTTP entry of the server (skipped without a build)', () => {
  let server: TestServer;
  /**
   * Slow requests. They start before the other tests because they take long, and are checked at the
   * end.
   */
  let drips: Promise<{ path: string; answer: RawResponse; closed: boolean; took_ms: number }>[];
  let steady: Promise<RawResponse>;
  let slow_headers: Promise<RawResponse>;
  let silent: Promise<boolean>;

  beforeAll(async () => {
    server = await startTestServer({
      with_pages: true,
      built: true,
      env: { METRICS_TOKEN: 'metrics-of-a-test', INBOUND_SECRET, APP_URL: 'https://localhost' },
    });
    drips = ['/api/auth/sign-in/email', '/api/trpc/me', '/sign/a-token', '/v1/properties', '/api/webhooks/resend'].map(
      async (path) => {
        const connection = new RawTcpConnection(server.url);
        connection.socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n`);
        const began = performance.now();
        while (!connection.answered && performance.now() - began < 30_000) {
          if (connection.socket.writable) connection.socket.write('{');
          await sleep(200);
        }
        const answer = await connection.answer();
        return { path, answer, took_ms: performance.now() - began, closed: await connection.closes(4_000) };
      },
    );
    steady = (async () => {
      const connection = new RawTcpConnection(server.url);
      const pieces = 30;
      const piece = Buffer.alloc(10_000, 'a=b&');
      connection.socket.write(
        `POST /sign/a-token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n` +
          `Content-Length: ${pieces * piece.length}\r\n\r\n`,
      );
      for (let index = 0; index < pieces; index += 1) {
        connection.socket.write(piece);
        await sleep(500);
      }
      const answer = await connection.answer();
      connection.socket.destroy();
      return answer;
    })();
    slow_headers = (async () => {
      const connection = new RawTcpConnection(server.url);
      connection.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nA: ');
      for (let second = 0; second < 25 && !connection.answered; second += 1) {
        if (connection.socket.writable) connection.socket.write('a');
        await sleep(1_000);
      }
      return connection.answer(1_000);
    })();
    silent = new RawTcpConnection(server.url).closes(25_000);
    for (const slow of [...drips, steady, slow_headers]) slow.catch(() => {});
  });
  afterAll(() => server?.stop());

  async function resident(): Promise<number> {
    const answer = await fetch(`${server.url}/metrics`, { headers: { Authorization: 'Bearer metrics-of-a-test' } });
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(await answer.text())?.[1]);
  }

  /**
   * Waits until the server has loaded the code that it loads in the background after its start
   * (src/warm-up.ts). Returns the resident memory.
   */
  async function settled(): Promise<number> {
    for (let last = 0; ; ) {
      const now = await resident();
      if (Math.abs(now - last) < MIB) return now;
      last = now;
      await sleep(1_500);
    }
  }

  it('does not buffer four sign-in bodies of 150 MB in memory', async () => {
    const auth = { most_bytes: 150 * MIB, headers: { 'Content-Type': 'application/json' } };
    // The first request of its kind loads code, which takes memory. It is sent before memory is
    // measured.
    await sendEndlessBody(server.url, 'POST', '/api/auth/sign-in/email', { ...auth, most_bytes: 100 * 1024 });
    const before = await settled();
    let most = before;
    const watching = setInterval(() => void resident().then((now) => (most = Math.max(most, now))), 100);
    const floods = await Promise.all(
      Array.from({ length: 4 }, () => sendEndlessBody(server.url, 'POST', '/api/auth/sign-in/email', auth)),
    );
    clearInterval(watching);
    most = Math.max(most, await resident());
    for (const { status, closed } of floods) expect({ status, closed }).toEqual({ status: 413, closed: true });
    expect((most - before) / MIB).toBeLessThan(50);
  });

  it.each(['/', '/reservations', '/docs', '/nothing', '/sign', '/sign/a-token/nothing', '/verify/a-token'])(
    'rejects server function calls on the page %s, because there are none',
    async (path) => {
      const answer = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'next-action': 'x' },
        body: '[]',
      });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    },
  );
  it('finds routes to test', () => {
    expect(NEXT_ROUTES).toEqual(expect.arrayContaining(['POST /api/auth/sign-in/email', 'POST /api/inbound/email']));
  });

  it.concurrent.each([...NEXT_ROUTES, ...OTHER_ROUTES])(
    '%s rejects an endless body and closes the connection',
    async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const headers: Record<string, string> = {
        'Content-Type': 'application/json',
        ...(path === '/api/inbound/email' ? { Authorization: `Bearer ${INBOUND_SECRET}` } : {}),
      };
      const answer = await sendEndlessBody(server.url, method, path, { most_bytes: 40 * MIB, headers });
      const expected = { 'PUT /v1/properties': 405, 'POST /v1/nothing': 404 }[route] ?? 413;
      expect(answer.status).toBe(expected);
      expect(answer.closed).toBe(true);
      // The client can send more than the server reads, because the operating system buffers part
      // of it.
      expect(answer.sent_bytes).toBeLessThan(24 * MIB);
      if (/^\/(sign|c|verify)\//.test(path)) {
        expect(answer.body).toContain('This form could not be read');
      } else {
        const { error } = JSON.parse(answer.body);
        expect(error).toMatchObject({
          type: expect.any(String),
          code: expect.any(String),
          message: expect.any(String),
        });
        expect(error.request_id).toMatch(/^req_/);
        expect(answer.headers['x-request-id']).toBe(error.request_id);
      }
    },
  );

  it('returns 404 for an address with NUL, which PostgreSQL cannot query', async () => {
    const paths = [...NEXT_ROUTES.flatMap((route) => /^GET (.*)/.exec(route)?.[1] ?? []), '/', '/reservations'];
    expect(paths).toContain('/portal/a-token');
    for (const address of paths.flatMap((path) => [`${path}?after=%00`, `${path.replace(/\/[^/]*$/, '')}/a%00`])) {
      const { status } = await fetch(`${server.url}${address}`, { redirect: 'manual' });
      expect([address, status]).toEqual([address, 404]);
    }
    expect((await fetch(`${server.url}/api/tls-allowed?domain=%00`)).status).toBe(404);
  });

  it('returns 4xx on every route when a path parameter is not valid UTF-8', async () => {
    const routes = [...NEXT_ROUTES, ...OTHER_ROUTES].map((route) => route.split(' ')[1] ?? '');
    const paths = new Set(routes.flatMap((path) => [`${path}/%ff`, `${path.replace(/\/[^/]*$/, '')}/%ff`, `${path}%`]));
    for (const path of [...paths, '/%ff', '/invite/%ff', '/settings/%ff', '/_next/static/%ff', '/v1/properties/%ff']) {
      const { status } = await fetch(`${server.url}${path}`, { redirect: 'manual' });
      expect([path, Math.floor(status / 100)]).toEqual([path, 4]);
    }
  });

  it.each<[string, number]>([
    ['GET *', 400],
    ['GET somewhere', 400],
    ['GET http://elsewhere.example/sign-in', 404],
    ['GET http://elsewhere.example//sign-in/', 404],
    ['POST http://elsewhere.example/api/auth/sign-in/email', 404],
    ['GET http://localhost/sign-in', 200],
    ['GET http://user:password@localhost/', 400],
  ])('serves no other host for the request line %s', async (line, status) => {
    const connection = new RawTcpConnection(server.url);
    connection.socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const answer = await connection.answer();
    expect(answer.status).toBe(status);
    expect(answer.headers.location ?? '').not.toContain('elsewhere');
  });

  it.each([
    ['/v1/properties', 'h2c', 401],
    ['/sign-in', 'websocket', 200],
    ['/_next/webpack-hmr', 'websocket', 404],
    ['/sign/a-token', 'h2c, something/1.0', 404],
  ])('%s: ignores an upgrade to %s', async (path, protocol, status) => {
    // Next adds its own listeners at the first page request, so this request must precede the
    // upgrade.
    await fetch(`${server.url}/sign-in`);
    const connection = new RawTcpConnection(server.url);
    connection.socket.write(
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close, Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\n` +
        'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n',
    );
    expect((await connection.answer(5_000)).status).toBe(status);
    connection.socket.destroy();
  });

  it('rejects a body whose Content-Length is too large before it arrives', async () => {
    const connection = new RawTcpConnection(server.url);
    connection.socket.write(
      'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Length: 157286400\r\n\r\n',
    );
    expect((await connection.answer(3_000)).status).toBe(413);
    expect(await connection.closes(4_000)).toBe(true);
  });

  it('under an unknown host the API returns its error object with a request id, other paths plain text', async () => {
    const get = (path: string) => {
      const connection = new RawTcpConnection(server.url);
      connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n`);
      return connection.answer();
    };
    const api = await get('/v1/properties');
    const { error } = JSON.parse(api.body);
    expect([api.status, error.code]).toEqual([404, 'route_not_found']);
    expect(error.request_id).toMatch(/^req_/);
    expect(api.headers['x-request-id']).toBe(error.request_id);
    const page = await get('/');
    expect([page.status, page.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8']);
  });

  it('does not buffer inbound mail sent without the secret', async () => {
    const answer = await sendEndlessBody(server.url, 'POST', '/api/inbound/email', { most_bytes: 40 * MIB });
    expect(answer).toMatchObject({ status: 401, closed: true, headers: { 'www-authenticate': 'Bearer' } });
    expect(answer.sent_bytes).toBeLessThan(8 * MIB);
  });

  const POLICIES = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
    'strict-transport-security': 'max-age=31536000',
  };

  it.each([
    ...['/healthz', '/metrics', '/readyz', '/nothing', '/v1/properties', '/v1/openapi.json', '/v1/nothing', '/docs'],
    ...[
      '/sign-in',
      '/',
      '/sign/a-token',
      '/c/a-token',
      '/verify/a-token',
      '/verify/a-token/certificate.pdf',
      '/c/a-token/certificate.pdf',
      '/o/x.gif',
    ],
    ...['/guest-assets/nothing', '/icon.svg', '/_next/static/nothing', '/api/auth/get-session', '/api/auth/nothing'],
    ...[
      '/api/trpc/me',
      '/api/audit-log.csv',
      '/api/export.zip',
      '/api/certificate.pdf',
      '/api/tls-allowed',
      '/api/inngest',
      '/%ff',
      '//',
    ],
  ])('GET %s has the headers of every response', async (path) => {
    const connection = new RawTcpConnection(server.url);
    connection.socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const { status, headers } = await connection.answer();
    expect(status).toBeLessThan(500);
    expect(headers).toMatchObject(POLICIES);
  });

  it('the shared page of an endpoint never leaks its address as a referrer', async () => {
    const connection = new RawTcpConnection(server.url);
    connection.socket.write('GET /portal/a-token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect((await connection.answer()).headers['referrer-policy']).toBe('no-referrer');
  });

  it.each<[string, string, number]>([
    ['an unknown host', 'GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n', 404],
    ['a body too large', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n', 413],
    ['a malformed request', 'what is this\r\n\r\n', 400],
    ['a URL of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
    ['a line break in a header', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\rc\r\n\r\n', 400],
    [
      'two Content-Length headers',
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na',
      400,
    ],
  ])('the response to %s has these headers too', async (_what, text, status) => {
    const connection = new RawTcpConnection(server.url);
    connection.socket.write(text);
    const answer = await connection.answer();
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(POLICIES);
  });

  it('answers 408 and closes when a client sends too slowly, and serves a slow but steady one', async () => {
    for (const { path, answer, closed, took_ms } of await Promise.all(drips)) {
      expect({ path, status: answer.status, closed }).toEqual({ path, status: 408, closed: true });
      expect(took_ms).toBeGreaterThan(9_000);
      expect(took_ms).toBeLessThan(14_000);
    }
    expect((await steady).status).toBe(404);
    const { status, body } = await slow_headers;
    expect({ status, code: JSON.parse(body).error.code }).toEqual({ status: 408, code: 'request_timeout' });
    expect(await silent).toBe(true);
  });
});
