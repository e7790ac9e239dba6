/** The two POSTs of the page that a confirmation mail's link opens. Errors have better-auth's shape, as the page's others do. */
import { AppError } from '@/shared/errors';
import { type AuthBody, authRefusal, readAuthBody, refusalOf } from '../sign-in/auth-request';
import { claimAddress, confirmAddress } from './confirmation';

async function answer(request: Request, work: (body: AuthBody, token: string) => Promise<Response>): Promise<Response> {
  try {
    const body = await readAuthBody(request);
    const { token } = body;
    if (typeof token !== 'string') throw new AppError('missing_required_field', { param: 'token' });
    return await work(body, token);
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'resource_missing')
      return authRefusal(400, 'INVALID_TOKEN', thrown.message);
    return refusalOf(thrown);
  }
}

const done = (body: object) => Response.json(body, { headers: { 'Cache-Control': 'no-store' } });

/** POST /api/auth/confirm-address: `token`, and `password` from any browser but the one that signed up. */
export const handleConfirm = (request: Request): Promise<Response> =>
  answer(request, async ({ password }, token) => {
    const given = { token, password: typeof password === 'string' ? password : null };
    if ((await confirmAddress(given, request.headers)) === 'wrong')
      return authRefusal(400, 'INVALID_PASSWORD', 'Invalid password');
    return done({ status: true });
  });

/** POST /api/auth/claim-address: `token`. Answers the `url` at which to choose a password. */
export const handleClaim = (request: Request): Promise<Response> =>
  answer(request, async (_body, token) => done({ url: (await claimAddress(token)).url }));
