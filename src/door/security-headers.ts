/** Headers of every response. Handlers add policies for content and caching. */
import { config } from '@/config';

const A_YEAR_S = 365 * 86_400;

export function securityHeaders(url = '/'): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // Guests' links contain their token, which must not be sent to other sites. An endpoint's
    // shared page sends its address to nobody, not even this site.
    'Referrer-Policy': url.startsWith('/portal/') ? 'no-referrer' : 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
    // Only for this host name, because its subdomains may belong to others.
    ...(config().app_url.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${A_YEAR_S}` } : {}),
  };
}
