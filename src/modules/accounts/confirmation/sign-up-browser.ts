/**
 * Recognizes the browser that signed up. The browser gets a random secret in an HTTP-only cookie,
 * and the secret's hash is stored with the pending account. In that browser the mailed link
 * confirms the address without the password.
 */
import { randomBytes } from 'node:crypto';
import { config } from '@/config';
import { hashToken, isEqualInConstantTime } from '@/infra/encryption';
import { VERIFICATION_LINK_LIFETIME_MINUTES } from '../mailer';
import { readCookie } from '../session-headers';

const cookieName = () => `${config().app_url.startsWith('https:') ? '__Host-' : ''}threshold.sign_up`;

/** Creates a secret for the sign-up browser. Returns its cookie and the hash to store. */
export function createSignUpBrowserCookie(): { set_cookie: string; hash: string } {
  const secret = randomBytes(24).toString('base64url');
  const secure = config().app_url.startsWith('https:') ? '; Secure' : '';
  const set_cookie = `${cookieName()}=${secret}; Path=/; Max-Age=${VERIFICATION_LINK_LIFETIME_MINUTES * 60}; HttpOnly; SameSite=Lax${secure}`;
  return { set_cookie, hash: hashToken(secret) };
}

/** Returns whether the request's cookie matches the stored hash. */
export function isRequestFromSignUpBrowser(headers: Headers, hash: string | null): boolean {
  const secret = readCookie(headers.get('cookie'), cookieName());
  return secret !== null && hash !== null && isEqualInConstantTime(hashToken(secret), hash);
}
