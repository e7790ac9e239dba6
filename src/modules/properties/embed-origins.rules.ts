/**
 * Decides which sites may embed a property's signing page, and reports which site embedded a page.
 * Pure.
 */
import { hasPlainHost } from '@/shared/plain-host';

export const MAX_EMBED_ORIGINS = 10;
/** The longest origin: a scheme, a host name of 253 characters, a port and a slash. */
export const MAX_ORIGIN_LENGTH = 270;
/** The form of an origin. `parseEmbedOrigin` validates it. */
export const ORIGIN_PATTERN = /^https?:\/\/[a-zA-Z0-9.-]+(?::\d{1,5})?\/?$/;
const LOCAL = 'localhost';

/**
 * Returns an origin as browsers write it (`https://portal.example`). Returns null for text that a
 * policy cannot list: an origin must use https, or http on localhost, and have a host name instead
 * of an IP address, with nothing after the host.
 */
export function parseEmbedOrigin(text: string): string | null {
  // Tests the text, because a URL parser drops line feeds, replaces backslashes and decodes
  // escapes.
  if (text.length > MAX_ORIGIN_LENGTH || !ORIGIN_PATTERN.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!hasPlainHost(url) || /^[\d.]+$|\.$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.hostname === LOCAL ? url.origin : null;
}

/** Returns whether the origin is on the visitor's own machine, which only test mode allows. */
export const isLocalOrigin = (origin: string): boolean => new URL(origin).hostname === LOCAL;

/**
 * The origin in the trail when the browser did not name the page that embedded the signing page.
 */
export const UNKNOWN_EMBED_ORIGIN = 'unknown';

/**
 * Returns the origin of the page that embedded a requested page, according to the browser, or null
 * when the page is not embedded. Browsers embed the page only in listed origins, so an unlisted
 * origin is not trusted. `dest` is the request's `Sec-Fetch-Dest`, which scripts cannot set.
 */
export function findEmbeddingOrigin(
  origins: readonly string[],
  { dest, named }: { dest: string | null; named: string | null },
): string | null {
  if (dest === 'document') return null;
  if (named !== null && origins.includes(named)) return named;
  return dest === 'iframe' || dest === 'frame' ? UNKNOWN_EMBED_ORIGIN : null;
}
