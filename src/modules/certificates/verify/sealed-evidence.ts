/**
 * Reads the evidence for everything that leaves the product: the dispute pack, the guest's copy,
 * API responses, the mailed PDF. An attacker who can write to the database can change every row, so
 * the values come from the sealed file after its seal was checked.
 */
import { type AgreementSnapshot, agreementSnapshotSchema } from '@/modules/snapshot/snapshot';
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import type { Scope } from '@/shared/scope';
import type { EvidenceVerificationStatus } from '../schemas';
import type { SignatureWithoutLargeColumns } from '../serializer';
import { PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES, type SealedEvidence } from './evidence.rules';
import {
  type CertificateVerificationResult,
  type MissingStoredFileHandling,
  type SignatureWithTenantScope,
  verifyCertificate,
} from './verification';

export interface EvidenceReadResult {
  scope: Scope;
  status: EvidenceVerificationStatus;
  /** The stored fields that differ from the sealed values, such as `trail_entries.3.ip`. */
  altered: string[];
  /** The certificate's row, with sealed values where the file contains them. */
  head: SignatureWithoutLargeColumns;
  /** The snapshot. Null after a redaction, or when the stored text is not a valid snapshot. */
  snapshot: AgreementSnapshot | null;
  /** The sealed entries, followed by later stored entries. */
  trail: readonly ChainedTrailEntry[];
  /** The entries up to the signature. Without a sealed file, all stored entries. */
  sealed_trail: readonly ChainedTrailEntry[];
  /** The sealed facts about the signer. Null without a sealed file. */
  facts: SealedSignatureEvidence | null;
  checks: CertificateVerificationResult;
}

export interface SealedSignatureEvidence {
  signer_email: string | null;
  signed_ip: string | null;
  user_agent: string | null;
  consent_version: string;
  otp_confirmed: boolean;
  photo_sha256?: string | null;
  drawn_signature_sha256?: string | null;
}

/** Returns whether the values may be presented as genuine. */
export const isEvidenceGenuine = ({ status }: { status: EvidenceVerificationStatus }): boolean =>
  status !== 'altered' && status !== 'unverified';

/**
 * Verifies a certificate and returns its evidence. Throws StorageError. If `lost` is `name`,
 * reports a lost file as unreadable instead.
 */
export async function readSealedEvidence(
  holder: SignatureWithTenantScope,
  lost?: MissingStoredFileHandling,
): Promise<EvidenceReadResult> {
  const checks = await verifyCertificate(holder, lost);
  // Uses the row that was just read. The caller's row may be from before a seal or a redaction.
  const { head, sealed, stored, seal } = checks;
  const altered = alteredFields(checks, head);
  const status = altered.length > 0 ? (sealed ? 'altered' : 'unverified') : STATUS_OF_SEAL[seal.state];
  return {
    scope: holder.scope,
    checks,
    status,
    altered,
    head: sealed ? sealedHead(head, sealed) : head,
    snapshot: sealed?.audit.snapshot ?? (head.redacted_at ? null : readSnapshot(stored.snapshot?.canonical)),
    trail: sealed ? [...sealed.audit.entries, ...stored.trail.slice(sealed.audit.entries.length)] : stored.trail,
    sealed_trail: sealed?.audit.entries ?? stored.trail,
    facts: sealed && factsOf(sealed),
  };
}

const STATUS_OF_SEAL = { sealed: 'verified', pending: 'pending', removed: 'redacted', invalid: 'unverified' } as const;

function alteredFields(
  { differences, chain, seal, log, content }: CertificateVerificationResult,
  head: Pick<SignatureWithoutLargeColumns, 'sealed_at' | 'redacted_at'>,
): string[] {
  const found = [...differences];
  const place = head.redacted_at ? 'redacted_at' : head.sealed_at ? 'pdf' : 'sealed_at';
  if (seal.state === 'invalid') found.push(`signatures.${place}`);
  if (!chain.ok && !found.some((field) => field.startsWith(PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES)))
    found.push(`${PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES}${chain.broken_seq}`);
  if (log.state === 'missing') found.push('log_entries.pdf_sha256');
  if (content === 'mismatch' && found.length === 0) found.push('snapshots.canonical');
  return found;
}

/**
 * Returns the row with the sealed values. Keeps the stored time of sealing if it is in the same
 * second, because the sealed time has no milliseconds.
 */
function sealedHead(
  stored: SignatureWithoutLargeColumns,
  { audit, pdf_sha256, sealed_at }: SealedEvidence,
): SignatureWithoutLargeColumns {
  const { snapshot, signer } = audit;
  const at = sealed_at && sealed_at.slice(0, 19) !== stored.sealed_at?.toISOString().slice(0, 19);
  return {
    ...stored,
    reservation_id: snapshot.reservation.id,
    property_id: snapshot.property.id,
    content_hash: audit.content_hash,
    signer_name: signer.typed_name,
    signed_at: new Date(signer.signed_at),
    locale: snapshot.locale,
    pdf_sha256,
    sealed_at: at ? new Date(sealed_at) : stored.sealed_at,
  };
}

function factsOf({ audit: { signer, snapshot } }: SealedEvidence): SealedSignatureEvidence {
  return {
    signer_email: snapshot.reservation.guest_email,
    signed_ip: signer.ip,
    user_agent: signer.user_agent,
    consent_version: snapshot.consent.version,
    otp_confirmed: signer.email_confirmed,
    photo_sha256: signer.photo_sha256,
    drawn_signature_sha256: signer.damaged?.includes('drawn_signature') ? null : signer.drawn_signature_sha256,
  };
}

function readSnapshot(canonical: string | undefined): AgreementSnapshot | null {
  try {
    return agreementSnapshotSchema.safeParse(JSON.parse(canonical ?? '')).data ?? null;
  } catch {
    return null;
  }
}
