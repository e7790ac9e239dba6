/** Calls `/api/auth`. These endpoints handle sessions and passwords and do not use tRPC. */

import type { NamespaceTranslator } from '../i18n/namespace-translator';

/** An error response. `describeAuthError` returns its message for the user. */
export class AuthError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'AuthError';
  }
}

const KNOWN = [
  'INVALID_EMAIL_OR_PASSWORD',
  'INVALID_PASSWORD',
  'CREDENTIAL_ACCOUNT_NOT_FOUND',
  'PASSWORD_TOO_SHORT',
  'PASSWORD_TOO_LONG',
  'INVALID_TOKEN',
  'INVALID_CODE',
  'INVALID_BACKUP_CODE',
  'PASSKEY_CANCELLED',
  'PASSKEY_NOT_FOUND',
  'PASSKEY_NOT_ADDED',
  'CONCURRENT_CHANGE',
  'PROOF_NEEDED',
  'ADDRESS_TAKEN',
  'network',
  'rate_limit',
] as const;

/**
 * Returns the message for a failure in the reader's language, or the server's message when there is
 * no translation.
 */
export function describeAuthError(error: unknown, t: NamespaceTranslator<'accounts'>): string {
  if (!(error instanceof AuthError)) return t('auth_unknown');
  const known = KNOWN.find((code) => code === error.code);
  return known ? t(`auth_${known}`) : error.message || t('auth_unknown');
}

/** Posts to better-auth and returns the response body. Throws AuthError. */
export async function postAuthRequest<T = unknown>(path: string, body: Record<string, unknown> = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  } catch {
    throw new AuthError('network', '');
  }
  const answer = (await response.json().catch(() => ({}))) as { code?: string; message?: string };
  if (response.ok) return answer as T;
  if (response.status === 429) throw new AuthError('rate_limit', '');
  throw new AuthError(answer.code ?? 'unknown', answer.message ?? '');
}
