/**
 * Limits requests for unknown links by IP address. Valid links are never refused, even if other
 * guests share the address.
 */
import { getRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { clock } from '@/shared/clock';
import { getIpAddressRateLimitKey } from '@/shared/ip';

/**
 * The number of requests for each IP address. API requests without a valid key have the same limit.
 */
const MISSES_PER_MINUTE = 60;

/** Counts a request for an unknown link. Returns whether the IP address has exceeded its limit. */
export async function hasExceededUnknownLinkLimit(request: Request): Promise<boolean> {
  const key = `links:${getIpAddressRateLimitKey(request.headers.get(CLIENT_IP_ADDRESS_HEADER))}`;
  return !(await getRateLimiter().take(key, MISSES_PER_MINUTE, clock().now().getTime())).allowed;
}
