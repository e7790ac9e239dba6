/** Row -> Certificate, field by field. */
import type { Signature } from '@/generated/prisma/client';
import { verifyToken, verifyUrl } from '@/modules/links/urls';
import type { Certificate } from './schemas';

/** A signature's row without its large columns. */
export type SignatureHead = Pick<
  Signature,
  | 'id'
  | 'reservation_id'
  | 'property_id'
  | 'snapshot_id'
  | 'content_hash'
  | 'signed_at'
  | 'sealed_at'
  | 'redacted_at'
  | 'legal_hold'
  | 'created_at'
  | 'pdf_sha256'
  | 'seal_error'
  | 'copy_revoked_at'
  | 'signer_name'
  | 'locale'
>;

/** The resource as REST, dashboard and webhooks show it. */
export function serializeCertificate(row: SignatureHead): Certificate {
  const redacted = row.redacted_at !== null;
  return {
    id: row.id,
    object: 'certificate',
    reservation_id: row.reservation_id,
    signed_at: row.signed_at.toISOString(),
    content_hash: row.content_hash,
    verify_token: verifyToken(row.id),
    pdf_available: row.sealed_at !== null && !redacted,
    redacted,
    legal_hold: row.legal_hold,
    verify_url: verifyUrl(row.id),
  };
}
