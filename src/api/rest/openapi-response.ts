/** `GET /v1/openapi.json`: built once for an address, a tenth of a second of work (warm-up.ts), and compressed once. */
import { constants, gzipSync } from 'node:zlib';
import { buildOpenApiDocument } from '@/api/openapi';
import { config } from '@/config';

let made: { root: string; text: string; packed: Buffer | null } | undefined;

export function openApiText(): string {
  const root = config().api_root;
  if (made?.root !== root) made = { root, text: JSON.stringify(buildOpenApiDocument()), packed: null };
  return made.text;
}

/** A body, compressed: the document as small as it gets, every other as fast as it goes. */
export function pack(body: string): Buffer {
  if (body !== made?.text) return gzipSync(body, { level: constants.Z_BEST_SPEED });
  made.packed ??= gzipSync(body);
  return made.packed;
}
