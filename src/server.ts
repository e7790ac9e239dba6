/**
 * The server process: HTTP server, `/v1` bridge, guest pages, the dashboard through Next, durable
 * work. scripts/start.mjs starts it, and only the environment configures it (src/config.ts).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { serveOAuthRequest } from '@/api/mcp/authorization';
import { handleMcpRequest } from '@/api/mcp/server';
import { handleRestApiRequest, sendRestFormatErrorResponse } from '@/api/rest/handle-request';
import { releaseAbandonedIdempotencyKeys } from '@/api/rest/idempotency';
import { initializeProcessRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { flushRequestLog } from '@/api/rest/request-log';
import { config, setConfig } from '@/config';
import { isDocsPath, serveDocs } from '@/docs/serve';
import { GUEST_PAGE_ASSETS_URL_PATH, handleGuestPageAsset } from '@/guest/asset-files';
import { findGuestPageRoute, serveGuestPage } from '@/guest/http/serve';
import { limitConnections } from '@/http-entry/connections';
import { type RequestHandler, withHttpEntryChecks } from '@/http-entry/http-entry';
import { handleMalformedRequests, TIMED_OUT_CONNECTION_CHECK_INTERVAL_MS } from '@/http-entry/malformed-requests';
import { classifyRequestHostname, isGuestPagePath } from '@/http-entry/property-hosts';
import { isRequestPathDecodable } from '@/http-entry/request-target';
import { closeDatabase } from '@/infra/db/client';
import { openDatabase } from '@/infra/db/open';
import { getCallerIpAddress, respondMethodNotAllowed } from '@/infra/http/web-request';
import { logger } from '@/infra/logger';
import { collectProcessMetrics } from '@/infra/metrics';
import { startOperatorSocket } from '@/infra/operator-socket';
import { closeOutboundConnections } from '@/infra/outbound/client';
import { closeParserPool } from '@/infra/parser-pool';
import { acquireInstanceLock } from '@/infra/process/instance-lock';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { writeBufferedApiKeyUses } from '@/modules/api-keys/service';
import { isOAuthPath } from '@/modules/assistants/http';
import { closeCertificateRenderPool } from '@/modules/certificates/render';
import { assertSealingKeyFileUsable } from '@/modules/certificates/seal/installation-key';
import { assertTimestampRootsFileUsable } from '@/modules/certificates/seal/timestamp-authority';
import { isPropertyHostName } from '@/modules/properties/domains/custom-domain.service';
import { waitUntilCheckpointIsStoredExternally } from '@/modules/public-log/known-checkpoint';
import { startEpochIfLogDiverged } from '@/modules/public-log/service';
import { executeCommand } from '@/operator/execute';
import { createFirstAccountIfNoneExists } from '@/operator/first-start';
import { sendReadinessResponse } from '@/operator/health/readiness';
import { handleMetricsRequest } from '@/operator/metrics';
import { AppError } from '@/shared/errors';
import { startDurableWorkRuntime } from '../inngest/start';
import {
  createDashboardPageServer,
  findRunningDashboardBuild,
  isServingDashboardPages,
  loadNextJsApplication,
} from './next-pages';
import { warmUpServer } from './warm-up';

/**
 * The time in which running requests must finish at shutdown. It is short in development, where a
 * browser never closes its connection.
 */
const DRAIN_MS = process.env.NODE_ENV === 'development' ? 300 : 10_000;

const stops: (() => Promise<void>)[] = [];
let stopping = false;

async function main(): Promise<void> {
  const started = performance.now();
  const embedded = !config().database_url;
  if (embedded) {
    const lock = await acquireInstanceLock(config().data_dir);
    stops.push(() => lock.release());
  }
  const { applied } = await openDatabase();
  stops.push(closeDatabase);
  if (applied.length > 0)
    console.log(`  Migrated the database (${applied.length} migration${applied.length === 1 ? '' : 's'}).`);

  const statement = await startEpochIfLogDiverged();
  if (statement) logger().warn({ statement }, 'the database is older than the public log, which begins a new epoch');
  stops.push(waitUntilCheckpointIsStoredExternally);

  await assertSealingKeyFileUsable();
  await assertTimestampRootsFileUsable();
  const work = await startDurableWorkRuntime({ onProcessDeath: releaseAbandonedIdempotencyKeys });
  stops.push(
    await initializeProcessRateLimiter(),
    closeOutboundConnections,
    closeCertificateRenderPool,
    closeParserPool,
    flushRequestLog,
    writeBufferedApiKeyUses,
    work.stop,
  );
  if (config().metrics_token) collectProcessMetrics();
  const pages = isServingDashboardPages()
    ? createDashboardPageServer(findRunningDashboardBuild(), loadNextJsApplication)
    : null;
  if (pages) stops.push(pages.close);
  // Runs before the server listens, so that no stranger can create the first account.
  const showFirstStart = embedded ? await createFirstAccountIfNoneExists() : null;
  const next: RequestHandler = pages?.handler ?? ((_request, response) => notFound(response));
  const handler = withHttpEntryChecks(route(next, work.handler));
  const server = createServer({ connectionsCheckingInterval: TIMED_OUT_CONNECTION_CHECK_INTERVAL_MS }, handler);
  handleMalformedRequests(server);
  const connections = limitConnections(server);
  // Node closes an idle connection after 5 seconds by default, while clients may still reuse it.
  server.keepAliveTimeout = 65_000;
  await listen(server);
  stops.push(() => connections.drain(DRAIN_MS));
  if (embedded) {
    const socket = await startOperatorSocket(config().data_dir, executeCommand);
    stops.push(() => socket.close());
  }
  console.log(
    `\n  Threshold is serving at ${config().app_url} (ready in ${((performance.now() - started) / 1000).toFixed(1)} s)`,
  );
  await showFirstStart?.();
  if (config().production) void warmUpServer();
}

