/**
 * Look-ups of links that do not exist, counted by address. A link that works is never refused, whoever else shares the
 * address: guests of one house often do.
 */
import { rateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { CLIENT_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { clock } from '@/shared/clock';
import { addressBucket } from '@/shared/ip';

/** As for calls of the API without a known key. */
const MISSES_PER_MINUTE = 60;

/** Counts one miss. Returns whether the address has had too many, so that it is told to wait. */
export async function hasMissedOften(request: Request): Promise<boolean> {
  const key = `links:${addressBucket(request.headers.get(CLIENT_ADDRESS_HEADER))}`;
  return !(await rateLimiter().take(key, MISSES_PER_MINUTE, clock().now().getTime())).allowed;
}
