/** Sends requests with the key and a timeout. Retries requests when that is safe and useful. */
import { ConnectionError, errorOf, retryAfterMs, type ThresholdError, TimeoutError, unexpected } from './errors.js';
import type { RequestOptions } from './types.js';

export interface ThresholdOptions {
  /** The secret key: `service_live_sk_…` or `service_test_sk_…`. */
  readonly apiKey: string;
  /** The root of the API: `https://threshold.example/v1`. */
  readonly baseUrl: string;
  /** The timeout of each attempt. Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** The maximum number of retries after the first attempt. Default: 3. */
  readonly maxRetries?: number;
  /** A replacement for `fetch`, for tests or a proxy. */
  readonly fetch?: (input: string, init: RequestInit) => Promise<Response>;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly options?: RequestOptions;
}

/** Details of the response that contained an object. */
export interface ResponseFacts {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | null;
}

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** The longest `Retry-After` that a call waits for. If it is longer, the call throws. */
const LONGEST_RETRY_AFTER_MS = 120_000;

const responses = new WeakMap<object, ResponseFacts>();

/**
 * Returns details of the response that contained this object: its status, headers (`etag`,
 * `x-ratelimit-remaining`, `idempotent-replay`) and request id.
 */
export function responseOf(answer: object): ResponseFacts | undefined {
  return responses.get(answer);
}

export class Transport {
  readonly #options: ThresholdOptions;
  readonly #root: string;

  constructor(options: ThresholdOptions) {
    if (!/^[\x21-\x7e]+$/.test(options.apiKey ?? '')) throw new TypeError('`apiKey` is missing or is no key.');
    this.#options = options;
    this.#root = new URL(options.baseUrl).href.replace(/\/$/, '');
  }

  /**
   * Returns the response's JSON, or undefined for 204. When the API redirects to a file, returns
   * the file's Response.
   */
  async send({ method, path, query = {}, body, options = {} }: Call): Promise<unknown> {
    const headers = new Headers({ Authorization: `Bearer ${this.#options.apiKey}`, Accept: 'application/json' });
    headers.set('User-Agent', 'threshold-client/0.1.0');
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (options.ifMatch) headers.set('If-Match', options.ifMatch);
    // All attempts of a call use the same key, so retries cannot repeat the operation.
    if (method === 'POST' || method === 'PATCH')
      headers.set('Idempotency-Key', options.idempotencyKey ?? crypto.randomUUID());
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    const url = this.#root + path + (search && `?${search}`);
    const init = {
      method,
      headers,
      redirect: 'manual' as const,
      body: body === undefined ? null : JSON.stringify(body),
    };

    const retries = options.maxRetries ?? this.#options.maxRetries ?? RETRIES;
    for (let tries = 0; ; tries++) {
      const outcome = await this.#try(url, init, options);
      if ('answer' in outcome) return outcome.answer;
      const wait = waitAfter(outcome.error, tries);
      if (tries >= retries || wait === null) throw outcome.error;
      await pause(wait, options.signal);
    }
  }

  /**
   * Makes one attempt. Returns an error if the attempt can be retried. Throws the signal's reason
   * when the caller aborts.
   */
  async #try(
    url: string,
    init: RequestInit,
    { signal, timeoutMs = this.#options.timeoutMs ?? TIMEOUT_MS }: RequestOptions,
  ): Promise<{ answer: unknown } | { error: ThresholdError }> {
    signal?.throwIfAborted();
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      controller.abort();
    }, timeoutMs);
    const send = this.#options.fetch ?? fetch;
    let keeps_signal = false;
    try {
      const response = await send(url, { ...init, signal: controller.signal });
      const location = response.headers.get('location');
      if (response.status === 302 && location && init.method === 'GET') {
        // The key is not sent to the file's URL, which may be on another host.
        const file = await send(new URL(location, url).href, { signal: controller.signal });
        // The caller reads the body later, and can still abort it with the signal.
        keeps_signal = file.ok;
        return file.ok ? { answer: file } : { error: unexpected(file.status, file.headers, '') };
      }
      return read(response, await response.text());
    } catch (cause) {
      signal?.throwIfAborted();
      const message = late ? `No whole answer within ${timeoutMs} ms` : `No whole answer: ${reasonOf(cause)}`;
      const facts = { type: 'connection_error', message, cause } as const;
      return {
        error: late
          ? new TimeoutError({ ...facts, code: 'timeout' })
          : new ConnectionError({ ...facts, code: 'connection_failed' }),
      };
    } finally {
      clearTimeout(timer);
      if (!keeps_signal) signal?.removeEventListener('abort', abort);
    }
  }
}

function read({ status, headers }: Response, text: string): { answer: unknown } | { error: ThresholdError } {
  if (status < 200 || status > 299) return { error: errorOf(status, headers, text) };
  if (status === 204) return { answer: undefined };
  try {
    const answer: unknown = JSON.parse(text);
    responses.set(answer as object, { status, headers, requestId: headers.get('x-request-id') });
    return { answer };
  } catch {
    return { error: unexpected(status, headers, text) };
  }
}

/**
 * Returns the reason of a failed request. Node's own message is only `fetch failed`, and the
 * error's cause contains the reason.
 */
function reasonOf(cause: unknown): string {
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string } };
  return inner?.message ?? message ?? String(cause);
}

/** Returns the milliseconds until the next attempt, or null when the call must not be retried. */
function waitAfter(error: ThresholdError, tries: number): number | null {
  const { status, code } = error;
  // A 2xx response that cannot be parsed is not retried, because a retry would get the same
  // response.
  const helps =
    status === null || status === 408 || status === 429 || status >= 500 || code === 'idempotency_key_in_use';
  if (!helps) return null;
  const asked = retryAfterMs(error.headers);
  if (asked !== null) return asked > LONGEST_RETRY_AFTER_MS ? null : asked;
  // Half of the delay is random, so that many clients do not retry at the same time.
  return Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
