/**
 * Which other sites may show a property's signing page inside of a page of theirs, and in which of them one was shown. Pure.
 */
import { hasPlainHost } from '@/shared/plain-host';

export const MOST_EMBED_ORIGINS = 10;
/** A scheme, a host name of 253 characters, a port, a slash. */
export const LONGEST_ORIGIN = 270;
/** What one looks like; `embedOrigin` says whether it is one. */
export const ORIGIN_TEXT = /^https?:\/\/[a-zA-Z0-9.-]+(?::\d{1,5})?\/?$/;
const LOCAL = 'localhost';

/**
 * An origin as browsers write it (`https://portal.example`), or null where the text is none that a policy can list: https, or http
 * on the reader's own machine; a host name, not an address; nothing behind it.
 */
export function embedOrigin(text: string): string | null {
  // Of the text itself: a URL parser drops line ends, turns backslashes round and decodes what is written in escapes.
  if (text.length > LONGEST_ORIGIN || !ORIGIN_TEXT.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!hasPlainHost(url) || /^[\d.]+$|\.$/.test(url.hostname)) return null;
  return url.protocol === 'https:' || url.hostname === LOCAL ? url.origin : null;
}

/** Whether it is a page on the reader's own machine: for trying it out, in test mode alone. */
export const isLocalOrigin = (origin: string): boolean => new URL(origin).hostname === LOCAL;

/** What the trail says where a page was shown inside of another and the browser did not say which. */
export const EMBEDDED_SOMEWHERE = 'unknown';

/**
 * The origin inside of whose page a request's page was shown, as the browser says; null for a page in a window of its own. The
 * browser shows the page to listed origins alone, so another name is not believed. `dest` is the request's `Sec-Fetch-Dest`, which
 * no script can set.
 */
export function embeddedIn(
  origins: readonly string[],
  { dest, named }: { dest: string | null; named: string | null },
): string | null {
  if (dest === 'document') return null;
  if (named !== null && origins.includes(named)) return named;
  return dest === 'iframe' || dest === 'frame' ? EMBEDDED_SOMEWHERE : null;
}
