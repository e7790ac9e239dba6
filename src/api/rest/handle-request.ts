/**
 * The REST bridge. It checks, runs and logs every request to `/v1` in the order of design "Order of
 * checks". It uses Node's own HTTP objects and bypasses Next's router.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { trace } from '@opentelemetry/api';
import { appRouter } from '@/api/router';
import type { ApiContext } from '@/api/trpc/context';
import { toAppError } from '@/api/trpc/error-translation';
import { config } from '@/config';
import { runOperationThenStoreResultAndCommit } from '@/infra/db/commit-with-answer';
import { endResponse, getConnectionCloseHeaders } from '@/infra/http/body-buffering';
import { getCallerIpAddress } from '@/infra/http/web-request';
import { logger } from '@/infra/logger';
import { recordRequestMetric } from '@/infra/metrics';
import { isScopeGranted } from '@/modules/api-keys/scopes';
import { type ApiKeyOwner, type ApiPrincipal, authenticateApiKey } from '@/modules/api-keys/service';
import { acceptsEncoding } from '@/shared/accepts-encoding';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { computeEtag } from '@/shared/etag';
import { newId } from '@/shared/ids';
import { getIpAddressRateLimitKey } from '@/shared/ip';
import { createRefusal } from '@/shared/refusals/refusal';
import type { OperationMeta } from '../trpc/init';
import { createOperationDispatcher, type DispatchedOperationResult } from './dispatch';
import { buildErrorBody } from './error-response';
import {
  buildStoredResponseKey,
  claimIdempotencyKey,
  computeRequestHash,
  isReplayableHttpStatus,
  readIdempotencyKey,
  releaseIdempotencyKey,
  type StoredIdempotentResponse,
  storeResponse,
} from './idempotency';
import { compressOpenApiResponseBody, renderOpenApiText } from './openapi-response';
import { parseQueryParameters, readQueryParameterTypes } from './query-input';
import { getRateLimiter } from './rate-limit/process-limiter';
import type { RateLimitDecision } from './rate-limit/window';
import { parseJsonObject, readRequestBody } from './read-body';
import { logRequest } from './request-log';
import { createRouteMatcher, listRoutes, type Route } from './routes';

/**
 * Maximum number of requests per address and minute without a valid key, including requests that
 * need no key.
 */
const UNAUTHENTICATED_PER_MINUTE = 60;

/**
 * The size in bytes from which a response is compressed. Shorter responses fit into one network
 * packet.
 */
const PACKED_FROM = 1_024;

/** Writes have no query parameters, because their input is the body. */
const NO_PARAMETERS: ReturnType<typeof readQueryParameterTypes> = new Map();

interface Operation {
  route: Route;
  dispatch: ReturnType<typeof createOperationDispatcher>;
  kinds: ReturnType<typeof readQueryParameterTypes>;
}

const routes = listRoutes(appRouter);
const match = createRouteMatcher(routes);
const operations = new Map<Route, Operation>(
  routes.map((route) => [
    route,
    {
      route,
      dispatch: createOperationDispatcher(route),
      kinds: readQueryParameterTypes((route.procedure._def as unknown as { inputs: unknown[] }).inputs[0]),
    },
  ]),
);

/**
 * State collected while a request is processed. When a step throws, the response and the log use
 * the values collected so far.
 */
interface Exchange {
  readonly request_id: string;
  readonly started_at: number;
  readonly path: string;
  readonly ip: string | null;
  readonly headers: Record<string, string>;
  /** The operation's name, such as `reservations.list`. Null until the operation is found. */
  operation: string | null;
  /** The owner of the request's key, even if the key is refused. */
  owner: ApiKeyOwner | null;
  principal: ApiPrincipal | null;
  rate: RateLimitDecision | null;
  idempotency_key: string | null;
  /** The request body. Null until the key is accepted. */
  body: Buffer | null;
  /** Additional parameters of the `WWW-Authenticate` header of a 401 (RFC 9728, 5.1). */
  readonly challenge: string;
}

/** A request to `/v1`, over HTTP or from within this process. */
export interface RestApiRequest {
  readonly method: string;
  /** The path, including `/v1`, and the query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly ip: string | null;
  /** The authenticated caller, if known. Otherwise the headers contain a key. */
  readonly principal?: ApiPrincipal;
  /** Reads the body. Throws when the body is refused. */
  body(): Promise<Buffer>;
}

function exchangeOf(url: string, ip: string | null, challenge = ''): Exchange {
  return {
    request_id: newId('request'),
    started_at: performance.now(),
    path: url.split('?', 1)[0] ?? '/',
    ip,
    headers: {},
    operation: null,
    owner: null,
    principal: null,
    rate: null,
    idempotency_key: null,
    body: null,
    challenge,
  };
}

