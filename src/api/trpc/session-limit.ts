/**
 * Applies the limiter of `/v1` to the dashboard's calls. The limit is per user, for all sessions
 * and teams together.
 */

import { getRateLimiter } from '@/api/rest/rate-limit/process-limiter';
import { config } from '@/config';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { getIpAddressRateLimitKey } from '@/shared/ip';
import { createRefusal } from '@/shared/refusals/refusal';

/**
 * The limit is this many times the limit of an API key, because a page makes several calls where an
 * API client makes one.
 */
const READS_TO_A_KEYS = 6;
const WRITES_TO_A_KEYS = 4;
/** Limit of calls without a session, per address and minute. */
const NOBODYS_PER_MINUTE = 60;
/** Maximum number of calls in one request, more than any of our pages sends. */
const CALLS_AT_ONCE = 50;

/**
 * Counts each call of a batched request. Throws rate_limit_exceeded, and too_many_items for more
 * than CALLS_AT_ONCE calls.
 */
export async function takeSessionRateLimitTokens(
  { user_id, ip }: { user_id: string | null; ip: string | null },
  reads: boolean,
  calls: number,
): Promise<void> {
  if (calls > CALLS_AT_ONCE) throw new AppError('too_many_items', { message: createRefusal('too_many_calls') });
  const { rate_limit_read_per_minute, rate_limit_write_per_minute } = config();
  const limit = reads ? rate_limit_read_per_minute * READS_TO_A_KEYS : rate_limit_write_per_minute * WRITES_TO_A_KEYS;
  const [key, per_minute] = user_id
    ? [`session:${user_id}:${reads ? 'read' : 'write'}`, limit]
    : [`session:${getIpAddressRateLimitKey(ip)}`, NOBODYS_PER_MINUTE];
  const now = clock().now().getTime();
  const taken = await Promise.all(Array.from({ length: calls }, () => getRateLimiter().take(key, per_minute, now)));
  const refused = taken.find(({ allowed }) => !allowed);
  if (refused) throw new AppError('rate_limit_exceeded', { retryAfter: refused.retry_after_s });
}
