/** Serializes a certificate, field by field. */
import type { Signature } from '@/generated/prisma/client';
import { buildCertificateVerifyUrl, deriveCertificateVerifyToken } from '@/modules/links/urls';
import type { Certificate } from './schemas';

/** The columns of a signature, except the large ones. */
export const SIGNATURE_COLUMNS_EXCEPT_LARGE = {
  id: true,
  reservation_id: true,
  property_id: true,
  snapshot_id: true,
  content_hash: true,
  signed_at: true,
  sealed_at: true,
  redacted_at: true,
  legal_hold: true,
  created_at: true,
  pdf_sha256: true,
  seal_error: true,
  copy_revoked_at: true,
  signer_name: true,
  locale: true,
} as const;

export type SignatureWithoutLargeColumns = Pick<Signature, keyof typeof SIGNATURE_COLUMNS_EXCEPT_LARGE>;

/** Returns the certificate for the API, the dashboard and webhooks. */
export function serializeCertificate(row: SignatureWithoutLargeColumns): Certificate {
  const redacted = row.redacted_at !== null;
  return {
    id: row.id,
    object: 'certificate',
    reservation_id: row.reservation_id,
    signed_at: row.signed_at.toISOString(),
    content_hash: row.content_hash,
    verify_token: deriveCertificateVerifyToken(row.id),
    pdf_available: row.sealed_at !== null && !redacted,
    redacted,
    legal_hold: row.legal_hold,
    verify_url: buildCertificateVerifyUrl(row.id),
  };
}
