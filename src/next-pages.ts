/**
 * Serves the dashboard's pages through Next inside the server process. Next is loaded with the
 * first page request, because the API and the guest pages do not need it. While `npm start` builds
 * the pages for the first time (scripts/start.mjs), each page responds with 503 and a page that
 * reloads itself. All other paths work meanwhile.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { config } from '@/config';
import type { RequestHandler } from '@/http-entry/http-entry';
import { warmUpNextJsRoutes } from './warm-up';

/** A process that builds the dashboard's pages while the server is already running. */
export interface RunningDashboardBuild {
  /** Settles when the build ends, and rejects when it fails. */
  readonly done: Promise<unknown>;
  /** The build's current step: the last line that it printed. */
  progress(): string;
  /** Start time in milliseconds since the epoch. */
  readonly began: number;
}

/**
 * The key under which scripts/start.mjs, which is not part of the bundle, passes the build to the
 * server.
 */
const BUILD = Symbol.for('threshold.dashboard-build');

/** Returns the build that scripts/start.mjs began, or null when there was nothing to build. */
export function findRunningDashboardBuild(): RunningDashboardBuild | null {
  return (globalThis as { [BUILD]?: RunningDashboardBuild })[BUILD] ?? null;
}

const RETRY_S = 3;

/** A loaded Next application. */
export interface NextJsApplication {
  readonly handler: RequestHandler;
  close(): Promise<void>;
}

/**
 * Serves pages: the progress page until the build is done, then the result of `load`. `load` runs
 * with the first request after the build, and again after a failure.
 */
export function createDashboardPageServer(build: RunningDashboardBuild | null, load: () => Promise<NextJsApplication>) {
  let state: 'building' | 'built' | 'failed' = build ? 'building' : 'built';
  build?.done.then(
    () => {
      state = 'built';
    },
    () => {
      state = 'failed';
    },
  );
  let pages: Promise<NextJsApplication> | null = null;
  const loaded = () => {
    pages ??= load().catch((error) => {
      pages = null;
      throw error;
    });
    return pages;
  };
  const handler: RequestHandler = async (request, response) => {
    if (state === 'built') return (await loaded()).handler(request, response);
    const body = state === 'failed' ? failurePage() : progressPage(build);
    response.writeHead(503, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
      'Content-Security-Policy': POLICY,
      'Cache-Control': 'no-store',
      'Retry-After': String(RETRY_S),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  return { handler, close: async () => (await pages)?.close() };
}

const STYLE = `:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;place-items:center}
main{max-width:32rem;padding:1.5rem}h1{font-size:1.375rem;margin:0 0 .5rem}progress{width:100%}
code{overflow-wrap:anywhere}`;

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = (head: string, title: string, content: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${head}<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
<p>The API, its <a href="/docs">documentation</a> and the guests’ pages are served already.</p>
</main>
</body>
</html>
`;

const escaped = (text: string) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function progressPage(build: RunningDashboardBuild | null): string {
  const seconds = Math.round((Date.now() - (build?.began ?? Date.now())) / 1000);
  const step = build?.progress() ?? '';
  const content = `<p>This happens once, and takes about a minute. The page reloads itself.</p>
<progress aria-label="Building the dashboard"></progress>
<p>${seconds} seconds so far${step ? `: <code>${escaped(step)}</code>` : '.'}</p>`;
  return page(`<meta http-equiv="refresh" content="${RETRY_S}">\n`, 'The dashboard is being built', content);
}

const failurePage = () =>
  page(
    '',
    'The dashboard could not be built',
    '<p>The terminal that runs <code>npm start</code> shows why. Correct the cause and start the server again.</p>',
  );

/**
 * Returns whether this process serves pages. It does not in tests of the API or in installations
 * without a build.
 */
export function isServingDashboardPages(): boolean {
  if (process.env.THRESHOLD_WITHOUT_NEXT === '1') return false;
  return !config().production || findRunningDashboardBuild() !== null || existsSync('.next/BUILD_ID');
}

/** Loads Next from its build, or in its development mode. */
export async function loadNextJsApplication(): Promise<NextJsApplication> {
  const { default: createNext } = await import('next');
  const dev = !config().production;
  // In production, Next gets a server that receives no requests. On the real server, Next would
  // listen for upgrade requests and never answer unknown ones. Without a listener, Node handles an
  // upgrade request as an ordinary request (RFC 9110, 7.8). Only development mode uses a web
  // socket.
  const httpServer = dev ? undefined : createServer();
  const app = createNext({ dev, hostname: config().host, port: config().port, httpServer });
  await app.prepare();
  const handler = app.getRequestHandler();
  if (!dev) void warmUpNextJsRoutes();
  return { handler: (request, response) => handler(request, response), close: () => app.close() };
}
