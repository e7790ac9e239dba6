/** Reads a response body with a bound on what is received and on what it unpacks to. */
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { OutboundError } from './errors';

/**
 * `prefix`: the first `max_bytes`, for a delivery's log; a larger or undecodable body is cut, never an error.
 * `whole`: all of it, for feeds and pictures; a larger body, a broken one or an unknown encoding throws.
 */
export type BodyPolicy = 'prefix' | 'whole';

export interface BoundedBody {
  bytes: Buffer;
  truncated: boolean;
}

type ResponseBody = Dispatcher.ResponseData['body'];

/** How much of an unwanted rest is read to keep the connection usable, and for how long; past it the connection goes. */
const DRAIN_BYTES = 64 * 1024;
const DRAIN_MS = 1_000;

const ENCODINGS = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

const tooLarge = (max_bytes: number) =>
  new OutboundError('body_too_large', `The answer is larger than ${max_bytes} bytes.`);

/**
 * Reads at most `max_bytes`, counted after unpacking gzip, deflate or br. Packed bytes are bounded as well.
 *
 * Throws OutboundError `body_too_large` or `protocol` under the `whole` policy, and the transport's own error when the
 * connection breaks.
 */
export async function readBounded(
  body: ResponseBody,
  content_encoding: string | undefined,
  max_bytes: number,
  policy: BodyPolicy,
): Promise<BoundedBody> {
  const encoding = content_encoding?.trim().toLowerCase() || 'identity';
  if (ENCODINGS.has(encoding)) return readPacked(body, encoding, max_bytes, policy);
  if (encoding === 'identity' || policy === 'prefix') return readPlain(body, max_bytes, policy);
  body.on('error', () => {}).destroy();
  throw new OutboundError('protocol', `The answer’s Content-Encoding “${encoding.slice(0, 40)}” is not supported.`);
}

async function readPlain(body: ResponseBody, max_bytes: number, policy: BodyPolicy): Promise<BoundedBody> {
  const parts: Buffer[] = [];
  const truncated = await collect(body.iterator({ destroyOnReturn: false }), max_bytes, parts);
  if (truncated && policy === 'whole') {
    body.on('error', () => {}).destroy();
    throw tooLarge(max_bytes);
  }
  // In the background: a talkative receiver costs neither this delivery time nor the next one its connection.
  if (truncated) body.dump({ limit: DRAIN_BYTES, signal: AbortSignal.timeout(DRAIN_MS) }).catch(() => {});
  return { bytes: Buffer.concat(parts), truncated };
}

async function readPacked(
  body: ResponseBody,
  encoding: string,
  max_bytes: number,
  policy: BodyPolicy,
): Promise<BoundedBody> {
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
    // Giving up on the limit breaks the transport too, so the limit is asked first.
    if (transportError !== undefined && !overLimit) throw transportError;
    if (policy === 'prefix') return { bytes: Buffer.concat(parts), truncated: true };
    if (overLimit) throw error;
    throw new OutboundError('protocol', 'The answer’s compressed body is broken.', { cause: error });
  } finally {
    body.destroy();
  }
}

/** Bounded before unpacking as well: a stream of empty blocks unpacks to nothing, for ever. */
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
  // The error reaches whoever iterates over the decoder; this callback only keeps it from going unhandled.
  pipeline(Readable.from(chunks()), decoder, () => {});
  return decoder;
}

function decoderFor(encoding: string, first: Buffer): Transform {
  if (encoding === 'br') return createBrotliDecompress();
  if (encoding !== 'deflate') return createGunzip();
  // "deflate" means zlib's format, but some servers send the bare one; the low bits of a zlib header are always 8.
  return ((first[0] ?? 0) & 0x0f) === 0x08 ? createInflate() : createInflateRaw();
}

/** Collects chunks into `parts` until `max_bytes`; true when there was more. */
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
