/**
 * The HTTP client for all URLs from customers: webhooks, calendar feeds, logos (design, "Outbound
 * requests"). Every request has one deadline for name resolution, connection, headers, body and
 * redirects together. The deadline also ends a response that sends one byte per second. Connections
 * are pooled by origin.
 */

import type { IncomingHttpHeaders } from 'node:http';
import { Agent, type Dispatcher, request } from 'undici';
import { createRefusal } from '@/shared/refusals/refusal';
import { type OversizedBodyPolicy, readBoundedBody } from './body';
import { createAddressCheckingConnector, type IpAddressResolver } from './connector';
import { OutboundError, type OutboundErrorKind, toOutboundError } from './errors';
import { validateAndNormalizeOutboundUrl } from './url';

export interface SafeFetchOptions {
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer | null;
  /** Time limit of the whole request, including redirects. */
  timeout_ms: number;
  max_body_bytes: number;
  /**
   * Maximum number of redirects. Each redirect's URL is checked like the first URL. With 0 a
   * redirect is an error.
   */
  max_redirects?: number;
  /**
   * Handling of a body beyond `max_body_bytes`: `prefix` (default) cuts it, `whole` throws
   * `body_too_large`.
   */
  body_policy?: OversizedBodyPolicy;
  /** For development and tests (OUTBOUND_ALLOW_LOOPBACK): allows http and hosts on this machine. */
  allow_loopback?: boolean;
}

export interface SafeFetchResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /**
   * Whether the body was larger than `max_body_bytes`, or could not be decompressed completely
   * (policy `prefix` only).
   */
  truncated: boolean;
  duration_ms: number;
  final_url: string;
}

export interface OutboundHttpClient {
  fetch(url: string, options: SafeFetchOptions): Promise<SafeFetchResponse>;
  /** Closes all connections, including active ones. */
  close(): Promise<void>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * Creates a client with its own connections. The options are for tests. The product uses
 * `safeFetch`.
 */
export function createOutboundClient(
  options: { resolve?: IpAddressResolver; ca?: string | Buffer } = {},
): OutboundHttpClient {
  // There are two agents, so that a request without loopback access never reuses a loopback
  // connection.
  const agents = new Map<boolean, Agent>();
  const agentFor = (allow_loopback: boolean): Agent => {
    const existing = agents.get(allow_loopback);
    if (existing) return existing;
    const agent = new Agent({
      connect: createAddressCheckingConnector({ ...options, allow_loopback }),
      // This timeout is shorter than the five seconds after which Node's own servers close idle
      // connections, so that reused connections are still open.
      keepAliveTimeout: 4_000,
      maxHeaderSize: MAX_HEADER_BYTES,
      // The request's own deadline replaces undici's timeouts.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    agents.set(allow_loopback, agent);
    return agent;
  };
  return {
    fetch: (url, wanted) => fetchWithin(agentFor(wanted.allow_loopback ?? false), url, wanted),
    close: async () => {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

let shared: OutboundHttpClient | undefined;

/**
 * Sends an outbound request to an allowed address. Throws OutboundError with `kind` (what failed),
 * `status` (if a status line arrived) and `duration_ms`. Any status except a redirect is a
 * response, including 500.
 */
export function safeFetch(url: string, options: SafeFetchOptions): Promise<SafeFetchResponse> {
  shared ??= createOutboundClient();
  return shared.fetch(url, options);
}

/**
 * Closes the shared client's connections at shutdown. The next `safeFetch` opens new connections.
 */
export async function closeOutboundConnections(): Promise<void> {
  const client = shared;
  shared = undefined;
  await client?.close();
}

async function fetchWithin(agent: Agent, url: string, options: SafeFetchOptions): Promise<SafeFetchResponse> {
  const started = performance.now();
  const elapsed = () => Math.round(performance.now() - started);
  const deadline = new AbortController();
  const seen: { status: number | null } = { status: null };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(options.timeout_ms / 100) / 10;
      const reason = new OutboundError('timeout', createRefusal('outbound.incomplete', { seconds }));
      deadline.abort(reason);
      reject(reason);
    }, options.timeout_ms);
  });
  const work = async (): Promise<SafeFetchResponse> => {
    const { response, final_url } = await followRedirects(agent, url, options, deadline.signal, seen);
    const { statusCode: status, headers } = response;
    const encoding = headers['content-encoding'];
    const { bytes: body, truncated } = await readBoundedBody(
      response.body,
      Array.isArray(encoding) ? encoding.join(', ') : encoding,
      options.max_body_bytes,
      options.body_policy ?? 'prefix',
    );
    return { status, headers, body, truncated, duration_ms: elapsed(), final_url };
  };
  try {
    // undici reacts to an abort only once connected, so the deadline is enforced here too.
    // Otherwise a silent name server, or a host that drops packets, would block the caller beyond
    // the deadline.
    return await Promise.race([work(), late]);
  } catch (error) {
    const reason = deadline.signal.aborted ? deadline.signal.reason : error;
    throw toOutboundError(reason, { status: seen.status, duration_ms: elapsed() });
  } finally {
    clearTimeout(timer);
  }
}

async function followRedirects(
  agent: Agent,
  first: string,
  options: SafeFetchOptions,
  signal: AbortSignal,
  seen: { status: number | null },
): Promise<{ response: Dispatcher.ResponseData; final_url: string }> {
  const max_redirects = options.max_redirects ?? 0;
  const accepted = options.body_policy === 'whole' ? 'gzip, deflate, br' : 'identity';
  let url = checkedUrl(first, options, 'protocol');
  let method = options.method ?? 'GET';
  let body = options.body ?? null;
  let headers: Record<string, string> = { 'accept-encoding': accepted, ...lowerCased(options.headers ?? {}) };

  for (let hop = 0; ; hop += 1) {
    const response = await request(url, { dispatcher: agent, method, headers, body, signal });
    seen.status = response.statusCode;
    const location = response.headers.location;
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
      return { response, final_url: url.href };
    }
    response.body.on('error', () => {}).destroy();
    if (hop >= max_redirects) {
      const problem =
        max_redirects === 0
          ? createRefusal('outbound.redirect', { status: response.statusCode })
          : createRefusal('as_written', { text: `The server redirected more than ${max_redirects} times.` });
      throw new OutboundError('redirect', problem);
    }
    if (!URL.canParse(location, url))
      throw new OutboundError('redirect', createRefusal('as_written', { text: 'The redirect leads to no valid URL.' }));
    const next = checkedUrl(new URL(location, url).href, options, 'redirect');
    if (next.origin !== url.origin) headers = withoutCredentials(headers);
    const becomesGet =
      (response.statusCode === 303 && method !== 'HEAD') || (response.statusCode <= 302 && method === 'POST');
    if (becomesGet) {
      method = 'GET';
      body = null;
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('content-')));
    }
    url = next;
  }
}

function checkedUrl(raw: string, options: SafeFetchOptions, whenNotHttps: OutboundErrorKind): URL {
  const verdict = validateAndNormalizeOutboundUrl(raw, { allow_loopback: options.allow_loopback, allow_webcal: true });
  if (verdict.ok) return verdict.url;
  throw new OutboundError(verdict.code === 'url_not_https' ? whenNotHttps : 'blocked_address', verdict.message);
}

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const withoutCredentials = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'authorization' && name !== 'cookie'));
