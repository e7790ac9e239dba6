/** Reads a response body with limits on its received and its decompressed size. */

import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { createRefusal } from '@/shared/refusals/refusal';
import { OutboundError } from './errors';

/**
 * How to handle a body that is too large or cannot be decoded. `prefix`, for a delivery's log,
 * keeps the first `max_bytes` and does not throw. `whole`, for feeds and pictures, throws.
 */
export type OversizedBodyPolicy = 'prefix' | 'whole';

export interface SizeLimitedResponseBody {
  bytes: Buffer;
  truncated: boolean;
}

type ResponseBody = Dispatcher.ResponseData['body'];

/**
 * Maximum size and time for discarding the rest of a body, so that its connection can be reused.
 * Beyond these limits the connection is closed.
 */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 1_000;

const ENCODINGS = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

const tooLarge = (max_bytes: number) =>
  new OutboundError('body_too_large', createRefusal('outbound.body_too_large', { bytes: max_bytes }));

/**
 * Reads at most `max_bytes`, counted after decompressing gzip, deflate or br. Compressed bytes are
 * limited as well. Throws OutboundError `body_too_large` or `protocol` under the `whole` policy,
 * and the transport's own error when the connection breaks.
 */
export async function readBoundedBody(
  body: ResponseBody,
  content_encoding: string | undefined,
  max_bytes: number,
  policy: OversizedBodyPolicy,
): Promise<SizeLimitedResponseBody> {
  const encoding = content_encoding?.trim().toLowerCase() || 'identity';
  if (ENCODINGS.has(encoding)) return readPacked(body, encoding, max_bytes, policy);
  if (encoding === 'identity' || policy === 'prefix') return readPlain(body, max_bytes, policy);
  body.on('error', () => {}).destroy();
  throw new OutboundError('protocol', createRefusal('outbound.content_encoding', { encoding: encoding.slice(0, 40) }));
}

async function readPlain(
  body: ResponseBody,
  max_bytes: number,
  policy: OversizedBodyPolicy,
): Promise<SizeLimitedResponseBody> {
  const parts: Buffer[] = [];
  const truncated = await collect(body.iterator({ destroyOnReturn: false }), max_bytes, parts);
  if (truncated && policy === 'whole') {
    body.on('error', () => {}).destroy();
    throw tooLarge(max_bytes);
  }
  // The rest is discarded in the background, so that a long response delays neither this delivery
  // nor the next one on its connection.
  if (truncated) body.dump({ limit: DRAIN_BYTES, signal: AbortSignal.timeout(DRAIN_MS) }).catch(() => {});
  return { bytes: Buffer.concat(parts), truncated };
}

async function readPacked(
  body: ResponseBody,
  encoding: string,
  max_bytes: number,
  policy: OversizedBodyPolicy,
): Promise<SizeLimitedResponseBody> {
  let transportError: unknown;
  body.on('error', (error) => {
    transportError = error;
  });
  const packed = boundedChunks(body, max_bytes + DRAIN_BYTES, max_bytes);
  const parts: Buffer[] = [];
  try {
    const first = await packed.next();
    if (first.done) return { bytes: Buffer.alloc(0), truncated: false };
    const unpacked = unpack(encoding, first.value, packed);
    const truncated = await collect(unpacked, max_bytes, parts);
    if (truncated && policy === 'whole') throw tooLarge(max_bytes);
    return { bytes: Buffer.concat(parts), truncated };
  } catch (error) {
    const overLimit = error instanceof OutboundError;
    // A body beyond the limit also causes an error of the transport, so the limit is checked first.
    if (transportError !== undefined && !overLimit) throw transportError;
    if (policy === 'prefix') return { bytes: Buffer.concat(parts), truncated: true };
    if (overLimit) throw error;
    throw new OutboundError('protocol', createRefusal('outbound.compressed_body'), { cause: error });
  } finally {
    body.destroy();
  }
}

/**
 * Limits the compressed size, because an endless stream of empty blocks decompresses to nothing.
 */
async function* boundedChunks(body: ResponseBody, limit: number, max_bytes: number): AsyncGenerator<Buffer, void> {
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > limit) throw tooLarge(max_bytes);
    yield chunk;
  }
}

function unpack(encoding: string, first: Buffer, rest: AsyncGenerator<Buffer>): Transform {
  const decoder = decoderFor(encoding, first);
  const chunks = async function* () {
    yield first;
    yield* rest;
  };
  // The iteration over the decoder throws the error. This callback only prevents a second,
  // unhandled error.
  pipeline(Readable.from(chunks()), decoder, () => {});
  return decoder;
}

function decoderFor(encoding: string, first: Buffer): Transform {
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding !== 'deflate') return createGunzip();
  // "deflate" means the zlib format, but some servers send raw deflate data. The low four bits of a
  // zlib header are always 8.
  return ((first[0] ?? 0) & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
}

/** Collects chunks into `parts` up to `max_bytes`. Returns whether there were more bytes. */
async function collect(chunks: AsyncIterable<Buffer>, max_bytes: number, parts: Buffer[]): Promise<boolean> {
  let size = 0;
  for await (const chunk of chunks) {
    const room = max_bytes - size;
    parts.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    size += Math.min(chunk.length, room);
    if (chunk.length > room) return true;
  }
  return false;
}
