/** Reads a request's body up to a limit, and never buffers more than that. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '@/shared/errors';

export const MAX_BODY_BYTES = 1024 * 1024;
/** Deeper than anything the API takes; a body of brackets alone would overflow the stack of whoever walks it. */
const MAX_DEPTH = 32;

/** Throws `request_too_large`. The rest of an oversized body is drained without being kept, so that the answer arrives. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > MAX_BODY_BYTES) {
    request.resume();
    throw new AppError('request_too_large');
  }
  if (declared === 0 && !request.headers['transfer-encoding']) return Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    // Not `for await`: leaving that loop early destroys the connection, and with it the answer.
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(new AppError('request_too_large'));
      }
    });
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    // The caller went away; nobody is there to be answered.
    request.on('close', () => {
      if (!request.complete) reject(new AppError('invalid_json', { internal: 'The request was not sent whole.' }));
    });
  });
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
