/**
 * Determines which of better-auth's paths take a password or a code, for which account, and which
 * responses mean that the password or code was wrong. sign-in-guard.ts delays these requests.
 */

import { findPendingSignIn } from '../repository';
import { CLIENT_IP_ADDRESS_HEADER, readCookie } from '../session-headers';
import type { AuthRequestBody } from './auth-request';
import { runWithBruteForceDelay, type SignInAttempt } from './sign-in-guard';

/** Paths on which a signed-in user enters the password again. */
const WITH_PASSWORD = new Set([
  '/change-password',
  '/verify-password',
  '/two-factor/enable',
  '/two-factor/disable',
  '/two-factor/get-totp-uri',
  '/two-factor/generate-backup-codes',
  '/passkey/generate-register-options',
  '/passkey/delete-passkey',
]);
const WITH_CODE = new Set(['/two-factor/verify-totp', '/two-factor/verify-backup-code']);

const WRONG = new Set([
  'INVALID_EMAIL_OR_PASSWORD',
  'EMAIL_NOT_VERIFIED',
  'INVALID_PASSWORD',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
]);

/** The account whose password or code a request contains. */
export interface AccountBeingAuthenticated {
  id: string;
  email: string;
}

export interface SignInAccountResolver {
  /** Returns the user whose session cookie is in the headers. */
  userOfSession(headers: Headers): Promise<AccountBeingAuthenticated | null>;
  /** The name of the cookie that better-auth sets between the password and the code. */
  pending_cookie: string;
}

async function attemptOf(
  path: string,
  body: AuthRequestBody,
  headers: Headers,
  lookup: SignInAccountResolver,
): Promise<SignInAttempt | null> {
  const ip = headers.get(CLIENT_IP_ADDRESS_HEADER);
  if (path === '/sign-in/email') {
    return typeof body.email === 'string' ? { kind: 'password', email: body.email, ip } : null;
  }
  if (!WITH_PASSWORD.has(path) && !WITH_CODE.has(path)) return null;
  // Right after signing in with a passkey, passkey requests need no password, so there is nothing
  // to guess.
  if (path.startsWith('/passkey/') && typeof body.password !== 'string') return null;
  const account = WITH_CODE.has(path)
    ? await findAccountWhoseSignInCodeIsChecked(headers, lookup)
    : await lookup.userOfSession(headers);
  return account && { kind: WITH_CODE.has(path) ? 'code' : 'password', email: account.email, ip };
}

/**
 * Returns the account whose code is checked: the session's account, or the account of the pending
 * sign-in.
 */
export async function findAccountWhoseSignInCodeIsChecked(
  headers: Headers,
  lookup: SignInAccountResolver,
): Promise<AccountBeingAuthenticated | null> {
  const signed_in = await lookup.userOfSession(headers);
  if (signed_in) return signed_in;
  // The cookie's value is `name.signature` with an unescaped dot. better-auth verifies the
  // signature.
  const name = readCookie(headers.get('cookie'), lookup.pending_cookie)?.split('.', 1)[0];
  return name ? findPendingSignIn(name) : null;
}

/**
 * Handles a request after a delay that grows with earlier wrong attempts. Throws
 * rate_limit_exceeded.
 */
export async function handleAuthRequestWithBruteForceDelay(
  path: string,
  body: AuthRequestBody,
  headers: Headers,
  lookup: SignInAccountResolver,
  answer: () => Promise<Response>,
): Promise<Response> {
  const what = await attemptOf(path, body, headers, lookup);
  if (!what) return answer();
  return runWithBruteForceDelay(what, async () => {
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

/**
 * The response to the correct password of an unconfirmed account. It equals the response to a wrong
 * password: otherwise a sign-up followed by a sign-in would reveal whether the address already had
 * an account.
 */
const wrongPassword = () =>
  Response.json({ message: 'Invalid email or password', code: 'INVALID_EMAIL_OR_PASSWORD' }, { status: 401 });
