/** Reads a request's body up to a limit, and never buffers more than that. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '@/shared/errors';

export const MAX_BODY_BYTES = 1024 * 1024;

/** Throws `request_too_large`. The rest of an oversized body is drained without being kept, so that the answer arrives. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_BODY_BYTES) {
    request.resume();
    throw new AppError('request_too_large');
  }
  if (declared === 0 && !request.headers['transfer-encoding']) return Buffer.alloc(0);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) {
      request.resume();
      throw new AppError('request_too_large');
    }
    chunks.push(chunk);
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

/**
 * Parses a JSON object. An empty body is an empty object, since some writes have no body.
 * Throws `unsupported_media_type` and `invalid_json`.
 */
export function parseJsonObject(body: Buffer, content_type: string | undefined): Record<string, unknown> {
  if (body.length === 0) return {};
  if (!/^application\/json\s*(;|$)/i.test(content_type ?? '')) throw new AppError('unsupported_media_type');
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError('invalid_json', { internal: cause });
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new AppError('invalid_json', { message: 'The request body must be a JSON object.' });
  }
  return value as Record<string, unknown>;
}
