/**
 * Serves the guest pages from the server process, like `/v1` and `/docs`. A guest page consists of
 * HTML and one small script. Routing it through Next would take as long as rendering it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { config } from '@/config';
import { refuseMethod, webHeaders } from '@/infra/http/web-request';
import { acceptsEncoding } from '@/shared/accepts-encoding';
import { copyPage, copyPdf, copyView } from './certificate/copy';
import { certificatePdf, inclusionProof, verifyPage } from './certificate/verify';
import { exceedsMissLimit } from './misses';
import { localeOf, orFailurePage, stateResponse } from './respond';
import { signPage, signSubmit, signView } from './sign';

/** Handles a request with one HTTP method. */
type Handle = (request: Request, token: string) => Promise<Response>;
type Methods = Partial<Record<string, Handle>>;

/** The handlers for each path, by HTTP method. `:token` is a placeholder. */
export const GUEST_PAGES: ReadonlyMap<string, Methods> = new Map<string, Methods>([
  ['/sign/:token', { GET: signPage, POST: signSubmit }],
  ['/sign/:token/view', { POST: signView }],
  ['/c/:token', { GET: copyPage }],
  ['/c/:token/view', { POST: copyView }],
  ['/c/:token/certificate.pdf', { GET: copyPdf }],
  ['/verify/:token', { GET: verifyPage }],
  ['/verify/:token/certificate.pdf', { GET: certificatePdf }],
  ['/verify/:token/inclusion.tlog-proof', { GET: inclusionProof }],
]);

const zipped = promisify(gzip);

/** The handlers for a guest page, with the token from its path. */
export interface GuestPage {
  readonly methods: Methods;
  readonly token: string;
}

/** Returns the guest page for a URL, which may include a query. Returns null for other URLs. */
export function guestPageAt(url: string): GuestPage | null {
  const [empty, kind, token, ...rest] = (url.split('?', 1)[0] ?? '').split('/');
  const methods = GUEST_PAGES.get([empty, kind, ':token', ...rest].join('/'));
  return methods && token ? { methods, token } : null;
}

/** Answers one request. A header that callers cannot set contains the caller's IP address. */
export async function serveGuestPage(
  { methods, token }: GuestPage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET' } = request;
  const handle = methods[method === 'HEAD' ? 'GET' : method];
  if (!handle) {
    const allowed = Object.keys(methods).flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
    return void refuseMethod(response, allowed);
  }
  const asked = await webRequest(request);
  const answer = await answerLookUp(asked, () => handle(asked, token));
  const headers = Object.fromEntries(answer.headers);
  let body: Uint8Array = new Uint8Array(await answer.arrayBuffer());
  if (method !== 'POST' && headers['content-type']?.startsWith('text/html')) {
    headers.vary = 'Accept-Encoding';
    if (acceptsEncoding(request.headers['accept-encoding'])) {
      headers['content-encoding'] = 'gzip';
      // Compresses asynchronously, because a packet may be long.
      body = await zipped(body);
    }
  }
  // A response without a body, such as a 204, has no length.
  if (answer.body) headers['content-length'] = String(body.length);
  response.writeHead(answer.status, headers).end(method === 'HEAD' ? undefined : body);
}

/**
 * Answers a request for a link. After too many unknown links from the same IP address, returns a
 * page that asks the visitor to wait.
 */
export async function answerLookUp(request: Request, handle: () => Promise<Response>): Promise<Response> {
  const answer = await orFailurePage(request, handle);
  if (answer.status !== 404 || !(await exceedsMissLimit(request))) return answer;
  return stateResponse('rate_limited', { locale: localeOf(request), path: new URL(request.url).pathname });
}

async function webRequest(request: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/' } = request;
  const body = method === 'POST' ? new Uint8Array(await buffer(request)) : undefined;
  return new Request(new URL(url, config().app_url), { method, headers: webHeaders(request.headers), body });
}
