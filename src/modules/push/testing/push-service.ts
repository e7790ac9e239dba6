/**
 * A fake push service with subscribed browsers, on the loopback interface. Verifies the sender's
 * key (RFC 8292) and decrypts notifications with the browser's keys (RFC 8291). Uses none of the
 * product's code.
 */
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface ReceivedPushNotification {
  /** The browser that received the notification. */
  browser: string;
  headers: IncomingHttpHeaders;
  /** The encrypted body, as the push service receives it. */
  body: Buffer;
  /** The decrypted text, as the browser receives it. */
  text: string;
}

export interface TestPushService {
  readonly url: string;
  readonly received: readonly ReceivedPushNotification[];
  /** Returns the HTTP status of the response for a browser. Returns 201 by default. */
  answer: (browser: string) => number;
  /** Subscribes a browser with the installation's public key. Returns the subscription. */
  subscribe(name: string, public_key: string): { endpoint: string; p256dh: string; auth: string };
  close(): Promise<void>;
}

interface Subscriber {
  keys: ECDH;
  auth: Buffer;
  public_key: string;
}

export async function startTestPushService(): Promise<TestPushService> {
  const subscribers = new Map<string, Subscriber>();
  const received: ReceivedPushNotification[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const browser = (request.url ?? '').slice(1);
    const subscriber = subscribers.get(browser);
    if (!subscriber) return void response.writeHead(404).end();
    if (!isFrom(subscriber.public_key, service.url, request.headers.authorization ?? ''))
      return void response.writeHead(403).end();
    const status = service.answer(browser);
    if (status === 201) received.push({ browser, headers: request.headers, body, text: decrypt(body, subscriber) });
    response.writeHead(status, status === 503 ? { 'Retry-After': '60' } : {}).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const service: TestPushService = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer: () => 201,
    subscribe(name, public_key) {
      const keys = createECDH('prime256v1');
      const auth = randomBytes(16);
      const p256dh = keys.generateKeys('base64url');
      subscribers.set(name, { keys, auth, public_key });
      return { endpoint: `${service.url}/${name}`, p256dh, auth: auth.toString('base64url') };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return service;
}

/**
 * Verifies the header `vapid t=<JWT by ES256>, k=<public key>`. The JWT must be for this service
 * and expire within a day.
 */
function isFrom(public_key: string, origin: string, authorization: string): boolean {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(public_key, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const signer = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}');
  const signed = verify(
    'sha256',
    Buffer.from(`${header}.${claims}`),
    { key: signer, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = read(claims);
  const left_s = exp - Date.now() / 1_000;
  return (
    key === public_key &&
    signed &&
    read(header).alg === 'ES256' &&
    aud === origin &&
    left_s > 0 &&
    left_s <= 86_400 &&
    /^(mailto:|https:)/.test(sub)
  );
}

/** Decrypts one record of aes128gcm (RFC 8188) with keys derived as in RFC 8291. */
function decrypt(body: Buffer, { keys, auth }: Subscriber): string {
  const salt = body.subarray(0, 16);
  const id_length = body.readUInt8(20);
  const sender = body.subarray(21, 21 + id_length);
  const record = body.subarray(21 + id_length);
  const derive = (secret: Uint8Array, by: Uint8Array, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, by, info, length));
  const about = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]);
  const secret = derive(keys.computeSecret(sender), auth, about, 32);
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  // The plain text is followed by a delimiter byte (2) and padding.
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}
