/** Headers of every response. Handlers add the policies for content and caching. */
import { config } from '@/config';

const A_YEAR_S = 365 * 86_400;

export function buildSecurityHeaders(url = '/'): Record<string, string> {
  return {
    'X-Content-Type-Options': 'nosniff',
    // Guests' links contain their token, which must not be sent to other sites. The URL of an
    // endpoint's shared page is not even sent to this site.
    'Referrer-Policy': url.startsWith('/portal/') ? 'no-referrer' : 'same-origin',
    'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
    // Applies only to this host name, because its subdomains may belong to others.
    ...(config().app_url.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${A_YEAR_S}` } : {}),
  };
}
