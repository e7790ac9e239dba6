/**
 * Takes a request's body in at the door, before anybody who would read it begins: counted as it comes, up to a limit
 * that the path sets, within a time that follows what has come, and within what the process holds of all callers'
 * bodies together. What is whole is given to the request's own stream, where whoever answers reads it as ever.
 */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { AppError } from '@/shared/errors';

/** What became of a body. `gone`: the caller left, and nobody is there to be answered. */
export type BodyVerdict = 'whole' | 'too_large' | 'too_slow' | 'too_much_at_once' | 'gone';

/** A body has this long, and longer the more of it has come: a phone's slow upload passes, a drip does not. */
const GRACE_MS = 10_000;
const SLOWEST_BYTES_PER_SECOND = 8 * 1024;
const KIB = 1024;
const MIB = 1024 * KIB;
const SMALL_BYTES = 64 * KIB;

/** How much memory bodies may take at once: of all callers, and of one address. */
class Budget {
  held_bytes = 0;
  private readonly by_address = new Map<string, number>();

  constructor(
    private readonly total_bytes: number,
    private readonly per_address_bytes: number,
  ) {}

  /** Counts bytes in or, negative, out. Returns false, and counts nothing, when they do not fit. */
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

/** The first 64 KiB of a body have a budget of their own: signing in has to work while somebody floods the larger doors. */
const SMALL = new Budget(16 * MIB, 4 * MIB);
const LARGE = new Budget(48 * MIB, 32 * MIB);

/** After an early answer the rest of a body is dropped for so long, so that the answer arrives; then the connection ends. */
const LINGER_MS = 1_000;

/** Bytes that wait in memory for their requests, for tests. */
export const heldBytes = () => SMALL.held_bytes + LARGE.held_bytes;

const verdicts = new WeakMap<IncomingMessage, Promise<BodyVerdict>>();

/**
 * Must be called while the request's event is being handled, before any waiting: what came earlier is not counted.
 * Called again for the same request it gives the first call's verdict.
 */
export function holdBody(
  request: IncomingMessage,
  response: ServerResponse,
  limit: { bytes: number; address: () => string },
): Promise<BodyVerdict> {
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
): Promise<BodyVerdict> {
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
    const decide = (verdict: BodyVerdict) => {
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
    // The HTTP parser gives the body to this method, piece by piece and with null at its end.
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

/** Why a body was not taken, as the error its caller is told. */
export function bodyError(verdict: Exclude<BodyVerdict, 'whole'>, limit_bytes: number): AppError {
  if (verdict === 'too_large') {
    const limit = limit_bytes < 1024 * 1024 ? `${limit_bytes / 1024} KiB` : `${limit_bytes / 1024 / 1024} MiB`;
    return new AppError('request_too_large', { message: `The request body is larger than ${limit}.` });
  }
  if (verdict === 'too_much_at_once') return new AppError('service_unavailable', { retryAfter: 1 });
  return new AppError('request_timeout');
}

/**
 * Ends an answer whose headers are written. When the request's body is not all there, what still comes is dropped and
 * the connection ends soon after: closing at once would reset it, and the caller might lose the answer.
 * The headers must have said `Connection: close` and a `Content-Length` then (`closingHeaders`).
 */
export function endAnswer(request: IncomingMessage, response: ServerResponse, body: string | Buffer | undefined): void {
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

/** What an answer says when the request's body will not be read to its end. */
export function closingHeaders(request: IncomingMessage): { Connection?: 'close' } {
  return request.complete ? {} : { Connection: 'close' };
}
