/** Which paths of better-auth take a password or a code, whose it is, and what says that it was wrong (sign-in-guard.ts). */

import { findHalfSignedIn } from '../repository';
import { CLIENT_ADDRESS_HEADER, readCookie } from '../session-headers';
import type { AuthBody } from './auth-request';
import { guarded, type Try } from './sign-in-guard';

/** Paths on which someone signed in gives the password again. */
const WITH_PASSWORD = new Set([
  '/change-password',
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
]);
const WITH_CODE = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

const WRONG = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'EMAIL_NOT_VERIFIED',
  'INVALID_PASSWORD',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
]);

export interface Doors {
  /** The address of whoever's session the headers carry. */
  emailOfSession(headers: Headers): Promise<string | null>;
  /** The cookie between password and code. */
  halfway_cookie: string;
}

async function tryOf(path: string, body: AuthBody, headers: Headers, doors: Doors): Promise<Try | null> {
  const ip = headers.get(CLIENT_ADDRESS_HEADER);
  if (path === '/sign-in/email') {
    return typeof body.email === 'string' ? { kind: 'password', email: body.email, ip } : null;
  }
  if (!WITH_PASSWORD.has(path) && !WITH_CODE.has(path)) return null;
  const email =
    (await doors.emailOfSession(headers)) ?? (WITH_CODE.has(path) ? await halfSignedIn(headers, doors) : null);
  return email === null ? null : { kind: WITH_CODE.has(path) ? 'code' : 'password', email, ip };
}

async function halfSignedIn(headers: Headers, { halfway_cookie }: Doors): Promise<string | null> {
  // The name and its signature, which better-auth looks at; `.` stays as it is in a cookie.
  const name = readCookie(headers.get('cookie'), halfway_cookie)?.split('.', 1)[0];
  return name ? ((await findHalfSignedIn(name))?.email ?? null) : null;
}

/** Answers a request when those before it that were wrong have been waited for. Throws rate_limit_exceeded. */
export async function withGuard(
  path: string,
  body: AuthBody,
  headers: Headers,
  doors: Doors,
  answer: () => Promise<Response>,
): Promise<Response> {
  const what = await tryOf(path, body, headers, doors);
  if (!what) return answer();
  return guarded(what, async () => {
    const response = await answer();
    if (response.ok) return { result: response, proof: 'right' };
    const { code } = (await response
      .clone()
      .json()
      .catch(() => ({}))) as { code?: string };
    const proof = WRONG.has(code ?? '') ? 'wrong' : 'nothing';
    return { result: code === 'EMAIL_NOT_VERIFIED' ? wrongPassword() : response, proof };
  });
}

/** To a right password of an account that is not confirmed yet: nobody learns by signing up and in whether there was one. */
const wrongPassword = () =>
  Response.json({ message: 'Invalid email or password', code: 'INVALID_EMAIL_OR_PASSWORD' }, { status: 401 });
