/**
 * Decides which sites may embed a property's signing page, and determines which site embedded it.
 * Pure.
 */
import { isHostnameSafeInHeader } from '@/shared/plain-host';

export const MAX_EMBED_ORIGINS = 10;
/** The maximum length: a scheme, a host name of 253 characters, a port and a slash. */
export const MAX_ORIGIN_LENGTH = 270;
/** The syntax of an origin. `parseEmbedOrigin` checks the rest. */
export const EMBED_ORIGIN_PATTERN = /^https?:\/\/[a-zA-Z0-9.-]+(?::\d{1,5})?\/?$/;
const LOCAL = 'localhost';

/**
 * Returns an origin in the browser's spelling (`https://portal.example`). Returns null for an
 * invalid origin. An origin must use https, or http on localhost. It must have a host name, not an
 * IP address, and nothing after the host and port.
 */
export function parseEmbedOrigin(text: string): string | null {
  // Tests the text itself, because a URL parser drops line feeds, replaces backslashes and decodes
  // escapes.
  if (text.length > MAX_ORIGIN_LENGTH || !EMBED_ORIGIN_PATTERN.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!isHostnameSafeInHeader(url) || /^[\d.]+$|\.$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.hostname === LOCAL ? url.origin : null;
}

/** Returns whether the origin is localhost, which only test mode allows. */
export const isLocalOrigin = (origin: string): boolean => new URL(origin).hostname === LOCAL;

/** The origin to record when a page was embedded but the browser reported no listed origin. */
export const UNKNOWN_EMBED_ORIGIN = 'unknown';

/**
 * Returns the origin that embedded a page, or null when the page was not embedded. `dest` is the
 * request's `Sec-Fetch-Dest`, which scripts cannot set. `named` is the reported origin. If it is
 * not listed, returns `unknown`, because browsers embed the page only in listed origins.
 */
export function determineOriginThatEmbeddedPage(
  origins: readonly string[],
  { dest, named }: { dest: string | null; named: string | null },
): string | null {
  if (dest === 'document') return null;
  if (named !== null && origins.includes(named)) return named;
  return dest === 'iframe' || dest === 'frame' ? UNKNOWN_EMBED_ORIGIN : null;
}
