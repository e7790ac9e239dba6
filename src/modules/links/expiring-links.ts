/**
 * Links that are signed with APP_SECRET and grant access for 15 minutes without a session.
 */
import { getAppSecret } from '@/config';
import { deriveTokenFromMasterSecret, isEqualInConstantTime } from '@/infra/encryption';
import { clock } from '@/shared/clock';

const LINK_MS = 15 * 60_000;

export type ExpiringLinkPurpose = 'dispute-pack' | 'certificate-pdf';

/** Returns the query that makes a URL a short link to `subject`. */
export function buildExpiringLinkUrlParameters(
  purpose: ExpiringLinkPurpose,
  subject: string,
): { expires: string; signature: string } {
  const expires = clock().now().getTime() + LINK_MS;
  return {
    expires: String(expires),
    signature: deriveTokenFromMasterSecret(getAppSecret(), purpose, subject, expires),
  };
}

/**
 * Returns whether the query parameters are those of a valid link to `subject` that has not expired.
 */
export function isValidExpiringLink(purpose: ExpiringLinkPurpose, subject: string, query: URLSearchParams): boolean {
  const expires = Number(query.get('expires'));
  if (!Number.isSafeInteger(expires) || expires <= clock().now().getTime()) return false;
  return isEqualInConstantTime(
    query.get('signature') ?? '',
    deriveTokenFromMasterSecret(getAppSecret(), purpose, subject, expires),
  );
}
