/**
 * Tests the HTTP entry with a test handler on a real listener: the handler gets complete requests,
 * and their bodies are buffered first.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, request as send } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { config, setConfig } from '@/config';
import { countBufferedBytes } from '@/infra/http/body-buffering';
import { logger } from '@/infra/logger';
import { getBodyLimit } from './body-limits';
import { withHttpEntryChecks } from './http-entry';
import { handleMalformedRequests } from './malformed-requests';

const KIB = 1024;
const MIB = 1024 * KIB;
let server: Server;
let port: number;
let handled = 0;

beforeAll(async () => {
  server = createServer(
    withHttpEntryChecks(async (request, response) => {
      handled += 1;
      if (request.url === '/throws') throw new Error('thrown');
      if (request.url === '/agent') return void response.end(request.headers['user-agent']);
      if (request.url === '/slow') {
        response.writeHead(200, { 'Content-Length': 4 }).write('ab');
        await sleep(300);
        return void response.end('cd');
      }
      const hash = createHash('sha256');
      let size = 0;
      for await (const part of request) {
        size += part.length;
        hash.update(part);
      }
      response.end(`${size} ${hash.digest('hex')}`);
    }),
  );
  handleMalformedRequests(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function post(path: string, body: Buffer, chunked: boolean) {
  const headers: Record<string, string> = chunked ? {} : { 'Content-Length': String(body.length) };
  const request = send({ port, host: '127.0.0.1', method: 'POST', path, headers });
  if (chunked) for (let at = 0; at < body.length; at += 10_007) request.write(body.subarray(at, at + 10_007));
  else request.write(body);
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

async function raw(words: string, later?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let received = '';
  socket.on('data', (part) => {
    received += part;
  });
  socket.on('error', () => {});
  socket.write(words);
  if (later) setTimeout(() => socket.write(later), 100);
  await Promise.race([once(socket, 'close'), sleep(3_000)]);
  socket.destroy();
  return received;
}

it('truncates the User-Agent header to the 500 characters that are stored', async () => {
  const asked = await fetch(`http://127.0.0.1:${port}/agent`, { headers: { 'user-agent': 'a'.repeat(12_000) } });
  expect(await asked.text()).toBe('a'.repeat(500));
});

describe('a request body', () => {
  it.each([
    [1, false],
    [64 * KIB, false],
    [64 * KIB, true],
  ])('of %i bytes reaches the handler unchanged (chunked: %s)', async (size, chunked) => {
    const body = Buffer.from(Array.from({ length: size }, (_, index) => (index * 7) % 251));
    const answer = await post('/anything', body, chunked);
    expect(answer).toMatchObject({
      status: 200,
      body: `${size} ${createHash('sha256').update(body).digest('hex')}`,
    });
  });

  it.each([true, false])('over 64 KiB is rejected before any handler runs (chunked: %s)', async (chunked) => {
    const before = handled;
    const answer = await post('/anything', Buffer.alloc(64 * KIB + 1), chunked);
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse(answer.body).error).toMatchObject({
      code: 'request_too_large',
      message: 'The request body is larger than 64 KiB.',
    });
    expect(handled).toBe(before);
  });

  it('has the size limit of its path, and the small default limit for an unusual spelling of the path', () => {
    expect(getBodyLimit('/sign/abc?lang=de').bytes).toBe(12 * MIB);
    expect(getBodyLimit('/api/trpc/a.b,c.d?batch=1').bytes).toBe(2 * MIB);
    for (const path of ['/sign/../api/auth/x', '/sign/a/../b', '//sign/a', '/api/trpc/%2e%2e/auth', '/api/inngest/x'])
      expect(getBodyLimit(path).bytes, path).toBe(64 * KIB);
  });

  it('occupies memory only as long as its request lasts', async () => {
    await post('/sign/abc', Buffer.alloc(7 * MIB), true);
    await vi.waitFor(() => expect(countBufferedBytes()).toBe(0));
    const gone = connect(port, '127.0.0.1');
    gone.write('POST /sign/abc HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n');
    gone.write(Buffer.alloc(2 * MIB));
    await vi.waitFor(() => expect(countBufferedBytes()).toBeGreaterThan(MIB));
    gone.destroy();
    await vi.waitFor(() => expect(countBufferedBytes()).toBe(0));
  });

  it('gets 503 while its address has 32 MiB in memory, unless it is small', async () => {
    const sockets = Array.from({ length: 5 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('POST /sign/abc HTTP/1.1\r\nHost: x\r\nContent-Length: 7340032\r\n\r\n');
      socket.write(Buffer.alloc(6.4 * MIB));
      return socket;
    });
    await vi.waitFor(() => expect(countBufferedBytes()).toBeGreaterThan(31 * MIB), 10_000);
    expect(countBufferedBytes()).toBeLessThanOrEqual(33 * MIB);
    const answer = await post('/sign/abc', Buffer.alloc(MIB), true);
    expect(answer).toMatchObject({ status: 503 });
    expect((await post('/anything', Buffer.alloc(60 * KIB), true)).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(countBufferedBytes()).toBe(0));
    expect((await post('/sign/abc', Buffer.alloc(MIB), true)).status).toBe(200);
  });

  it('gets 503, even if small, while its address has 4 MiB in small unfinished bodies', async () => {
    const sockets = Array.from({ length: 80 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write('POST /anything HTTP/1.1\r\nHost: x\r\nContent-Length: 65536\r\n\r\n');
      socket.write(Buffer.alloc(60 * KIB));
      return socket;
    });
    await vi.waitFor(() => expect(countBufferedBytes()).toBeGreaterThan(3.9 * MIB), 10_000);
    expect((await post('/anything', Buffer.alloc(60 * KIB), true)).status).toBe(503);
    expect(countBufferedBytes()).toBeLessThanOrEqual(4 * MIB);
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(() => expect(countBufferedBytes()).toBe(0));
  });
});

it('sends Strict-Transport-Security only when the app’s URL is https', async () => {
  const before = config().app_url;
  for (const [app_url, promised] of [
    ['http://localhost:3000', undefined],
    ['https://threshold.example', 'max-age=31536000'],
  ] as const) {
    setConfig({ app_url });
    expect((await post('/anything', Buffer.from('x'), false)).headers['strict-transport-security']).toBe(promised);
  }
  setConfig({ app_url: before });
});

describe('the server', () => {
  it('returns the error object when a handler throws', async () => {
    const quiet = vi.spyOn(logger(), 'error').mockImplementation(() => {});
    const answer = await post('/throws', Buffer.from('x'), false);
    quiet.mockRestore();
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body).error).toMatchObject({ type: 'api_error', code: 'internal_error' });
  });

  it.each<[string, string, number, string]>([
    ['text that is not HTTP', 'HELLO\r\n\r\n', 400, 'malformed_request'],
    [
      'a chunk without a valid size',
      'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'malformed_request',
    ],
    ['two Host headers', 'GET / HTTP/1.1\r\nHost: x\r\nhost: y\r\n\r\n', 400, 'malformed_request'],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['a URL of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n`, 431, 'headers_too_large'],
  ])(
    'rejects %s with an error code and a request id, and closes the connection',
    async (_name, words, status, code) => {
      const [head = '', body = ''] = (await raw(words)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const { error } = JSON.parse(body);
      expect(error).toMatchObject({ type: 'invalid_request_error', code, param: null });
      expect(head.toLowerCase()).toContain(`x-request-id: ${error.request_id}`);
      expect(error.request_id).toMatch(/^req_/);
      expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    },
  );

  it('writes no second response into one that is being sent', async () => {
    const received = await raw('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n', 'nonsense\r\n\r\n');
    expect(received).toContain('HTTP/1.1 200');
    expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});
