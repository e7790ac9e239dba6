/** Reads a request's body up to a limit. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { bufferBody, createRejectedBodyError } from '@/infra/http/body-buffering';
import { AppError } from '@/shared/errors';
import { getIpAddressRateLimitKey } from '@/shared/ip';

export const MAX_REQUEST_BODY_BYTES = 1024 * 1024;
/**
 * Maximum nesting depth, more than any input of the API needs. Deeply nested brackets would
 * overflow the stack of recursive code.
 */
const MAX_DEPTH = 32;

/**
 * Returns the body. Throws `request_too_large`, `request_timeout`, or `service_unavailable` when
 * the bodies of all requests together take too much memory.
 */
export async function readRequestBody(
  request: IncomingMessage,
  response: ServerResponse,
  ip: string | null,
): Promise<Buffer> {
  const verdict = await bufferBody(request, response, {
    bytes: MAX_REQUEST_BODY_BYTES,
    address: () => getIpAddressRateLimitKey(ip),
  });
  if (verdict !== 'whole') throw createRejectedBodyError(verdict, MAX_REQUEST_BODY_BYTES);
  // The whole body is in the stream's buffer and is returned in one piece.
  const body = (request.read() as Buffer | null) ?? Buffer.alloc(0);
  request.resume();
  return body;
}

/**
 * Parses a JSON object. An empty body counts as an empty object, because some writes have no body.
 * Throws `unsupported_media_type` and `invalid_json`.
 */
export function parseJsonObject(body: Buffer, headers: IncomingHttpHeaders): Record<string, unknown> {
  if (body.length === 0) return {};
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw new AppError('unsupported_media_type');
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new AppError('unsupported_media_type', { message: 'Send the body without a `Content-Encoding`.' });
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError('invalid_json', { internal: cause });
  }
  if (isNestedBeyond(value, MAX_DEPTH)) {
    throw new AppError('invalid_json', { message: 'The request body is nested too deeply.' });
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new AppError('invalid_json', { message: 'The request body must be a JSON object.' });
  }
  return value as Record<string, unknown>;
}

function isNestedBeyond(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((item) => isNestedBeyond(item, levels - 1));
}
