/**
 * Serves `/docs`, its pages as Markdown, its search and files, `/llms.txt`, `/robots.txt` and
 * `/sitemap.xml` from the server process. The pages are static HTML with a stylesheet and a small
 * script.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { config } from '@/config';
import { respondMethodNotAllowed } from '@/infra/http/web-request';
import { THEME_COOKIE } from '@/modules/accounts/session-headers';
import { acceptsEncoding } from '@/shared/accepts-encoding';
import { type DocsPageAssets, renderDocsNotFoundPage, renderDocsPage } from './layout';
import { buildTryItRequests } from './reference';
import {
  buildDocsSite,
  type DocsSite,
  renderLlmsFullTxt,
  renderLlmsTxt,
  renderRobotsTxt,
  renderSearchIndex,
  renderSecurityTxt,
  renderSitemap,
} from './site';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
  gzip: Buffer | null;
}

interface Library {
  site: DocsSite;
  assets: DocsPageAssets;
  files: Map<string, Answer>;
  answers: Map<string, Answer>;
}

const ASSETS_PATH = '/docs/assets/';
const FILES = {
  css: ['src/docs/assets/docs.css', 'text/css; charset=utf-8'],
  js: ['src/docs/assets/docs.js', 'text/javascript; charset=utf-8'],
  try: ['src/docs/assets/try.js', 'text/javascript; charset=utf-8'],
  font: ['node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2', 'font/woff2'],
} as const;

let library: Library | undefined;

/** Returns whether a URL belongs to the documentation. */
export function isDocsPath(url: string): boolean {
  return /^\/(docs(?:\.md)?|docs\/.*|llms\.txt|llms-full\.txt|robots\.txt|sitemap\.xml|\.well-known\/security\.txt)(\?|$)/.test(
    url,
  );
}

/** Answers one request. */
export function serveDocs(request: IncomingMessage, response: ServerResponse): void {
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return void respondMethodNotAllowed(response, ['GET', 'HEAD']);
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  const answer = answerOf(path, themeOf(request.headers.cookie ?? ''));
  const zipped = answer.gzip && acceptsEncoding(request.headers['accept-encoding']) ? answer.gzip : null;
  const headers: Record<string, string> = { ...answer.headers, ...(zipped ? { 'Content-Encoding': 'gzip' } : {}) };
  if (headers.ETag && request.headers['if-none-match'] === headers.ETag)
    return void response.writeHead(304, headers).end();
  const body = zipped ?? answer.body;
  response.writeHead(answer.status, { ...headers, 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}

/**
 * Returns the built site. Builds it once, or in development for every request, so that authors see
 * their changes.
 */
function getLibrary(): Library {
  if (library && config().production) return library;
  const files = new Map<string, Answer>();
  const place = (kind: keyof typeof FILES, change = (content: Buffer) => content): string => {
    const [file, type] = FILES[kind];
    const content = change(readFileSync(join(process.cwd(), file)));
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10);
    const path = `${ASSETS_PATH}${hash}${file.slice(file.lastIndexOf('.'))}`;
    files.set(path, answer(200, type, content, { 'Cache-Control': 'public, max-age=31536000, immutable' }));
    return path;
  };
  const font = place('font');
  const css = place('css', (content) => Buffer.from(content.toString().replace('FONT', font)));
  const assets = { css, js: place('js'), try: place('try'), font };
  library = { site: buildDocsSite(), assets, files, answers: new Map() };
  return library;
}

function securityAnswer(): Answer {
  const written = renderSecurityTxt();
  return written === null ? answer(404, 'text/plain', Buffer.from('Not found\n'), {}) : text(written, 'text/plain');
}

function answerOf(path: string, theme: string): Answer {
  const { site, assets, files, answers } = getLibrary();
  // Not cached, because the file contains an expiry date that changes daily.
  if (path === '/.well-known/security.txt') return securityAnswer();
  const file = files.get(path);
  if (file) return file;
  const page = site.byPath.get(path);
  const key = page ? `${theme} ${path}` : path;
  const known = answers.get(key);
  if (known) return known;
  if (page) return cached(answers, key, html(200, renderDocsPage(site, page, assets, theme)));
  const markdown = path.endsWith('.md') && site.byPath.get(path.slice(0, -3));
  if (markdown) return cached(answers, key, text(markdown.markdown, 'text/markdown'));
  if (path === '/llms.txt') return cached(answers, key, text(renderLlmsTxt(site), 'text/plain'));
  if (path === '/llms-full.txt') return cached(answers, key, text(renderLlmsFullTxt(site), 'text/plain'));
  if (path === '/robots.txt') return cached(answers, key, text(renderRobotsTxt(), 'text/plain'));
  if (path === '/sitemap.xml') return cached(answers, key, text(renderSitemap(site), 'application/xml'));
  if (path === '/docs/search.json') return cached(answers, key, text(renderSearchIndex(site), 'application/json'));
  if (path === '/docs/try.json') return cached(answers, key, text(buildTryItRequests(), 'application/json'));
  // The pages link to these two programs.
  if (path === '/docs/verify-certificate.py' || path === '/docs/monitor-log.py')
    return cached(answers, key, text(readFileSync(join(process.cwd(), path.slice(1)), 'utf8'), 'text/plain'));
  if (path.endsWith('/') && site.byPath.has(path.slice(0, -1)))
    return answer(308, 'text/plain', Buffer.from(''), { Location: path.slice(0, -1) });
  // All unknown paths share one cached response, so that requests for random paths cannot fill the
  // cache.
  const missing = `${theme} missing`;
  return answers.get(missing) ?? cached(answers, missing, html(404, renderDocsNotFoundPage(site, assets, theme)));
}

function cached(answers: Map<string, Answer>, key: string, made: Answer): Answer {
  answers.set(key, made);
  return made;
}

function html(status: number, body: string): Answer {
  return answer(status, 'text/html; charset=utf-8', Buffer.from(body), {
    'Content-Security-Policy': POLICY,
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
  });
}

const text = (body: string, type: string) =>
  answer(200, `${type}; charset=utf-8`, Buffer.from(body), { 'Cache-Control': 'no-cache' });

function answer(status: number, type: string, body: Buffer, more: Record<string, string>): Answer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  const compresses = type !== 'font/woff2';
  const headers = {
    'Content-Type': type,
    ...(status === 200 ? { ETag: etag } : {}),
    ...(compresses ? { Vary: 'Accept-Encoding, Cookie' } : {}),
    ...more,
  };
  return { status, headers, body, gzip: compresses ? gzipSync(body, { level: 9 }) : null };
}

function themeOf(cookie: string): string {
  const theme = cookie
    .split('; ')
    .find((one) => one.startsWith(`${THEME_COOKIE}=`))
    ?.slice(THEME_COOKIE.length + 1);
  return theme === 'light' || theme === 'dark' ? theme : '';
}