/**
 * Answers one request under `/v1`. Never throws: errors become the specification's error object.
 */
export async function handleRestApiRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ip = getCallerIpAddress(request);
  const { method = 'GET', url = '/', headers } = request;
  const body = () => readRequestBody(request, response, ip);
  await perform({ method, url, headers, ip, body }, (answer, exchange) => send(request, response, answer, exchange));
}

/** Answers a call from within this process (mcp/server.ts) like an HTTP request. Never throws. */
export async function handleInternalRestCall(call: RestApiRequest): Promise<StoredIdempotentResponse> {
  return perform(call, () => {});
}

/**
 * Refuses a request outside `/v1` with the same error format. `challenge` contains additional
 * parameters for the `WWW-Authenticate` header of a 401. Never throws.
 */
export async function sendRestFormatErrorResponse(
  request: IncomingMessage,
  response: ServerResponse,
  thrown: unknown,
  challenge = '',
): Promise<void> {
  const exchange = exchangeOf(request.url ?? '/', getCallerIpAddress(request), challenge);
  send(request, response, await errorAnswer(toAppError(thrown), exchange), exchange);
}

async function perform(
  call: RestApiRequest,
  deliver: (answer: StoredIdempotentResponse, exchange: Exchange) => void,
): Promise<StoredIdempotentResponse> {
  const exchange = exchangeOf(call.url, call.ip);
  let answer: StoredIdempotentResponse;
  try {
    answer = await answerRequest(call, exchange);
  } catch (thrown) {
    answer = await errorAnswer(toAppError(thrown), exchange);
  }
  deliver(answer, exchange);
  const duration_ms = performance.now() - exchange.started_at;
  recordRequestMetric(exchange.operation, answer.status, duration_ms);
  logRequest({
    id: exchange.request_id,
    owner: exchange.owner,
    principal: exchange.principal,
    method: call.method,
    path: exchange.path,
    url: call.url,
    body: exchange.body,
    answer,
    duration_ms: Math.round(duration_ms),
    ip: exchange.ip,
    user_agent: call.headers['user-agent'] ?? null,
    idempotency_key: exchange.idempotency_key,
  });
  return answer;
}

async function answerRequest(request: RestApiRequest, exchange: Exchange): Promise<StoredIdempotentResponse> {
  const { method, url } = request;
  const path = exchange.path.replace(/^\/v1/, '');
  if (path === '/openapi.json') {
    if (method !== 'GET' && method !== 'HEAD') throw wrongMethod(exchange, ['GET']);
    await takeAddressToken(exchange);
    const document = renderOpenApiText();
    const answer = jsonAnswer(200, document);
    Object.assign(answer.headers, { ETag: computeEtag(document), 'Cache-Control': 'no-cache' });
    return withConditionalGet(request, answer);
  }

  const found = match(method === 'HEAD' ? 'GET' : method, path);
  if (found.kind === 'unknown')
    throw new AppError('route_not_found', { message: `There is no ${method} ${exchange.path}.` });
  if (found.kind === 'wrong_method') throw wrongMethod(exchange, found.allow);
  const operation = operations.get(found.route);
  if (!operation) throw new Error(`No dispatcher for ${found.route.name}.`);
  const { meta } = found.route;
  exchange.operation = found.route.name;
  // Names the operation in the OpenTelemetry span of this request.
  trace.getActiveSpan()?.setAttributes({
    'http.route': `/v1${found.route.pattern}`,
    'threshold.request_id': exchange.request_id,
  });

  const body = await request.body();
  const identified = (owner: ApiKeyOwner) => {
    exchange.owner = owner;
  };
  if (request.principal) identified(request.principal);
  const known = request.principal ?? (await authenticateApiKey(request.headers.authorization, exchange.ip, identified));
  const principal = { ...known, scope: { ...known.scope, request_id: exchange.request_id } };
  exchange.principal = principal;
  exchange.body = body;
  if (principal.deprecated) exchange.headers.Deprecation = 'true';
  await takeFromLimit(exchange, principal, found.route.method);
  if (!isScopeGranted(principal.scopes, meta.scope)) {
    throw new AppError('insufficient_scope', { message: `This key lacks the scope \`${meta.scope}\`.` });
  }
  if (meta.pro_only && principal.plan !== 'pro') throw new AppError('plan_required');

  const context: ApiContext = {
    request_id: exchange.request_id,
    surface: 'rest',
    scope: principal.scope,
    granted: principal.scopes,
    user: principal.user ?? null,
    ip: exchange.ip,
    user_agent: request.headers['user-agent'] ?? null,
    if_match: request.headers['if-match'] ?? null,
    reply: { headers: {} },
  };
  const call = async () => {
    const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
    const has_body = found.route.method !== 'GET' && found.route.method !== 'DELETE';
    const input = has_body ? parseJsonObject(body, request.headers) : {};
    if (found.route.method === 'POST') assertNoPathField(input, found.params);
    const query = parseQueryParameters(search, has_body ? NO_PARAMETERS : operation.kinds, found.params);
    // The body of an update may contain the id, as returned by GET. The id in the path takes
    // precedence.
    const result = await operation.dispatch({ ...input, ...query, ...found.params }, context);
    if (result.error) throw result.error;
    return success(found.route, result, context, exchange);
  };

  const key = method === 'POST' || method === 'PATCH' ? readIdempotencyKey(request.headers['idempotency-key']) : null;
  exchange.idempotency_key = key;
  const record = key && buildStoredResponseKey(principal.scope, key);
  const answer = record
    ? await runOnce(principal, record, computeRequestHash(method, url, body), meta, exchange, call)
    : await call();
  return meta.etag && found.route.method === 'GET' ? withConditionalGet(request, answer) : answer;
}

