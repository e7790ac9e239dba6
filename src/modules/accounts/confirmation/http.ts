/**
 * Handles the POST requests of the pages that mails link to, for confirming and changing an e-mail
 * address. Errors have better-auth's shape, like all errors under `/api/auth`.
 */
import { isSameOriginPost } from '@/infra/http/same-origin-post';
import { AppError } from '@/shared/errors';
import { confirmEmailChange } from '../email-change/email-change';
import { findSignedInUser } from '../session';
import {
  type AuthRequestBody,
  convertAppErrorToAuthResponse,
  createBetterAuthErrorResponse,
  readAuthRequestBody,
} from '../sign-in/auth-request';
import { confirmEmailAddress, createPasswordLinkToClaimAccount } from './confirmation';

async function answer(
  request: Request,
  work: (body: AuthRequestBody, token: string) => Promise<Response>,
): Promise<Response> {
  if (!isSameOriginPost(request)) return createBetterAuthErrorResponse(403, 'INVALID_ORIGIN', 'Invalid origin');
  try {
    const body = await readAuthRequestBody(request);
    const { token } = body;
    if (typeof token !== 'string') throw new AppError('missing_required_field', { param: 'token' });
    return await work(body, token);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'resource_missing')
      return createBetterAuthErrorResponse(400, 'INVALID_TOKEN', thrown.message);
    if (thrown instanceof AppError && thrown.param === 'email')
      return createBetterAuthErrorResponse(400, 'ADDRESS_TAKEN', thrown.message);
    return convertAppErrorToAuthResponse(thrown);
  }
}

const done = (body: object) => Response.json(body, { headers: { 'Cache-Control': 'no-store' } });

/**
 * Handles POST /api/auth/confirm-address. Body: `token`, and `password` unless this browser signed
 * up.
 */
export const handleEmailAddressConfirmationRequest = (request: Request): Promise<Response> =>
  answer(request, async ({ password }, token) => {
    const given = { token, password: typeof password === 'string' ? password : null };
    if ((await confirmEmailAddress(given, request.headers)) === 'wrong')
      return createBetterAuthErrorResponse(400, 'INVALID_PASSWORD', 'Invalid password');
    return done({ status: true });
  });

/**
 * Handles POST /api/auth/claim-address. Body: `token`. Returns the `url` of the page for choosing a
 * password.
 */
export const handleEmailAddressClaimRequest = (request: Request): Promise<Response> =>
  answer(request, async (_body, token) => done({ url: (await createPasswordLinkToClaimAccount(token)).url }));

/**
 * Handles POST /api/auth/confirm-email-change. Body: `token`. Requires a session of the account.
 */
export const handleEmailChangeConfirmationRequest = (request: Request): Promise<Response> =>
  answer(request, async (_body, token) => {
    const user = await findSignedInUser(request);
    if (!user) return createBetterAuthErrorResponse(401, 'UNAUTHORIZED', 'Sign in first.');
    await confirmEmailChange(user, token, request.headers);
    return done({ status: true });
  });
