import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import forge from 'node-forge';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutboundClient, type OutboundHttpClient, type SafeFetchOptions, safeFetch } from './client';
import { OutboundError } from './errors';

const cleanups: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

const serve = async (handler: RequestListener) => `http://127.0.0.1:${await listen(createServer(handler))}`;

function client(options: Parameters<typeof createOutboundClient>[0] = {}): OutboundHttpClient {
  const made = createOutboundClient(options);
  cleanups.push(() => made.close());
  return made;
}

const basics: SafeFetchOptions = { timeout_ms: 5_000, max_body_bytes: 1024, allow_loopback: true };

async function failure(promise: Promise<unknown>): Promise<OutboundError> {
  const error = await promise.then(
    () => new Error('it did not fail'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error;
}

describe('an ordinary request', () => {
  it('sends method, headers and the exact body, and returns the response', async () => {
    const seen: { method?: string; headers?: Record<string, unknown>; body?: string } = {};
    const url = await serve((req, res) => {
      const chunks: Buffer[] = [];
      req.on('data', (chunk) => chunks.push(chunk));
      req.on('end', () => {
        Object.assign(seen, { method: req.method, headers: req.headers, body: Buffer.concat(chunks).toString() });
        res.writeHead(201, { 'x-answer': 'yes' }).end('accepted');
      });
    });
    const answer = await client().fetch(`${url}/hook`, {
      ...basics,
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"a":"ü"}',
    });
    expect(seen.method).toBe('POST');
    expect(seen.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '10' });
    expect(seen.body).toBe('{"a":"ü"}');
    expect(answer).toMatchObject({ status: 201, truncated: false, final_url: `${url}/hook` });
    expect(answer.headers['x-answer']).toBe('yes');
    expect(answer.body.toString()).toBe('accepted');
    expect(answer.duration_ms).toBeGreaterThanOrEqual(0);
  });

  it('returns a 500 as a response, not as an error', async () => {
    const url = await serve((_req, res) => res.writeHead(500).end('broken'));
    expect(await client().fetch(url, basics)).toMatchObject({ status: 500 });
  });

  it('reuses connections to an origin', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((req, res) => {
      ports.add(req.socket.remotePort);
      res.end('ok');
    });
    const one = client();
    for (let index = 0; index < 20; index += 1) await one.fetch(url, basics);
    // A second connection may be opened while the first response is still being read.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('reuses the connection of a receiver whose response exceeds the logged size', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((req, res) => {
      ports.add(req.socket.remotePort);
      res.end('x'.repeat(5_000));
    });
    const one = client();
    for (let index = 0; index < 3; index += 1) {
      const answer = await one.fetch(url, basics);
      expect(answer).toMatchObject({ truncated: true });
      expect(answer.body.length).toBe(1024);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(ports.size).toBe(1);
  });
});

