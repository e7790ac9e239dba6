/** Headers of every response. Handlers add the policies for content and caching. */
import { config } from '@/config';

const A_YEAR_S = 365 * 86_400;

export function securityHeaders(url = '/'): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // Guests' links contain a token, which must not be sent to other sites. The links of `/portal/`
    // pages are not sent to any site.
    'Referrer-Policy': url.startsWith('/portal/') ? 'no-referrer' : 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
    // This header does not apply to subdomains, because they may belong to others.
    ...(config().app_url.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${A_YEAR_S}` } : {}),
  };
}
