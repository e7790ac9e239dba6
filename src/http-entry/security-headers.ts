/** Headers of every response. Handlers add the policies for content and caching. */
import { config } from '@/config';

const A_YEAR_S = 365 * 86_400;

export function buildSecurityHeaders(url = '/'): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // Guests' links contain a token, which must not be sent to other sites. Pages under `/portal/`
    // send no `Referer` header at all.
    'Referrer-Policy': url.startsWith('/portal/') ? 'no-referrer' : 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
    // The header omits `includeSubDomains`, because subdomains may belong to other parties.
    ...(config().app_url.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${A_YEAR_S}` } : {}),
  };
}
