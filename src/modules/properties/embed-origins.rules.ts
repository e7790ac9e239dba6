/** Which sites may embed a property's signing page, and in which one a page was embedded. Pure. */
import { hasPlainHost } from '@/shared/plain-host';

export const MOST_EMBED_ORIGINS = 10;
/** A scheme, a host name of 253 characters, a port, a slash. */
export const LONGEST_ORIGIN = 270;
/** The form of an origin. `embedOrigin` validates it. */
export const ORIGIN_TEXT = /^https?:\/\/[a-zA-Z0-9.-]+(?::\d{1,5})?\/?$/;
const LOCAL = 'localhost';

/**
 * An origin as browsers write it (`https://portal.example`). Null for text that a policy cannot
 * list: it must be https, or http on localhost, have a host name instead of an IP address, and
 * nothing after the host.
 */
export function embedOrigin(text: string): string | null {
  // On the text: a URL parser drops line feeds, turns backslashes around and decodes escapes.
  if (text.length > LONGEST_ORIGIN || !ORIGIN_TEXT.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!hasPlainHost(url) || /^[\d.]+$|\.$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.hostname === LOCAL ? url.origin : null;
}

/** Whether it is on the visitor's own machine: only for test mode. */
export const isLocalOrigin = (origin: string): boolean => new URL(origin).hostname === LOCAL;

/** The trail's origin for an embedded page when the browser did not name one. */
export const EMBEDDED_SOMEWHERE = 'unknown';

/**
 * The origin that embedded a requested page, according to the browser. Null for a page in its own
 * window. Browsers embed the page only in listed origins, so another name is not trusted. `dest` is
 * the request's `Sec-Fetch-Dest`, which scripts cannot set.
 */
export function embeddedIn(
  origins: readonly string[],
  { dest, named }: { dest: string | null; named: string | null },
): string | null {
  if (dest === 'document') return null;
  if (named !== null && origins.includes(named)) return named;
  return dest === 'iframe' || dest === 'frame' ? EMBEDDED_SOMEWHERE : null;
}
