/**
 * A keyed hash over what a guest signed, and again over what a redaction left. The trail's hashes have no key, so that
 * anyone can verify them; this one cannot be computed from the database alone. What does not match it is not sealed.
 */
import { appSecret } from '@/config';
import { authenticate } from '@/infra/encryption';
import { canonicalJson } from '@/shared/canonical-json';
import type { ChainedEntry } from './chain';

interface SignedRow {
  id: string;
  team_id: string;
  mode: string;
  reservation_id: string;
  property_id: string;
  content_hash: string;
  signer_name: string;
  signer_email: string | null;
  signed_at: Date;
  signed_ip: string | null;
  user_agent: string | null;
  consent_version: string;
  locale: string;
  otp_confirmed: boolean;
}

interface RedactedRow extends SignedRow {
  sealed_at: Date | null;
  pdf_sha256: string | null;
  redacted_at: Date | null;
}

/** Of a signature as its guest made it, with the trail up to the signature. */
export const attestSigned = (row: SignedRow, trail: readonly ChainedEntry[]): string =>
  authenticate(appSecret(), 'signed', canonicalJson(signedFacts(row, trail, 'reservation.signed')));

/** Of what its redaction left, with the trail up to the redaction. */
export const attestRedacted = (row: RedactedRow, trail: readonly ChainedEntry[]): string =>
  authenticate(
    appSecret(),
    'redacted',
    canonicalJson({
      ...signedFacts(row, trail, 'certificate.redacted'),
      sealed_at: row.sealed_at?.toISOString() ?? null,
      pdf_sha256: row.pdf_sha256,
      redacted_at: row.redacted_at?.toISOString() ?? null,
    }),
  );

function signedFacts(row: SignedRow, trail: readonly ChainedEntry[], last: string) {
  const end = trail.findLastIndex(({ type }) => type === last);
  const { id, team_id, mode, reservation_id, property_id, content_hash, signer_name, signer_email } = row;
  const { signed_ip, user_agent, consent_version, locale, otp_confirmed } = row;
  return {
    ...{ id, team_id, mode, reservation_id, property_id, content_hash, signer_name, signer_email },
    ...{ signed_ip, user_agent, consent_version, locale, otp_confirmed },
    signed_at: row.signed_at.toISOString(),
    // A redaction keeps type and time of each entry; its hash no longer covers them.
    trail: trail.slice(0, end + 1).map(({ seq, type, created_at, hash }) => [seq, type, created_at, hash].join(' ')),
  };
}
