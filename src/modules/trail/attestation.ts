/**
 * Keyed hashes of a signature and of a redacted certificate. The trail's hashes have no key, so
 * that anyone can verify them. A keyed hash cannot be computed from the database alone. Data that
 * does not match its keyed hash is not sealed.
 */
import { getAppSecret } from '@/config';
import type { Signature } from '@/generated/prisma/client';
import { computeKeyedHash } from '@/infra/encryption';
import { toCanonicalJson } from '@/shared/canonical-json';
import type { ChainedTrailEntry } from './chain';

const SIGNED_FIELDS = [
  'id',
  'team_id',
  'mode',
  'reservation_id',
  'property_id',
  'content_hash',
  'signer_name',
  'signer_email',
  'signed_ip',
  'user_agent',
  'consent_version',
  'locale',
  'otp_confirmed',
] as const;
type SignedRow = Pick<Signature, (typeof SIGNED_FIELDS)[number] | 'signed_at'>;
type RedactedRow = SignedRow & Pick<Signature, 'sealed_at' | 'pdf_sha256' | 'redacted_at'>;

/** Returns the keyed hash of a signature, including the trail up to the signature. */
export const computeTrailHashAtSigning = (row: SignedRow, trail: readonly ChainedTrailEntry[]): string =>
  computeKeyedHash(getAppSecret(), 'signed', toCanonicalJson(signedFacts(row, trail, 'reservation.signed')));

/** Returns the keyed hash of a redacted certificate, including the trail up to the redaction. */
export const computeTrailHashAtRedaction = (row: RedactedRow, trail: readonly ChainedTrailEntry[]): string =>
  computeKeyedHash(
    getAppSecret(),
    'redacted',
    toCanonicalJson({
      ...signedFacts(row, trail, 'certificate.redacted'),
      sealed_at: row.sealed_at?.toISOString() ?? null,
      pdf_sha256: row.pdf_sha256,
      redacted_at: row.redacted_at?.toISOString() ?? null,
    }),
  );

function signedFacts(row: SignedRow, trail: readonly ChainedTrailEntry[], last: string) {
  const end = trail.findLastIndex(({ type }) => type === last);
  return {
    ...Object.fromEntries(SIGNED_FIELDS.map((field) => [field, row[field]])),
    signed_at: row.signed_at.toISOString(),
    // The type and time are included, because the hash of a redacted entry no longer covers them.
    trail: trail.slice(0, end + 1).map(({ seq, type, created_at, hash }) => [seq, type, created_at, hash].join(' ')),
  };
}