/**
 * Routes requests. `/v1`, `/api/inngest` and the guest pages bypass Next's router. A vanity host
 * serves only its guest pages.
 */
function route(next: RequestHandler, inngest: RequestHandler): RequestHandler {
  return async (request, response) => {
    const path = request.url ?? '/';
    if (path === '/healthz') return void response.writeHead(stopping ? 503 : 200).end(stopping ? 'stopping' : 'ok');
    if (path === '/readyz') return sendReadinessResponse(response, stopping);
    const host = await classifyRequestHostname(request.headers.host).catch(() => 'main' as const);
    if (host === 'unknown' || (host === 'vanity' && !isGuestPagePath(path)))
      return isApiPath(path) ? sendRestFormatErrorResponse(request, response, wrongHost(request)) : notFound(response);
    if (path === '/metrics') return handleMetricsRequest(request, response);
    if (isDocsPath(path)) return serveDocs(request, response);
    if (path.startsWith(GUEST_PAGE_ASSETS_URL_PATH)) return handleGuestPageAsset(request, response);
    if (isApiPath(path)) return handleRestApiRequest(request, response);
    if (path === '/mcp') return handleMcpRequest(request, response);
    if (isOAuthPath(path)) return serveOAuthRequest(request, response);
    if (path.startsWith('/api/inngest')) return inngest(request, response);
    // `/v1` and the routes above respond to undecodable paths themselves.
    if (!isRequestPathDecodable(path)) return notFound(response);
    if (path.startsWith('/api/tls-allowed')) return answerTlsQuestion(path, response);
    // Page handlers have no access to the socket, so the address is passed in a header that callers
    // cannot set.
    const ip = getCallerIpAddress(request);
    delete request.headers[CLIENT_IP_ADDRESS_HEADER];
    if (ip) request.headers[CLIENT_IP_ADDRESS_HEADER] = ip;
    const guest_page = findGuestPageRoute(path);
    if (guest_page) return serveGuestPage(guest_page, request, response);
    // Pages only support GET. Next treats other methods as calls of server functions, which do not
    // exist here. It logs each with a stack trace, and resolving the source maps takes a third of a
    // second.
    if (request.method !== 'GET' && request.method !== 'HEAD' && !path.startsWith('/api/'))
      return void respondMethodNotAllowed(response, ['GET', 'HEAD']);
    // A mutation's response may contain a secret next to the caller's own input. If it were
    // compressed, its size would reveal the secret (BREACH).
    if (path.startsWith('/api/trpc/') && request.method !== 'GET') delete request.headers['accept-encoding'];
    // The content type of a route handler is a list. Some versions of Next cannot read it and
    // therefore do not compress the response (vercel/next.js#98007).
    else if (path.startsWith('/api/trpc/')) response.setHeader('Content-Type', 'application/json');
    return next(request, response);
  };
}

const isApiPath = (path: string) => path === '/v1' || path.startsWith('/v1/') || path.startsWith('/v1?');

const wrongHost = ({ headers }: IncomingMessage) =>
  new AppError('route_not_found', { message: `The API is not served under the host name ${headers.host}.` });

const notFound = (response: ServerResponse) =>
  void response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Not found');

/**
 * Responds to a TLS terminator that needs to know whether it may obtain a certificate for a name:
 * 200 for a vanity host, otherwise 404.
 */
async function answerTlsQuestion(path: string, response: ServerResponse): Promise<void> {
  const domain = new URL(path, 'http://localhost').searchParams.get('domain')?.toLowerCase() ?? '';
  if (domain && (await isPropertyHostName(domain))) response.writeHead(200).end('yes');
  else notFound(response);
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(config().port, config().host, () => {
      const address = server.address();
      if (config().port === 0 && address && typeof address === 'object') {
        const app_url = process.env.APP_URL ?? `http://localhost:${address.port}`;
        setConfig({ port: address.port, app_url, api_root: `${app_url}/v1` });
      }
      resolve();
    });
  });
}

async function stop(signal: string): Promise<void> {
  if (stopping) process.exit(1);
  stopping = true;
  console.log(`\n  ${signal}: finishing running requests …`);
  for (const close of stops.reverse()) {
    await close().catch((error) => logger().error({ err: error }, 'shutdown step failed'));
  }
  process.exit(0);
}

// The process that reads the output may exit. Logging the resulting error to the same output would
// cause another error, endlessly.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
process.on('SIGINT', () => void stop('SIGINT'));
process.on('SIGTERM', () => void stop('SIGTERM'));
process.on('unhandledRejection', (error) => logger().error({ err: error }, 'unhandled rejection'));

main().catch((error) => {
  console.error(`\n  Threshold could not start: ${error instanceof Error ? error.message : error}\n`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});
