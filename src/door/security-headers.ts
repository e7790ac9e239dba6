/** What every answer carries, of whatever kind it is. Handlers add what is theirs: a policy for content, for caching. */
import { config } from '@/config';

const A_YEAR_S = 365 * 86_400;

export function securityHeaders(url = '/'): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // Links of guests carry their token in the path: it must not travel to another site.
    // An endpoint's shared page gives its address to nobody, this site's own log included.
    'Referrer-Policy': url.startsWith('/portal/') ? 'no-referrer' : 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
    // Of this name alone: what else lies under it is not ours to promise.
    ...(config().app_url.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${A_YEAR_S}` } : {}),
  };
}
