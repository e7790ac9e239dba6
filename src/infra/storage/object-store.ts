/**
 * Stores files in a bucket, or in a folder of a bucket, at any provider with the S3 protocol
 * (docs/decisions/files-in-a-storage.md). All calls have a timeout, so that a silent storage blocks
 * no caller. The caller encrypts the content.
 */
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { Agent, type Dispatcher, request } from 'undici';
import { config } from '@/config';

export interface ObjectStore {
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Returns the object. Throws StorageError `missing` when it does not exist. */
  get(key: string): Promise<Buffer>;
  /** Removes the object. Succeeds when it does not exist. */
  remove(key: string): Promise<void>;
}

export type StorageErrorKind =
  /** The storage is unreachable, too slow, or failing. */
  | 'away'
  /** The storage rejects our key, or the bucket does not exist. */
  | 'refused'
  | 'missing'
  /** The file is in a storage, but none is configured. */
  | 'not_configured';

/**
 * The error of a call to the storage. The message is for the operator. It contains neither key nor
 * secret.
 */
export class StorageError extends Error {
  override name = 'StorageError';
  constructor(
    readonly kind: StorageErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Returns whether an error means that a file cannot be read or written now. Callers should then
 * retry. Checks the name, because Next has its own copy of this class.
 */
export const isStorageError = (error: unknown): error is StorageError =>
  error instanceof Error && error.name === 'StorageError';

/** Maximum size of an object. No stored file is larger. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_REFUSAL_BYTES = 16 * 1024;

export interface StorageTimeouts {
  connect_ms: number;
  /** Time limit for the beginning of a response, and between two pieces of it. */
  silence_ms: number;
  /** Time limit of the whole request. */
  whole_ms: number;
}
const TIMES: StorageTimeouts = { connect_ms: 3_000, silence_ms: 5_000, whole_ms: 30_000 };

/** Opens the storage at an address in the form of STORAGE_URL. */
export function openS3ObjectStore(address: string, times = TIMES): ObjectStore {
  const url = new URL(address);
  const credentials = {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? undefined,
    service: 's3',
  };
  const folder = `${url.origin}${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}`;
  const dispatcher = new Agent({
    connect: { timeout: times.connect_ms },
    headersTimeout: times.silence_ms,
    bodyTimeout: times.silence_ms,
    // This timeout is shorter than the five seconds after which many servers close idle
    // connections.
    keepAliveTimeout: 4_000,
  });

  async function call(method: 'GET' | 'PUT' | 'DELETE', key: string, body?: Uint8Array): Promise<Answer> {
    const digest = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = await new AwsV4Signer({
      ...credentials,
      method,
      url: folder + key,
      headers: { 'x-amz-content-sha256': digest },
    }).sign();
    try {
      const response = await request(signed.url, {
        dispatcher,
        method,
        headers: Object.fromEntries(signed.headers),
        body: body ?? null,
        signal: AbortSignal.timeout(times.whole_ms),
      });
      const whole = response.statusCode === 200 && method === 'GET';
      return { status: response.statusCode, body: await read(response, whole ? MAX_BYTES : MAX_REFUSAL_BYTES) };
    } catch (cause) {
      throw new StorageError('away', `The storage at ${url.host} cannot be reached: ${reasonOf(cause)}`, { cause });
    }
  }

  function refuse({ status, body }: Answer): never {
    const code = errorCode(body);
    if (status === 404 && code === 'NoSuchKey')
      throw new StorageError('missing', `The storage at ${url.host} has no such file.`);
    const what = `The storage at ${url.host} answered ${status}${code && ` ${code}`}.`;
    // A response without an S3 error code was sent by a proxy in between.
    throw new StorageError(code && status < 500 && status !== 429 ? 'refused' : 'away', what);
  }

  return {
    async put(key, bytes) {
      const answer = await call('PUT', key, bytes);
      if (answer.status !== 200) refuse(answer);
    },
    async get(key) {
      const answer = await call('GET', key);
      return answer.status === 200 ? answer.body : refuse(answer);
    },
    async remove(key) {
      const answer = await call('DELETE', key);
      const gone = answer.status === 404 && errorCode(answer.body) === 'NoSuchKey';
      if (!gone && answer.status !== 204 && answer.status !== 200) refuse(answer);
    },
  };
}

interface Answer {
  status: number;
  body: Buffer;
}

async function read({ body }: Dispatcher.ResponseData, at_most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > at_most) throw new Error(`it sent more than ${at_most} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the error code in S3's XML. Empty when there is none. */
function errorCode(body: Buffer): string {
  const code = body.toString('utf8').split('<Code>', 2)[1]?.split('</Code>', 1)[0] ?? '';
  return /^\w{1,64}$/.test(code) ? code : '';
}

function reasonOf(cause: unknown): string {
  const { code, name, message } = cause as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'it took too long.';
  return code && code !== 'UND_ERR_SOCKET' ? `${code}.` : message;
}

const slot = globalThis as typeof globalThis & { __thresholdStorage?: { of: string; store: ObjectStore } };

/** Returns the configured storage. Throws StorageError when there is none. */
export function storage(): ObjectStore {
  const { storage_url } = config();
  if (!storage_url) throw new StorageError('not_configured', 'Files lie in a storage, and STORAGE_URL is not set.');
  if (slot.__thresholdStorage?.of !== storage_url)
    slot.__thresholdStorage = { of: storage_url, store: openS3ObjectStore(storage_url) };
  return slot.__thresholdStorage.store;
}
