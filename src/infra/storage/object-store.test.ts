/**
 * Tests the client with a server that verifies every signature independently
 * (testing/providers/s3-server.ts), and with a real server at TEST_STORAGE_URL.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  computeExpectedS3Signature,
  S3_ACCESS_KEY,
  type S3Server,
  type S3ServerFault,
  startS3Server,
} from '@/testing/providers/s3-server';
import { openS3ObjectStore, StorageError, type StorageErrorKind } from './object-store';

let server: S3Server;
const TIMES = { connect_ms: 300, silence_ms: 400, whole_ms: 600 };

beforeAll(async () => {
  server = await startS3Server();
});
beforeEach(() => {
  server.trouble = () => null;
});
afterAll(() => server.close());

const failure = async (work: Promise<unknown>): Promise<StorageError> => {
  const thrown = await work.then(
    () => null,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(StorageError);
  return thrown as StorageError;
};

it('the test server computes Amazon’s own example signatures', () => {
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  const credential = 'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
  const common = { host: 'examplebucket.s3.amazonaws.com', 'x-amz-date': '20130524T000000Z' };
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  const get = {
    ...common,
    range: 'bytes=0-9',
    'x-amz-content-sha256': empty,
    authorization: `${credential},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=x`,
  };
  expect(computeExpectedS3Signature({ method: 'GET', target: '/test.txt', headers: get }, secret)).toBe(
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  );
  const list = {
    ...common,
    'x-amz-content-sha256': empty,
    authorization: `${credential},SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=x`,
  };
  expect(computeExpectedS3Signature({ method: 'GET', target: '/?lifecycle', headers: list }, secret)).toBe(
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  );
});

const servers = [
  ['the server of these tests', () => server.url],
  ...(process.env.TEST_STORAGE_URL
    ? [['TEST_STORAGE_URL', () => process.env.TEST_STORAGE_URL as string] as const]
    : []),
] as const;

describe.each(servers)('%s', (_name, url) => {
  it.each([0, 1, 1_000_003, 20_000_000])('stores %i bytes, returns them and deletes them', async (size) => {
    const store = openS3ObjectStore(url());
    const key = randomBytes(8).toString('hex');
    const bytes = randomBytes(size);
    await store.put(key, bytes);
    expect((await store.get(key)).equals(bytes)).toBe(true);
    await store.remove(key);
    await store.remove(key);
    expect((await failure(store.get(key))).kind).toBe('missing');
  });

  it('rejects a wrong secret, key or bucket, with the cause but without the secret in the message', async () => {
    const with_ = (change: (address: URL) => void) => {
      const address = new URL(url());
      change(address);
      return openS3ObjectStore(address.href);
    };
    const secret = await failure(with_((address) => (address.password = 'wrong-secret')).put('a', Buffer.from('x')));
    expect(secret.kind).toBe('refused');
    expect(secret.message).toMatch(/answered 403 SignatureDoesNotMatch\.$/);
    expect(secret.message).not.toContain('wrong-secret');
    expect((await failure(with_((address) => (address.username = 'nobody')).get('a'))).kind).toBe('refused');
    const elsewhere = with_((address) => (address.pathname = '/no-such-bucket'));
    expect((await failure(elsewhere.get('a'))).message).toContain('NoSuchBucket');
    expect((await failure(elsewhere.get('a'))).kind).toBe('refused');
    expect((await failure(elsewhere.remove('a'))).kind).toBe('refused');
  });
});

it('stores every object under the folder in its URL', async () => {
  await openS3ObjectStore(server.url).put('one', Buffer.from('x'));
  expect(server.requests.at(-1)).toBe('PUT /files/of/ours/one');
  expect([...server.objects.keys()]).toContain('of/ours/one');
});

it.each<[string, S3ServerFault, StorageErrorKind]>([
  ['never responds', 'hang', 'away'],
  ['cuts the connection', 'drop', 'away'],
  ['sends a byte at a time', 'drip', 'away'],
  ['fails', 500, 'away'],
  ['is busy', 503, 'away'],
  ['limits the rate', 429, 'away'],
  ['denies access', 403, 'refused'],
])('a call to a server that %s ends in time', async (_what, trouble, kind) => {
  const store = openS3ObjectStore(server.url, TIMES);
  await store.put('slow', Buffer.from('x'));
  server.trouble = () => trouble;
  for (const call of [() => store.get('slow'), () => store.put('slow', Buffer.from('y')), () => store.remove('slow')]) {
    // A write must time out even if its response arrives one byte at a time.
    const began = performance.now();
    const error = await failure(call());
    expect(error.kind).toBe(kind);
    expect(performance.now() - began).toBeLessThan(TIMES.whole_ms + 1_000);
  }
});

it('a server that is unreachable or no object store counts as unavailable, and no file as lost', async () => {
  const nobody = await failure(openS3ObjectStore(`http://${S3_ACCESS_KEY}:x@127.0.0.1:1/b`, TIMES).get('a'));
  expect(nobody).toMatchObject({
    kind: 'away',
    message: 'The storage at 127.0.0.1:1 cannot be reached: ECONNREFUSED.',
  });
  // An ordinary web server, which has no storage at this path.
  const other = createServer((_request, response) => void response.writeHead(404).end('<h1>Not found</h1>'));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const url = `http://${S3_ACCESS_KEY}:x@127.0.0.1:${(other.address() as AddressInfo).port}/b`;
  expect((await failure(openS3ObjectStore(url, TIMES).get('a'))).kind).toBe('away');
  other.close();
  other.closeAllConnections();
});

it('a response larger than any file is not held in memory', async () => {
  server.objects.set('of/ours/huge', Buffer.alloc(65 * 1024 * 1024));
  expect((await failure(openS3ObjectStore(server.url).get('huge'))).message).toMatch(/more than/);
  server.objects.delete('of/ours/huge');
});
