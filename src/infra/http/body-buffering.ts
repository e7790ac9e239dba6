/**
 * Buffers a request's body before any handler reads it. Limits apply to its size (by path), its
 * time (in proportion to the received bytes), and the memory of all bodies in the process. A
 * complete body is then pushed to the request's own stream, where handlers read it as usual.
 */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '@/shared/errors';

/**
 * The outcome of buffering a body. `gone` means that the caller disconnected and needs no answer.
 */
export type BodyBufferingOutcome = 'whole' | 'too_large' | 'too_slow' | 'too_much_at_once' | 'gone';

/**
 * Initial time limit of a body. It grows with the bytes received, so that a slow upload from a
 * phone succeeds and a slow-drip attack does not.
 */
const GRACE_MS = 10_000;
const SLOWEST_BYTES_PER_SECOND = 8 * 1024;
const KIB = 1024;
const MIB = 1024 * KIB;
const SMALL_BYTES = 64 * KIB;

/** Limits the memory of all bodies together, and of the bodies from one address. */
class Budget {
  held_bytes = 0;
  private readonly by_address = new Map<string, number>();

  constructor(
    private readonly total_bytes: number,
    private readonly per_address_bytes: number,
  ) {}

  /**
   * Adds bytes to the count. A negative number reduces the count. Returns false, without counting,
   * when the bytes exceed the limit.
   */
  count(address: string, bytes: number): boolean {
    const of_address = (this.by_address.get(address) ?? 0) + bytes;
    const fits = this.held_bytes + bytes <= this.total_bytes && of_address <= this.per_address_bytes;
    if (bytes > 0 && !fits) return false;
    this.held_bytes += bytes;
    if (of_address === 0) this.by_address.delete(address);
    else this.by_address.set(address, of_address);
    return true;
  }
}

/**
 * A separate budget for the first 64 KiB of each body, so that users can sign in while an attacker
 * floods paths with larger limits.
 */
const SMALL = new Budget(16 * MIB, 4 * MIB);
const LARGE = new Budget(48 * MIB, 32 * MIB);

/**
 * Time for which the rest of the body is discarded after an early answer, so that the answer
 * arrives. Then the connection ends.
 */
const LINGER_MS = 1_000;

/** Bytes currently buffered. For tests. */
export const countBufferedBytes = () => SMALL.held_bytes + LARGE.held_bytes;

const verdicts = new WeakMap<IncomingMessage, Promise<BodyBufferingOutcome>>();

/**
 * Buffers a body and returns the verdict. Must be called synchronously in the request event,
 * because bytes that arrive before the call are not counted. A second call for the same request
 * returns the first verdict.
 */
export function bufferBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: { bytes: number; address: () => string },
): Promise<BodyBufferingOutcome> {
  let verdict = verdicts.get(request);
  if (!verdict) {
    verdict = take(request, response, limit.bytes, limit.address);
    verdicts.set(request, verdict);
  }
  return verdict;
}

function take(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
  addressOf: () => string,
): Promise<BodyBufferingOutcome> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced === 0 && !request.headers['transfer-encoding']) return Promise.resolve('whole');
  const address = addressOf();
  return new Promise((resolve) => {
    const give = IncomingMessage.prototype.push.bind(request);
    const began = performance.now();
    let parts: Buffer[] = [];
    let size = 0;
    const counted = { small: 0, large: 0 };
    let decided = false;
    let timer: NodeJS.Timeout;
    const grow = (small: number, large: number) => {
      if (!SMALL.count(address, small - counted.small)) return false;
      counted.small = small;
      if (!LARGE.count(address, large - counted.large)) return false;
      counted.large = large;
      return true;
    };
    const release = () => grow(0, 0);
    const decide = (verdict: BodyBufferingOutcome) => {
      if (decided) return;
      decided = true;
      clearTimeout(timer);
      parts = [];
      if (verdict !== 'whole') release();
      resolve(verdict);
    };
    const watch = () => {
      const left = GRACE_MS + (size / SLOWEST_BYTES_PER_SECOND) * 1000 - (performance.now() - began);
      if (left <= 0) decide('too_slow');
      else timer = setTimeout(watch, left);
    };
    // Node's HTTP parser calls this method with each piece of the body, and with null at its end.
    request.push = (part: Buffer | null) => {
      if (decided) return part === null ? give(null) : true;
      if (part === null) {
        for (const piece of parts) give(piece);
        decide('whole');
        return give(null);
      }
      size += part.length;
      if (size > limit) decide('too_large');
      else if (grow(Math.min(size, SMALL_BYTES), Math.max(0, size - SMALL_BYTES))) parts.push(part);
      else decide('too_much_at_once');
      return true;
    };
    response.once('close', () => {
      decide('gone');
      release();
    });
    watch();
    if (announced > limit) decide('too_large');
  });
}

/** Returns the error for a body that was not accepted. */
export function createRejectedBodyError(
  verdict: Exclude<BodyBufferingOutcome, 'whole'>,
  limit_bytes: number,
): AppError {
  if (verdict === 'too_large') {
    const limit = limit_bytes < 1024 * 1024 ? `${limit_bytes / 1024} KiB` : `${limit_bytes / 1024 / 1024} MiB`;
    return new AppError('request_too_large', { message: `The request body is larger than ${limit}.` });
  }
  if (verdict === 'too_much_at_once') return new AppError('service_unavailable', { retryAfter: 1 });
  return new AppError('request_timeout');
}

/**
 * Sends the body of an answer whose headers are written. If the request's body has not fully
 * arrived, its rest is discarded and the connection is closed a moment later, because closing at
 * once could lose the answer. The headers must then include `Connection: close` and a
 * `Content-Length` (`getConnectionCloseHeaders`).
 */
export function endResponse(
  request: IncomingMessage,
  response: ServerResponse,
  body: string | Buffer | undefined,
): void {
  if (request.complete) return void response.end(body);
  if (body) response.write(body);
  else response.flushHeaders();
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once('end', end).once('close', end).resume();
}

/** Returns headers for an answer to a request whose body will not be read completely. */
export function getConnectionCloseHeaders(request: IncomingMessage): { Connection?: 'close' } {
  return request.complete ? {} : { Connection: 'close' };
}
