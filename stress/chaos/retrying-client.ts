/**
 * Sends requests to a server that is killed repeatedly. Retries them with the same idempotency key
 * until an answer arrives, as the specification requires of partners.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@/testing/random';

/** Time limit of a request in milliseconds. It is longer than any restart on a busy machine. */
const GIVE_UP_MS = 120_000;
const ANSWER_MS = 20_000;

// biome-ignore lint/suspicious/noExplicitAny: the chaos run reads fields as any client in any language would.
export type ResponseBody = any;

export interface FullyReadResponse {
  status: number;
  headers: Headers;
  text: string;
}

/** The state that all actors of a chaos run share. */
export interface ChaosRunState {
  /** Origins of the servers. Any of them may receive a request. */
  readonly origins: readonly [string, ...string[]];
  /** Descriptions of forbidden answers and other violations. */
  readonly violations: string[];
  /** Number of requests that were retried because no answer arrived. */
  repeated: number;
}

/**
 * Repeats a request until a complete answer arrives that does not ask for a retry. Throws after two
 * minutes.
 */
export async function fetchWithRetries(
  target: ChaosRunState,
  random: Random,
  path: string,
  init: RequestInit = {},
  askAgain: (answer: FullyReadResponse) => boolean = () => false,
): Promise<FullyReadResponse> {
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await fetchOnce(`${random.pick(target.origins)}${path}`, init);
    if (answer?.status === 500) target.violations.push(`${init.method ?? 'GET'} ${path} answered 500: ${answer.text}`);
    if (answer && answer.status < 500 && !askAgain(answer)) return answer;
    if (Date.now() > deadline) throw new Error(`${init.method ?? 'GET'} ${path} got no answer: ${answer?.status}`);
    target.repeated += 1;
    await sleep(random.between(30, 120));
  }
}

async function fetchOnce(url: string, init: RequestInit): Promise<FullyReadResponse | null> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch {
    return null; // The server is not running, or was killed during the answer.
  }
}

export interface RetryingPartnerClient {
  /**
   * Performs an operation exactly once and returns its answer. Makes as many attempts as needed.
   */
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: ResponseBody }>;
  /** Does the same as `call`, but throws unless the status is 2xx. */
  must(method: string, path: string, body?: unknown): Promise<ResponseBody>;
}

/** Returns a client of `/v1` with a key. */
export function createRetryingPartnerClient(
  target: ChaosRunState,
  random: Random,
  api_key: string,
): RetryingPartnerClient {
  async function call(method: string, path: string, body?: unknown) {
    const headers = {
      Authorization: `Bearer ${api_key}`,
      ...(method === 'GET' ? {} : { 'Idempotency-Key': randomUUID() }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) };
    // The interrupted request of a killed server holds its idempotency key for a short time.
    const busy = (answer: FullyReadResponse) => answer.status === 409 && answer.text.includes('idempotency_key_in_use');
    const { status, text } = await fetchWithRetries(target, random, `/v1${path}`, init, busy);
    return { status, body: text ? JSON.parse(text) : null };
  }
  return {
    call,
    async must(method, path, body) {
      const answer = await call(method, path, body);
      if (answer.status >= 200 && answer.status <= 299) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
  };
}
