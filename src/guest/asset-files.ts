/**
 * The guest pages' own files: built by build-assets.mjs into build/guest with content hashes in their names, listed in
 * its manifest, served under /guest-assets/.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const GUEST_ASSETS_PATH = '/guest-assets/';

export interface GuestAssets {
  /** URL path of the stylesheet. */
  css: string;
  /** URL path of the script. */
  js: string;
}

interface Manifest {
  css: string;
  js: string;
  files: Record<string, { content_type: string }>;
}

// Next bundles its own copy of this module; the files are read once per process all the same.
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

/** The current names. Throws when the files were not built (`npm run build`). */
export function guestAssets(root: string = process.cwd()): GuestAssets {
  const { css, js } = manifest(root);
  return { css: GUEST_ASSETS_PATH + css, js: GUEST_ASSETS_PATH + js };
}

export interface GuestAssetResponse {
  body: Buffer;
  headers: Record<string, string>;
}

/**
 * One file as it is answered, compressed when the client allows it, or null when there is no such file. Names carry
 * their content's hash, so they never change and are cached for a year.
 */
export function readGuestAsset(
  name: string,
  accept_encoding: string | null,
  root: string = process.cwd(),
): GuestAssetResponse | null {
  const { files } = manifest(root);
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) return null;
  const headers: Record<string, string> = {
    'Content-Type': file.content_type,
    'Cache-Control': 'public, max-age=31536000, immutable',
  };
  const path = join(directory(root), name);
  // Fonts are compressed already.
  if (name.endsWith('.woff2')) return { body: readFileSync(path), headers };
  headers.Vary = 'Accept-Encoding';
  const accepted = (accept_encoding ?? '').toLowerCase();
  for (const [encoding, extension] of [
    ['br', '.br'],
    ['gzip', '.gz'],
  ] as const) {
    if (!accepts(accepted, encoding)) continue;
    headers['Content-Encoding'] = encoding;
    return { body: readFileSync(path + extension), headers };
  }
  return { body: readFileSync(path), headers };
}

/** Whether an `Accept-Encoding`, in lower case, names the encoding without giving it the weight 0. */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim());
    return name === encoding && !parameters.some((text) => /^q ?= ?0(?:\.0*)?$/.test(text));
  });
}