/**
 * Throws `unknown_field` when a body contains a path parameter, because its value would be ignored.
 */
function assertNoPathField(input: Record<string, unknown>, path_parameters: Record<string, string>): void {
  const param = Object.keys(path_parameters).find((name) => Object.hasOwn(input, name));
  if (param) throw new AppError('unknown_field', { message: createRefusal('not_a_field', { field: param }), param });
}

function wrongMethod(exchange: Exchange, allow: readonly string[]): AppError {
  exchange.headers.Allow = allow.join(', ');
  return new AppError('method_not_allowed');
}

/** Takes a token from the caller's rate-limit bucket. Throws `rate_limit_exceeded`. */
async function takeFromLimit(exchange: Exchange, principal: ApiPrincipal, method: string): Promise<void> {
  await takeRateLimitToken(principal, method === 'GET' ? 'read' : 'write', (rate) => {
    exchange.rate = rate;
  });
}

/**
 * Takes a token from a key's bucket for this kind of request. Protocol requests of assistants have
 * a separate bucket with the limit of reads. Throws `rate_limit_exceeded`.
 */
export async function takeRateLimitToken(
  { scope }: ApiPrincipal,
  kind: 'read' | 'write' | 'protocol',
  note: (rate: RateLimitDecision) => void = () => {},
): Promise<void> {
  const limit = kind === 'write' ? config().rate_limit_write_per_minute : config().rate_limit_read_per_minute;
  const key = `${scope.team_id}:${scope.mode}:${kind}`;
  const rate = await getRateLimiter().take(key, limit, clock().now().getTime());
  note(rate);
  if (!rate.allowed) throw new AppError('rate_limit_exceeded', { retryAfter: rate.retry_after_s });
}

/** Takes a token from the bucket of the caller's address. Throws `rate_limit_exceeded`. */
async function takeAddressToken(exchange: Exchange): Promise<void> {
  const key = `ip:${getIpAddressRateLimitKey(exchange.ip)}`;
  exchange.rate = await getRateLimiter().take(key, UNAUTHENTICATED_PER_MINUTE, clock().now().getTime());
  if (!exchange.rate.allowed) throw new AppError('rate_limit_exceeded', { retryAfter: exchange.rate.retry_after_s });
}

/**
 * Runs an idempotent write once. The answer is stored in the transaction of the write, if the write
 * has one.
 */
async function runOnce(
  principal: ApiPrincipal,
  key: string,
  request_hash: string,
  meta: OperationMeta,
  exchange: Exchange,
  call: () => Promise<StoredIdempotentResponse>,
): Promise<StoredIdempotentResponse> {
  const { scope } = principal;
  const claim = await claimIdempotencyKey(scope, key, request_hash);
  if (claim.kind === 'replay') {
    exchange.headers['Idempotent-Replay'] = 'true';
    // A replay has its own request id. A separate header contains the id of the original request.
    const { 'X-Request-Id': original, ...headers } = claim.answer.headers;
    if (original) exchange.headers['X-Original-Request-Id'] = original;
    return { ...claim.answer, headers };
  }
  const store = (answer: StoredIdempotentResponse) =>
    storeResponse(scope, key, claim.lock_token, answer, meta.secret_response);
  try {
    if (!meta.own_transactions) return await runOperationThenStoreResultAndCommit(scope, call, store);
    const answer = await call();
    await store(answer);
    return answer;
  } catch (thrown) {
    const error = toAppError(thrown);
    if (isReplayableHttpStatus(error.definition.status) && error.code !== 'idempotency_key_in_use') {
      await store(plainErrorAnswer(error, exchange));
    } else {
      await releaseIdempotencyKey(scope, key, claim.lock_token);
    }
    throw thrown;
  }
}

