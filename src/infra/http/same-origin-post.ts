/** Detects posts from pages of other sites. */
import { config } from '@/config';

/**
 * Returns whether a post came from a page of this host. Browsers send `Origin`, and most also
 * `Sec-Fetch-Site`, with every cross-origin post. The origin `null` is refused. Pages of other
 * sites can produce it with a sandboxed frame or `no-referrer`, and our pages never do. A request
 * without these headers does not come from a browser and is accepted.
 */
export function isSameOriginPost(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = request.headers.get('origin');
  if (!origin) return true;
  const host = request.headers.get('host') ?? new URL(config().app_url).host;
  return URL.canParse(origin) && new URL(origin).host === host;
}