describe('the guard at the connection', () => {
  it('blocks loopback literals and http unless loopback is allowed', async () => {
    const url = await serve((_req, res) => res.end('secret'));
    const strict = { ...basics, allow_loopback: false };
    expect(await failure(client().fetch(url, strict))).toMatchObject({ kind: 'protocol' });
    expect(await failure(client().fetch(url.replace('http:', 'https:'), strict))).toMatchObject({
      kind: 'blocked_address',
    });
    expect(await failure(safeFetch('https://[::7f00:1]:8443/', strict))).toMatchObject({ kind: 'blocked_address' });
  });

  it.each([
    ['127.0.0.1'],
    ['10.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['fd00:ec2::254'],
    ['127.1'],
  ])('blocks a public name that resolves to %s', async (address) => {
    const guarded = client({ resolve: async () => [address] });
    const error = await failure(guarded.fetch('https://hooks.partner.example/', { ...basics, allow_loopback: false }));
    expect(error.kind).toBe('blocked_address');
  });

  it('blocks a name when one address of many is private', async () => {
    const guarded = client({ resolve: async () => ['93.184.216.34', '2606:4700::1111', '10.1.2.3'] });
    const error = await failure(guarded.fetch('https://hooks.partner.example/', { ...basics, allow_loopback: false }));
    expect(error.kind).toBe('blocked_address');
  });

  it('connects to the address it checked, so a name that rebinds between two lookups reaches nothing', async () => {
    let reached = 0;
    const port = await listen(createServer((_req, res) => res.end(String(++reached))));
    // The first lookup returns loopback, which stands for a public address. Every later lookup
    // returns a private address.
    let asked = 0;
    const guarded = client({ resolve: async () => (++asked === 1 ? ['127.0.0.1'] : ['10.0.0.1']) });
    const url = `http://rebind.example.com:${port}/`;
    expect((await guarded.fetch(url, { ...basics, headers: { connection: 'close' } })).body.toString()).toBe('1');
    expect(asked).toBe(1);
    expect(await failure(guarded.fetch(url, basics))).toMatchObject({ kind: 'blocked_address' });
    expect(asked).toBe(2);
    expect(reached).toBe(1);
  });

  it('never reuses a connection made with loopback allowed for a request without it', async () => {
    const port = await listen(createServer((_req, res) => res.end('ok')));
    const guarded = client({ resolve: async () => ['127.0.0.1'] });
    const secure = `https://both.example.com:${port}/`;
    await guarded.fetch(`http://both.example.com:${port}/`, basics);
    expect(await failure(guarded.fetch(secure, { ...basics, allow_loopback: false }))).toMatchObject({
      kind: 'blocked_address',
    });
  });
});

describe('redirects', () => {
  it('fail with the status in the message when not allowed', async () => {
    let followed = false;
    const url = await serve((req, res) => {
      if (req.url === '/next') followed = true;
      res.writeHead(302, { location: '/next' }).end();
    });
    expect(await failure(client().fetch(url, basics))).toMatchObject({ kind: 'redirect', status: 302 });
    expect(followed).toBe(false);
  });

  it('are followed up to the limit, relative ones too', async () => {
    const url = await serve((req, res) => {
      const step = Number(req.url?.slice(1) || 0);
      if (step < 3) res.writeHead(307, { location: `/${step + 1}` }).end();
      else res.end('there');
    });
    const answer = await client().fetch(`${url}/0`, { ...basics, max_redirects: 3 });
    expect(answer.body.toString()).toBe('there');
    expect(answer.final_url).toBe(`${url}/3`);
    expect(await failure(client().fetch(`${url}/0`, { ...basics, max_redirects: 2 }))).toMatchObject({
      kind: 'redirect',
    });
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data/', 'blocked_address'],
    ['http://10.0.0.1/', 'blocked_address'],
    ['http://[::7f00:1]/', 'blocked_address'],
    ['http://user:pass@127.0.0.1:4000/', 'blocked_address'],
    ['http://127.0.0.1:22/', 'blocked_address'],
    ['file:///etc/passwd', 'redirect'],
    ['gopher://127.0.0.1:6379/_FLUSHALL', 'redirect'],
    ['http://[', 'redirect'],
  ])('to %s are rejected', async (location, kind) => {
    const url = await serve((_req, res) => res.writeHead(302, { location }).end());
    expect(await failure(client().fetch(url, { ...basics, max_redirects: 3 }))).toMatchObject({ kind });
  });

  it('to a name that resolves to a private address are rejected', async () => {
    const url = await serve((_req, res) => res.writeHead(302, { location: 'http://inside.example.com/' }).end());
    const guarded = client({ resolve: async () => ['192.168.1.1'] });
    expect(await failure(guarded.fetch(url, { ...basics, max_redirects: 3 }))).toMatchObject({
      kind: 'blocked_address',
    });
  });

  it.each([
    ['an internal name', 'https://inside.example.com:PORT/', '192.168.1.1'],
    [
      'a name that resolves to a private address only the second time',
      'https://good.example.com:PORT/next',
      '10.0.0.1',
    ],
    ['a cloud metadata address', 'https://169.254.169.254/latest/meta-data/', '192.168.1.1'],
    ['internal plain HTTP', 'http://inside.example.com:PORT/', '192.168.1.1'],
  ])('over TLS to %s are rejected before anything is sent there', async (_what, location, inside) => {
    const { key, cert } = selfSigned();
    const asked: string[] = [];
    const handler: RequestListener = (req, res) => {
      asked.push(`${req.headers.host}${req.url}`);
      res.writeHead(302, { location: location.replace('PORT', String(port)), connection: 'close' }).end();
    };
    const port = await listen(createHttpsServer({ key, cert }, handler));
    // The first host's address counts as public. The address of the redirect target does not.
    let resolved = 0;
    const resolve = async (name: string) => {
      resolved += 1;
      return name === 'good.example.com' && resolved === 1 ? ['127.0.0.1'] : [inside];
    };
    const first = client({ resolve, ca: cert });
    const fetched = first.fetch(`https://good.example.com:${port}/`, { ...basics, max_redirects: 3 });
    expect(await failure(fetched)).toMatchObject({ kind: 'blocked_address' });
    expect(asked).toEqual([`good.example.com:${port}/`]);
  });

  it('do not carry credentials to another origin', async () => {
    const seen: unknown[] = [];
    const other = await serve((req, res) => {
      seen.push(req.headers.authorization, req.headers.cookie, req.headers['x-plain']);
      res.end('ok');
    });
    const url = await serve((_req, res) => res.writeHead(302, { location: other }).end());
    const headers = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Plain': '1' };
    await client().fetch(url, { ...basics, max_redirects: 1, headers });
    expect(seen).toEqual([undefined, undefined, '1']);
  });

  it('without a Location, and 304, are ordinary responses', async () => {
    const url = await serve((req, res) => res.writeHead(req.url === '/304' ? 304 : 302).end());
    expect((await client().fetch(`${url}/304`, basics)).status).toBe(304);
    expect((await client().fetch(url, basics)).status).toBe(302);
  });
});

describe('hostile responses', () => {
  const whole = { ...basics, body_policy: 'whole' as const };

  it('a body of a byte at a time ends at the deadline, and the error has the received status', async () => {
    const url = await serve((_req, res) => {
      res.writeHead(200);
      const timer = setInterval(() => res.write('x'), 100);
      res.on('close', () => clearInterval(timer));
    });
    const started = performance.now();
    const error = await failure(client().fetch(url, { ...basics, timeout_ms: 500 }));
    expect(error).toMatchObject({ kind: 'timeout', status: 200 });
    expect(error.duration_ms).toBeGreaterThanOrEqual(490);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('endless headers and a server that never responds end at the deadline', async () => {
    const trickle = await listen(
      createTcpServer((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('x: y\r\n'), 50);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    const silent = await listen(createTcpServer(() => {}));
    for (const port of [trickle, silent]) {
      const error = await failure(client().fetch(`http://127.0.0.1:${port}/`, { ...basics, timeout_ms: 400 }));
      expect(error).toMatchObject({ kind: 'timeout', status: null });
    }
  });

  it('a resolver that never responds ends at the deadline', async () => {
    const stuck = client({ resolve: () => new Promise(() => {}) });
    const error = await failure(stuck.fetch('https://slow.example.com/', { ...basics, timeout_ms: 300 }));
    expect(error.kind).toBe('timeout');
    expect(error.duration_ms).toBeLessThan(2_000);
  });

  it('a body of a gigabyte is read only up to the limit', async () => {
    let sent = 0;
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'content-length': String(1024 * megabyte.length) });
      const push = () => {
        while (sent < 1024 * megabyte.length && !res.destroyed) {
          sent += megabyte.length;
          if (!res.write(megabyte)) return void res.once('drain', push);
        }
      };
      push();
    });
    const answer = await client().fetch(url, basics);
    expect(answer).toMatchObject({ status: 200, truncated: true });
    expect(answer.body.length).toBe(1024);
    expect(await failure(client().fetch(url, whole))).toMatchObject({ kind: 'body_too_large', status: 200 });
    await new Promise((resolve) => setTimeout(resolve, 100));
    // The server could send only what the kernel buffered before the connection was cut, far less
    // than a gigabyte.
    expect(sent).toBeLessThan(64 * megabyte.length);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
  ] as const)('%s is decompressed, and the limit applies to the decompressed size', async (encoding, pack) => {
    const url = await serve((req, res) => {
      res.writeHead(200, { 'content-encoding': encoding });
      res.end(pack(req.url === '/bomb' ? Buffer.alloc(4 * 1024 * 1024) : Buffer.from('BEGIN:VCALENDAR')));
    });
    expect((await client().fetch(`${url}/`, whole)).body.toString()).toBe('BEGIN:VCALENDAR');
    expect(await failure(client().fetch(`${url}/bomb`, whole))).toMatchObject({ kind: 'body_too_large' });
    const cut = await client().fetch(`${url}/bomb`, basics);
    expect(cut).toMatchObject({ status: 200, truncated: true });
    expect(cut.body.length).toBe(1024);
  });

  it('a broken or unknown encoding fails a feed, but not an accepted delivery', async () => {
    const url = await serve((req, res) => {
      res.writeHead(200, { 'content-encoding': req.url === '/zstd' ? 'zstd' : 'gzip' });
      res.end(req.url === '/cut' ? gzipSync('BEGIN:VCALENDAR and more').subarray(0, 15) : 'not packed at all');
    });
    for (const path of ['/zstd', '/garbage', '/cut']) {
      expect(await failure(client().fetch(url + path, whole))).toMatchObject({ kind: 'protocol', status: 200 });
      expect(await client().fetch(url + path, basics)).toMatchObject({ status: 200 });
    }
  });

  it('an endless stream of empty gzip members ends at the limit', async () => {
    const empty = gzipSync('');
    const url = await serve((_req, res) => {
      res.writeHead(200, { 'content-encoding': 'gzip' });
      const flood = Buffer.concat(Array.from({ length: 500 }, () => empty));
      const timer = setInterval(() => res.write(flood), 1);
      res.on('close', () => clearInterval(timer));
    });
    expect(await failure(client().fetch(url, whole))).toMatchObject({ kind: 'body_too_large' });
  });

  it('a truncated body fails', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort'));
      }),
    );
    const error = await failure(client().fetch(`http://127.0.0.1:${port}/`, whole));
    expect(error).toMatchObject({ kind: 'reset', status: 200 });
  });

  it('headers over 16 KiB and malformed responses fail as protocol errors', async () => {
    const big = await serve((_req, res) => res.writeHead(200, { 'x-big': 'x'.repeat(40_000) }).end());
    const port = await listen(
      createTcpServer((socket) => void socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n'))),
    );
    expect(await failure(client().fetch(big, basics))).toMatchObject({ kind: 'protocol' });
    expect(await failure(client().fetch(`http://127.0.0.1:${port}/`, basics))).toMatchObject({ kind: 'protocol' });
  });
});