function success(
  route: Route,
  result: DispatchedOperationResult,
  context: ApiContext,
  exchange: Exchange,
): StoredIdempotentResponse {
  const status = context.reply.status ?? route.meta.success_status;
  const headers: Record<string, string> = { 'X-Request-Id': exchange.request_id, ...context.reply.headers };
  if (status === 204 || status === 302) return { status, headers, body: '' };
  if (status === 201) headers.Location = locationOf(route, result.body);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  const body = result.body || '{}';
  if (route.meta.etag) headers.ETag = computeEtag(body);
  return { status, headers, body };
}

/**
 * Returns the URL of a created resource: the last noun of the operation's path plus the resource's
 * id.
 */
function locationOf({ pattern }: Route, body: string): string {
  const { id } = JSON.parse(body) as { id: string };
  return `${config().api_root}${pattern.slice(pattern.lastIndexOf('/'))}/${id}`;
}

function withConditionalGet(request: RestApiRequest, answer: StoredIdempotentResponse): StoredIdempotentResponse {
  const wanted = request.headers['if-none-match'];
  const etag = answer.headers.ETag;
  if (!wanted || !etag || answer.status !== 200) return answer;
  const matches = wanted.trim() === '*' || wanted.split(',').some((item) => item.trim().replace(/^W\//, '') === etag);
  if (!matches) return answer;
  const { 'Content-Type': _dropped, ...headers } = answer.headers;
  return { status: 304, headers, body: '' };
}

function jsonAnswer(status: number, body: string): StoredIdempotentResponse {
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body };
}

function plainErrorAnswer(error: AppError, { request_id, challenge }: Exchange): StoredIdempotentResponse {
  const answer = jsonAnswer(error.definition.status, JSON.stringify(buildErrorBody(error, request_id)));
  answer.headers['X-Request-Id'] = request_id;
  if (error.retryAfter !== null) answer.headers['Retry-After'] = String(error.retryAfter);
  // RFC 6750: the challenge contains an error code, except for a request without a key.
  if (error.definition.status === 401) answer.headers['WWW-Authenticate'] = challengeOf(error.code, challenge);
  return answer;
}

function challengeOf(code: string, more: string): string {
  const parameters = [...(code === 'api_key_missing' ? [] : ['error="invalid_token"']), ...(more ? [more] : [])];
  return parameters.length > 0 ? `Bearer ${parameters.join(', ')}` : 'Bearer';
}

async function errorAnswer(error: AppError, exchange: Exchange): Promise<StoredIdempotentResponse> {
  if (error.definition.status >= 500) {
    logger().error({ request_id: exchange.request_id, path: exchange.path, err: error.internal }, 'request failed');
  }
  // Requests without a valid key are limited by address, so that keys cannot be guessed.
  if (!exchange.rate) {
    try {
      await takeAddressToken(exchange);
    } catch (thrown) {
      if (error.definition.status < 500) return plainErrorAnswer(toAppError(thrown), exchange);
    }
  }
  return plainErrorAnswer(error, exchange);
}

/**
 * Returns the compressed body and sets its headers. Returns null when the body is sent
 * uncompressed. Responses to writes are never compressed: they may contain a secret next to the
 * caller's own input, and the compressed size would reveal the secret (BREACH).
 */
function packedBody(
  request: IncomingMessage,
  { status, body }: StoredIdempotentResponse,
  headers: Record<string, string | number>,
): Buffer | null {
  if (request.method !== 'GET' || status !== 200 || body.length <= PACKED_FROM) return null;
  headers.Vary = 'Accept-Encoding';
  if (!acceptsEncoding(request.headers['accept-encoding'])) return null;
  headers['Content-Encoding'] = 'gzip';
  return compressOpenApiResponseBody(body);
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: StoredIdempotentResponse,
  exchange: Exchange,
): void {
  const headers: Record<string, string | number> = {
    'X-Request-Id': exchange.request_id,
    'Cache-Control': 'no-store',
    ...exchange.headers,
    ...answer.headers,
    ...getConnectionCloseHeaders(request),
  };
  if (exchange.rate) {
    headers['X-RateLimit-Limit'] = exchange.rate.limit;
    headers['X-RateLimit-Remaining'] = exchange.rate.remaining;
    headers['X-RateLimit-Reset'] = exchange.rate.reset_unix_s;
  }
  const packed = packedBody(request, answer, headers);
  if (answer.status !== 204 && answer.status !== 304)
    headers['Content-Length'] = packed?.length ?? Buffer.byteLength(answer.body);
  response.writeHead(answer.status, headers);
  // The body is a string, because Node then sends it together with the headers.
  endResponse(request, response, request.method === 'HEAD' ? undefined : (packed ?? answer.body));
}
