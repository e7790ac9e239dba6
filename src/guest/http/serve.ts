/**
 * Serves the guest pages from the server process, like `/v1` and `/docs`. A guest page consists of
 * HTML and one small script. Routing it through Next would take as long as rendering it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { config } from '@/config';
import { respondMethodNotAllowed, toWebHeaders } from '@/infra/http/web-request';
import { acceptsEncoding } from '@/shared/accepts-encoding';
import {
  handleSignedCopyOpenedReport,
  handleSignedCopyPageRequest,
  handleSignedCopyPdfRequest,
} from './certificate/copy';
import {
  handleCertificatePdfRequest,
  handleInclusionProofRequest,
  handleVerifyPageRequest,
} from './certificate/verify';
import { choosePageLocale, createUnusableGuestLinkResponse, runOrReturnFailurePage } from './respond';
import { handleSignPageRequest, handleSignPageViewEvent, handleSignSubmit } from './sign';
import { hasExceededUnknownLinkLimit } from './unknown-link-limit';

/** Handles a request with one HTTP method. */
type Handle = (request: Request, token: string) => Promise<Response>;
type Methods = Partial<Record<string, Handle>>;

/** The handlers for each path, by HTTP method. `:token` is a placeholder. */
export const GUEST_PAGES: ReadonlyMap<string, Methods> = new Map<string, Methods>([
  ['/sign/:token', { GET: handleSignPageRequest, POST: handleSignSubmit }],
  ['/sign/:token/view', { POST: handleSignPageViewEvent }],
  ['/c/:token', { GET: handleSignedCopyPageRequest }],
  ['/c/:token/view', { POST: handleSignedCopyOpenedReport }],
  ['/c/:token/certificate.pdf', { GET: handleSignedCopyPdfRequest }],
  ['/verify/:token', { GET: handleVerifyPageRequest }],
  ['/verify/:token/certificate.pdf', { GET: handleCertificatePdfRequest }],
  ['/verify/:token/inclusion.tlog-proof', { GET: handleInclusionProofRequest }],
]);

const zipped = promisify(gzip);

/** The handlers for a guest page, with the token from its path. */
export interface GuestPageRoute {
  readonly methods: Methods;
  readonly token: string;
}

/** Returns the guest page for a URL, which may include a query. Returns null for other URLs. */
export function findGuestPageRoute(url: string): GuestPageRoute | null {
  const [empty, kind, token, ...rest] = (url.split('?', 1)[0] ?? '').split('/');
  const methods = GUEST_PAGES.get([empty, kind, ':token', ...rest].join('/'));
  return methods && token ? { methods, token } : null;
}

/** Answers one request. A header that callers cannot set contains the caller's IP address. */
export async function serveGuestPage(
  { methods, token }: GuestPageRoute,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET' } = request;
  const handle = methods[method === 'HEAD' ? 'GET' : method];
  if (!handle) {
    const allowed = Object.keys(methods).flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]));
    return void respondMethodNotAllowed(response, allowed);
  }
  const asked = await webRequest(request);
  const answer = await handleGuestLinkRequest(asked, () => handle(asked, token));
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
export async function handleGuestLinkRequest(request: Request, handle: () => Promise<Response>): Promise<Response> {
  const answer = await runOrReturnFailurePage(request, handle);
  if (answer.status !== 404 || !(await hasExceededUnknownLinkLimit(request))) return answer;
  return createUnusableGuestLinkResponse('rate_limited', {
    locale: choosePageLocale(request),
    path: new URL(request.url).pathname,
  });
}

async function webRequest(request: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/' } = request;
  const body = method === 'POST' ? new Uint8Array(await buffer(request)) : undefined;
  return new Request(new URL(url, config().app_url), { method, headers: toWebHeaders(request.headers), body });
}
