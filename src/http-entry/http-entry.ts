/**
 * The HTTP entry, which every request passes before our own handlers or Next's. It adds the common
 * response headers and buffers the body. Bodies that exceed the limits of their path are refused.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildErrorBody } from '@/api/rest/error-response';
import { config } from '@/config';
import { choosePageLocale, createUnusableGuestLinkResponse } from '@/guest/http/respond';
import {
  bufferBody,
  createRejectedBodyError,
  endResponse,
  getConnectionCloseHeaders,
} from '@/infra/http/body-buffering';
import { getCallerIpAddress } from '@/infra/http/web-request';
import { logger } from '@/infra/logger';
import { AppError } from '@/shared/errors';
import { newId } from '@/shared/ids';
import { getIpAddressRateLimitKey } from '@/shared/ip';
import { getBodyLimit } from './body-limits';
import { hasSingleHostHeader, rewriteTargetToOriginForm } from './request-target';
import { buildSecurityHeaders } from './security-headers';

/**
 * Maximum length of a User-Agent. Longer values are cut, because Next matches the header against a
 * pattern that takes quadratic time for long words.
 */
const LONGEST_USER_AGENT = 500;

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Wraps a handler with the checks of the HTTP entry. */
export function withHttpEntryChecks(handler: RequestHandler): RequestHandler {
  return async (request, response) => {
    try {
      await pass(handler, request, response);
    } catch (error) {
      logger().error({ err: error, path: request.url }, 'a request failed in the HTTP entry');
      if (response.headersSent) response.destroy();
      else await sendResponse(request, response, objectOf(new AppError('internal_error')));
    }
  };
}

async function pass(handler: RequestHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries(buildSecurityHeaders(request.url))) response.setHeader(name, value);
  const agent = request.headers['user-agent'];
  if (agent) request.headers['user-agent'] = agent.slice(0, LONGEST_USER_AGENT);
  if (!hasSingleHostHeader(request) || !rewriteTargetToOriginForm(request))
    return sendResponse(request, response, objectOf(new AppError('malformed_request')));
  const url = request.url ?? '/';
  const limit = getBodyLimit(url);
  const refused = limit.refuse?.(request);
  if (refused) return sendResponse(request, response, refused);
  const address = () => getIpAddressRateLimitKey(getCallerIpAddress(request));
  const verdict = bufferBody(request, response, { bytes: limit.bytes, address });
  // The REST bridge reports body errors itself, because the specification requires that path and
  // method are checked first.
  if (/^\/v1(?=[/?]|$)/.test(url)) return handler(request, response);
  const result = await verdict;
  if (result === 'whole') return handler(request, response);
  if (result === 'gone') return;
  const error = createRejectedBodyError(result, limit.bytes);
  return sendResponse(request, response, await (limit.page ? pageOf(error, request) : objectOf(error)));
}

function objectOf(error: AppError): Response {
  const request_id = newId('request');
  const headers: Record<string, string> = { 'X-Request-Id': request_id, 'Cache-Control': 'no-store' };
  if (error.retryAfter !== null) headers['Retry-After'] = String(error.retryAfter);
  return Response.json(buildErrorBody(error, request_id), { status: error.definition.status, headers });
}

/** Returns the response to a rejected guest form: a page in the guest's language. */
async function pageOf(error: AppError, { url = '/', headers }: IncomingMessage): Promise<Response> {
  const request = new Request(new URL(url, config().app_url), {
    headers: { 'accept-language': headers['accept-language'] ?? '' },
  });
  const path = new URL(request.url).pathname;
  const page = await createUnusableGuestLinkResponse('form_refused', { locale: choosePageLocale(request), path });
  return new Response(page.body, { status: error.definition.status, headers: page.headers });
}

async function sendResponse(request: IncomingMessage, response: ServerResponse, answer: Response): Promise<void> {
  const body = await answer.text();
  response.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    'Content-Length': Buffer.byteLength(body),
    ...getConnectionCloseHeaders(request),
  });
  endResponse(request, response, request.method === 'HEAD' ? undefined : body);
}
