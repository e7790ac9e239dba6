/**
 * Provides the stylesheet, script and fonts of the guest pages. build-assets.mjs builds them into
 * build/guest, with content hashes in their names and a manifest. The server serves them under
 * /guest-assets/.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { acceptsEncoding } from '@/shared/accepts-encoding';

export const GUEST_PAGE_ASSETS_URL_PATH = '/guest-assets/';

export interface GuestPageAssetUrlPaths {
  /** The URL path of the stylesheet. */
  css: string;
  /** The URL path of the script. */
  js: string;
}

interface Manifest {
  css: string;
  js: string;
  files: Record<string, { content_type: string }>;
}

// Next bundles a second copy of this module. A global variable lets both copies share one manifest.
const slot = globalThis as typeof globalThis & { __thresholdGuestManifest?: Manifest };

const directory = (root: string) => join(root, 'build', 'guest');

function manifest(root: string): Manifest {
  if (slot.__thresholdGuestManifest === undefined) {
    const file = join(directory(root), 'manifest.json');
    if (!existsSync(file))
      throw new Error(`The guest pages' files are not built: ${file} is missing. Run npm run build.`);
    slot.__thresholdGuestManifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  }
  return slot.__thresholdGuestManifest;
}

/** Returns the current URL paths. Throws when the files were not built (`npm run build`). */
export function getGuestPageAssetUrlPaths(root: string = process.cwd()): GuestPageAssetUrlPaths {
  const { css, js } = manifest(root);
  return { css: GUEST_PAGE_ASSETS_URL_PATH + css, js: GUEST_PAGE_ASSETS_URL_PATH + js };
}

export interface GuestPageAssetResponse {
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * Returns a file's content and headers, or null for an unknown file. Throws when the files were not
 * built (`npm run build`).
 */
export function readGuestPageAsset(
  name: string,
  accept_encoding: string | null,
  root: string = process.cwd(),
): GuestPageAssetResponse | null {
  const { files } = manifest(root);
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) return null;
  const headers: Record<string, string> = {
    'Content-Type': file.content_type,
    'Cache-Control': 'public, max-age=31536000, immutable',
  };
  const path = join(directory(root), name);
  // Fonts are already compressed.
  if (name.endsWith('.woff2')) return { body: readFileSync(path), headers };
  headers.Vary = 'Accept-Encoding';
  for (const [encoding, extension] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    if (!acceptsEncoding(accept_encoding ?? undefined, encoding)) continue;
    headers['Content-Encoding'] = encoding;
    return { body: readFileSync(path + extension), headers };
  }
  return { body: readFileSync(path), headers };
}

export function handleGuestPageAsset(request: IncomingMessage, response: ServerResponse): void {
  const name = (request.url ?? '').split('?', 1)[0]?.slice(GUEST_PAGE_ASSETS_URL_PATH.length) ?? '';
  const file = readGuestPageAsset(name, String(request.headers['accept-encoding'] ?? ''));
  if (!file) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found');
  response.writeHead(200, file.headers).end(request.method === 'HEAD' ? undefined : file.body);
}
