/**
 * Counts downloads against the rate limit of dashboard calls. Each download reads much data, and
 * some add entries to the audit log.
 */
import { takeSessionRateLimitTokens } from '@/api/trpc/session-limit';
import { createPlainTextErrorResponse } from '@/infra/archive-download';
import { findSignedInUser } from '@/modules/accounts/session';
import { CLIENT_IP_ADDRESS_HEADER } from '@/modules/accounts/session-headers';
import { isAppError } from '@/shared/errors';

type Answer = (request: Request) => Promise<Response>;

export const limitDownloadHandlerRate =
  (answer: Answer): Answer =>
  async (request) => {
    const user = await findSignedInUser(request);
    try {
      await takeSessionRateLimitTokens(
        { user_id: user?.id ?? null, ip: request.headers.get(CLIENT_IP_ADDRESS_HEADER) },
        true,
        1,
      );
    } catch (thrown) {
      if (!isAppError(thrown)) throw thrown;
      const refused = createPlainTextErrorResponse(429, 'Too many downloads. Try again in a minute.');
      if (thrown.retryAfter) refused.headers.set('Retry-After', String(thrown.retryAfter));
      return refused;
    }
    return answer(request);
  };