describe('failures to connect', () => {
  it('a closed port is reported as refused', async () => {
    const server = createTcpServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const port = (server.address() as AddressInfo).port;
    await new Promise((resolve) => server.close(resolve));
    expect(await failure(client().fetch(`http://127.0.0.1:${port}/`, basics))).toMatchObject({
      kind: 'refused',
      status: null,
    });
    // Two refused addresses of one name cause an AggregateError.
    const two = client({ resolve: async () => ['127.0.0.1', '127.0.0.2'] });
    expect(await failure(two.fetch(`http://two.example.com:${port}/`, basics))).toMatchObject({ kind: 'refused' });
  });

  it('a name without addresses is reported as a DNS error', async () => {
    const none = client({ resolve: async () => [] });
    expect(await failure(none.fetch('https://gone.example.com/', basics))).toMatchObject({ kind: 'dns' });
    const failing = client({
      resolve: async () => Promise.reject(Object.assign(new Error('x'), { code: 'ESERVFAIL' })),
    });
    expect(await failure(failing.fetch('https://gone.example.com/', basics))).toMatchObject({ kind: 'dns' });
  });

  it('a connection closed before the response is reported as reset', async () => {
    const port = await listen(createTcpServer((socket) => void socket.once('data', () => socket.destroy())));
    expect(await failure(client().fetch(`http://127.0.0.1:${port}/`, basics))).toMatchObject({ kind: 'reset' });
  });

  it('an untrusted certificate, one for another name, and a server without TLS are reported as TLS errors', async () => {
    const { key, cert } = selfSigned();
    const port = await listen(createHttpsServer({ key, cert }, (_req, res) => res.end('secure')));
    const resolve = async () => ['127.0.0.1'];
    const untrusted = await failure(client({ resolve }).fetch(`https://good.example.com:${port}/`, basics));
    expect(untrusted).toMatchObject({ kind: 'tls' });
    expect(untrusted.message).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    const trusting = client({ resolve, ca: cert });
    expect((await trusting.fetch(`https://good.example.com:${port}/`, basics)).body.toString()).toBe('secure');
    expect(await failure(trusting.fetch(`https://other.example.com:${port}/`, basics))).toMatchObject({ kind: 'tls' });
    const plain = await serve((_req, res) => res.end());
    expect(await failure(trusting.fetch(plain.replace('http', 'https'), basics))).toMatchObject({ kind: 'tls' });
  });
});

function selfSigned(): { key: string; cert: string } {
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const privateKey = forge.pki.privateKeyFromPem(key);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.rsa.setPublicKey(privateKey.n, privateKey.e);
  certificate.serialNumber = '01';
  certificate.validity.notBefore = new Date(Date.now() - 86_400_000);
  certificate.validity.notAfter = new Date(Date.now() + 86_400_000);
  const name = [{ name: 'commonName', value: 'good.example.com' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: 'good.example.com' }] }]);
  certificate.sign(privateKey, forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate) };
}
