/** Serves the dashboard's API: the same procedures as `/v1`, for a session instead of a key. */
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { appRouter } from '@/api/router';
import { toAppError } from '@/api/trpc/error-translation';
import { takeSessionRateLimitTokens } from '@/api/trpc/session-limit';
import { createRefusalTranslator } from '@/dashboard/i18n/refusal-translator';
import { logger } from '@/infra/logger';
import { readSessionContext } from '@/modules/accounts/session';
import { LIVE_OR_TEST_MODE_HEADER_NAME, LOCALE_COOKIE, readCookie } from '@/modules/accounts/session-headers';
import { newId } from '@/shared/ids';
import { chooseHostLocale } from '@/shared/language/host-language';

export const dynamic = 'force-dynamic';

/**
 * Counts the request's calls against the rate limit and returns the caller's session and language.
 * Throws rate_limit_exceeded.
 */
async function limitedSession(headers: Headers, { type, calls }: { type: string; calls: readonly unknown[] }) {
  const session = await readSessionContext(headers);
  await takeSessionRateLimitTokens(
    { user_id: session.signed_in?.id ?? null, ip: session.ip },
    type === 'query',
    calls.length,
  );
  const locale = chooseHostLocale({
    account: session.me?.user.locale,
    cookie: readCookie(headers.get('cookie'), LOCALE_COOKIE),
    accept_language: headers.get('accept-language'),
  });
  return { ...session, translate: await createRefusalTranslator(locale) };
}

async function handle(request: Request): Promise<Response> {
  // Prevents cross-site requests. Another site cannot set this header without a preflight request,
  // which the server rejects.
  if (!request.headers.has(LIVE_OR_TEST_MODE_HEADER_NAME)) {
    return Response.json(
      { error: { message: `The header ${LIVE_OR_TEST_MODE_HEADER_NAME} is missing.` } },
      { status: 403 },
    );
  }
  const request_id = newId('request');
  const response = await fetchRequestHandler({
    endpoint: '/api/trpc',
    req: request,
    router: appRouter,
    createContext: async ({ info }) => ({
      ...(await limitedSession(request.headers, info)),
      request_id,
      surface: 'dashboard' as const,
      if_match: request.headers.get('if-match'),
      reply: { headers: {} },
    }),
    responseMeta: ({ errors }) => {
      const refused = errors.map(toAppError);
      const limited = refused.find(({ code }) => code === 'rate_limit_exceeded');
      if (limited) return { status: 429, headers: { 'Retry-After': String(limited.retryAfter ?? 60) } };
      return refused.length === 1 && refused[0] ? { status: refused[0].definition.status } : {};
    },
    onError: ({ error, path }) => {
      const app = toAppError(error);
      if (app.definition.status >= 500)
        logger().error({ request_id, path, err: app.internal ?? error }, 'procedure failed');
    },
  });
  response.headers.set('X-Request-Id', request_id);
  response.headers.set('Cache-Control', 'no-store');
  return response;
}

export const GET = handle;
export const POST = handle;
