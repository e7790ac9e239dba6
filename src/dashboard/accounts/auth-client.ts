/** Calls to `/api/auth`: sessions and passwords, which are not tRPC's. */

/** What was refused, in words for the person at the form. */
export class AuthError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'AuthError';
  }
}

const MESSAGES: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD:
    'The address or the password is wrong. If the account is new, follow the link in our mail first.',
  INVALID_PASSWORD: 'The password is wrong.',
  CREDENTIAL_ACCOUNT_NOT_FOUND:
    'Your account has no password yet. Set one with “Forgot your password?” on the sign-in page.',
  PASSWORD_TOO_SHORT: 'The password needs at least 8 characters.',
  PASSWORD_TOO_LONG: 'The password is too long.',
  INVALID_TOKEN: 'This link was used already or has expired. Ask for a new one.',
  INVALID_CODE: 'This code is not right. Codes change every 30 seconds.',
  INVALID_BACKUP_CODE: 'This recovery code is not right, or was used already.',
};

/** Posts to better-auth and answers its body. Throws AuthError. */
export async function authPost<T = unknown>(path: string, body: Record<string, unknown> = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new AuthError('network', 'The server could not be reached. Check the connection and try again.');
  }
  const answer = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  if (response.ok) return answer as T;
  if (response.status === 429) throw new AuthError('rate_limit', 'Too many tries. Wait a minute and try again.');
  const code = answer.code ?? 'unknown';
  throw new AuthError(code, MESSAGES[code] ?? answer.message ?? 'Something went wrong. Try again.');
}
