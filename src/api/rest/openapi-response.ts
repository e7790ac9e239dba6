/**
 * Serves `GET /v1/openapi.json`. The document is built and compressed only once, because that takes
 * a tenth of a second (warm-up.ts).
 */
import { constants, gzipSync } from 'node:zlib';
import { buildOpenApiDocument } from '@/api/openapi';
import { config } from '@/config';

let made: { root: string; text: string; packed: Buffer | null } | undefined;

export function renderOpenApiText(): string {
  const root = config().api_root;
  if (made?.root !== root) made = { root, text: JSON.stringify(buildOpenApiDocument()), packed: null };
  return made.text;
}

/** Compresses a body: the document at the best level, everything else at the fastest. */
export function compressOpenApiResponseBody(body: string): Buffer {
  if (body !== made?.text) return gzipSync(body, { level: constants.Z_BEST_SPEED });
  made.packed ??= gzipSync(body);
  return made.packed;
}
