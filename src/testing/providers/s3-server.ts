/**
 * Runs a local S3 server with the requests that the product uses: PUT, GET and DELETE of objects in
 * one bucket. It verifies AWS Signature Version 4 with code written from Amazon's description,
 * independently of the client, so that it detects mistakes in the client. object-store.test.ts
 * tests it with Amazon's published examples.
 */
import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const SKEW_MS = 15 * 60_000;

export interface S3Server {
  /** A STORAGE_URL, with a secret that needs percent-encoding. */
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** The requests in order of arrival, as `PUT /bucket/key`. */
  readonly requests: string[];
  /**
   * Makes a request fail, after its effect (`done`) or before it. `drop` cuts the connection,
   * `hang` never answers, and a number is the status. Null answers normally.
   */
  trouble: (request: { method: string; key: string; done: boolean }) => S3ServerFault | Promise<S3ServerFault>;
  close(): Promise<void>;
}
export type S3ServerFault = 'drop' | 'hang' | 'drip' | number | null;

export const S3_ACCESS_KEY = 'AKIDEXAMPLE';
export const S3_SECRET_KEY = 'wJalr/XUtn+FEMI=K7@MDENG%';
const BUCKET = 'files';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

export interface SignedS3Request {
  method: string;
  /** The target as sent, with its query. */
  target: string;
  headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the correct signature of a request (Amazon S3 API reference, "Authenticating Requests:
 * Using the Authorization Header").
 */
export function computeExpectedS3Signature({ method, target, headers }: SignedS3Request, secret: string): string {
  const authorization = headers.authorization ?? '';
  const field = (name: string) => new RegExp(`${name}=([^, ]+)`).exec(authorization)?.[1] ?? '';
  const [, ...scope] = field('Credential').split('/');
  const signed_headers = field('SignedHeaders');
  const [path = '', query = ''] = target.split('?', 2);
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((pair) => (pair.includes('=') ? pair : `${pair}=`))
      .sort()
      .join('&'),
    ...signed_headers.split(';').map((name) => `${name}:${(headers[name] ?? '').trim().replace(/\s+/g, ' ')}`),
    '',
    signed_headers,
    headers['x-amz-content-sha256'],
  ].join('\n');
  const to_sign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), sha256(canonical)].join('\n');
  const key = scope.reduce<string | Buffer>((made, part) => hmac(made, part), `AWS4${secret}`);
  return hmac(key, to_sign).toString('hex');
}

/** Returns the status and code of S3's refusal, or null when the signature is valid. */
function refusal(request: IncomingMessage, body: Buffer): [number, string] | null {
  const headers = request.headers as Record<string, string | undefined>;
  const authorization = headers.authorization ?? '';
  if (!authorization.startsWith('AWS4-HMAC-SHA256 ')) return [403, 'AccessDenied'];
  if (!authorization.includes(`Credential=${S3_ACCESS_KEY}/`)) return [403, 'InvalidAccessKeyId'];
  for (const name of ['host', 'x-amz-date', 'x-amz-content-sha256'])
    if (!/SignedHeaders=([^, ]+)/.exec(authorization)?.[1]?.split(';').includes(name)) return [403, 'AccessDenied'];
  const at = (headers['x-amz-date'] ?? '').replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  if (!(Math.abs(Date.now() - Date.parse(at)) < SKEW_MS)) return [403, 'RequestTimeTooSkewed'];
  if (headers['x-amz-content-sha256'] !== sha256(body)) return [400, 'XAmzContentSHA256Mismatch'];
  const wanted = computeExpectedS3Signature(
    { method: request.method ?? '', target: request.url ?? '', headers },
    S3_SECRET_KEY,
  );
  return authorization.endsWith(`Signature=${wanted}`) ? null : [403, 'SignatureDoesNotMatch'];
}

function answerError(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`);
}

/** Starts a server on a free port. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const method = request.method ?? '';
    requests.push(`${method} ${request.url}`);
    const [, bucket, ...rest] = decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '').split('/');
    const key = rest.join('/');
    const inTrouble = async (done: boolean): Promise<boolean> => {
      const trouble = await started.trouble({ method, key, done });
      if (trouble === null) return false;
      if (trouble === 'drop') request.socket.destroy();
      else if (trouble === 'drip') {
        response.writeHead(200, { 'content-length': 1_000 });
        const timer = setInterval(() => response.write('.'), 30);
        response.on('close', () => clearInterval(timer));
      } else if (trouble !== 'hang') answerError(response, trouble, 'InternalError');
      return true;
    };
    if (await inTrouble(false)) return;
    const refused = refusal(request, body);
    if (refused) return answerError(response, ...refused);
    if (bucket !== BUCKET) return answerError(response, 404, 'NoSuchBucket');
    const found = objects.get(key);
    if (method === 'PUT') objects.set(key, body);
    if (method === 'DELETE') objects.delete(key);
    if (await inTrouble(true)) return;
    if (method === 'GET' && !found) return answerError(response, 404, 'NoSuchKey');
    response.writeHead(method === 'DELETE' ? 204 : 200).end(method === 'GET' ? found : undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const started: S3Server = {
    url: `http://${S3_ACCESS_KEY}:${encodeURIComponent(S3_SECRET_KEY)}@127.0.0.1:${port}/${BUCKET}/of/ours?region=eu-test-1`,
    objects,
    requests,
    trouble: () => null,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
  return started;
}
