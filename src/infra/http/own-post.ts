/** Recognizes posts of other sites' pages. */
import { config } from '@/config';

/**
 * Returns whether a post came from a page of this host. Browsers send the origin with every
 * cross-origin post. Other pages can make it `null` (a sandboxed frame, `no-referrer`), ours never
 * does. A client without these headers is not a browser.
 */
export function isSameOriginPost(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = request.headers.get('origin');
  if (!origin) return true;
  const host = request.headers.get('host') ?? new URL(config().app_url).host;
  return URL.canParse(origin) && new URL(origin).host === host;
}
