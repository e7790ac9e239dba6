/**
 * Compares the stored facts about a certificate with the facts that were sealed into its PDF,
 * because nobody without the key can forge a seal. Reports each difference by its column. Pure.
 */
import type { ChainedTrailEntry } from '@/modules/trail/chain';
import { toCanonicalJson } from '@/shared/canonical-json';
import type { AuditTrailFile } from '../seal/attachments';
import type { GuestSubmittedFileKind } from '../types';

/** The prefix of trail columns in the reported differences. */
export const PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES = 'trail_entries.';

/** The stored facts, by column. Times are ISO 8601 with milliseconds. */
export interface StoredSignatureEvidence {
  id: string;
  livemode: boolean;
  reservation_id: string;
  property_id: string;
  content_hash: string;
  signer_name: string;
  signer_email: string | null;
  signed_at: string;
  signed_ip: string | null;
  user_agent: string | null;
  consent_version: string;
  locale: string;
  otp_confirmed: boolean;
  sealed_at: string | null;
  pdf_sha256: string | null;
  verify_token_hash: string;
  copy_token_hash: string;
  /**
   * The SHA-256 of the drawing. Null without a drawing, and `unreadable` when it cannot be
   * decrypted. The same applies to `photo_sha256`.
   */
  drawn_signature_sha256: string | null;
  photo_sha256: string | null;
}

export interface StoredEvidence {
  signature: StoredSignatureEvidence;
  snapshot: { content_hash: string; canonical: string } | null;
  trail: readonly ChainedTrailEntry[];
}

export interface SealedEvidence {
  audit: AuditTrailFile;
  /** The sealed snapshot's canonical text. */
  canonical: string;
  pdf_sha256: string;
  /** The seal's time, ISO 8601 to the second. */
  sealed_at: string | null;
  /** The hash is derived from the certificate's id and the application's secret. */
  verify_token_hash: string;
  copy_token_hash: string;
}

/**
 * Returns the stored columns that differ from the sealed evidence, such as `signatures.signer_name`
 * or `trail_entries.3.ip`.
 */
export function findColumnsDifferingFromSealedEvidence(sealed: SealedEvidence, stored: StoredEvidence): string[] {
  return [
    ...signatureDifferences(sealed, stored.signature),
    ...snapshotDifferences(sealed, stored.snapshot),
    ...trailDifferences(sealed, stored.trail),
  ];
}

function signatureDifferences({ audit, ...sealed }: SealedEvidence, stored: StoredSignatureEvidence): string[] {
  const { signer, snapshot } = audit;
  // A file that was already damaged when it was sealed must still be damaged.
  const isDamaged = (file: GuestSubmittedFileKind) => signer.damaged?.includes(file) ?? false;
  const expected: { [Field in keyof StoredSignatureEvidence]: StoredSignatureEvidence[Field] | undefined } = {
    id: audit.certificate_id,
    livemode: audit.livemode,
    reservation_id: snapshot.reservation.id,
    property_id: snapshot.property.id,
    content_hash: audit.content_hash,
    signer_name: signer.typed_name,
    signer_email: snapshot.reservation.guest_email,
    signed_at: signer.signed_at,
    signed_ip: signer.ip,
    user_agent: signer.user_agent,
    consent_version: snapshot.consent.version,
    locale: snapshot.locale,
    sealed_at: sealed.sealed_at ?? undefined,
    pdf_sha256: sealed.pdf_sha256,
    verify_token_hash: sealed.verify_token_hash,
    copy_token_hash: sealed.copy_token_hash,
    otp_confirmed: signer.email_confirmed,
    drawn_signature_sha256: isDamaged('drawn_signature') ? undefined : signer.drawn_signature_sha256,
    photo_sha256: isDamaged('photo') ? undefined : signer.photo_sha256,
  };
  const to_the_second = (iso: string | null) => iso?.slice(0, 19);
  return (Object.keys(expected) as (keyof StoredSignatureEvidence)[])
    .filter((field) => {
      if (expected[field] === undefined) return false;
      if (field === 'sealed_at') return to_the_second(stored.sealed_at) !== to_the_second(expected.sealed_at ?? null);
      return stored[field] !== expected[field];
    })
    .map((field) => `signatures.${COLUMNS[field] ?? field}`);
}

/** The columns of facts that are stored under another name. */
const COLUMNS: Partial<Record<keyof StoredSignatureEvidence, string>> = {
  livemode: 'mode',
  drawn_signature_sha256: 'drawn_signature',
  photo_sha256: 'photo',
};

function snapshotDifferences({ audit, canonical }: SealedEvidence, stored: StoredEvidence['snapshot']): string[] {
  if (!stored) return ['signatures.snapshot_id'];
  const found: string[] = [];
  if (stored.canonical !== canonical) found.push('snapshots.canonical');
  if (stored.content_hash !== audit.content_hash) found.push('snapshots.content_hash');
  return found;
}

/**
 * Compares the sealed trail entries with the stored entries. Also requires a stored entry
 * `certificate.created` with this file's hash.
 */
function trailDifferences({ audit, pdf_sha256 }: SealedEvidence, stored: readonly ChainedTrailEntry[]): string[] {
  const found: string[] = [];
  for (const entry of audit.entries) {
    const kept = stored[entry.seq - 1];
    if (!kept) found.push(`${PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES}${entry.seq}`);
    else
      for (const field of Object.keys(entry) as (keyof ChainedTrailEntry)[]) {
        if (toCanonicalJson(kept[field]) !== toCanonicalJson(entry[field]))
          found.push(`${PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES}${entry.seq}.${field}`);
      }
  }
  const made = stored.slice(audit.entries.length).find(({ type }) => type === 'certificate.created');
  if (!made) found.push(`${PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES}certificate.created`);
  else if (made.data.pdf_sha256 !== pdf_sha256 || made.data.certificate_id !== audit.certificate_id)
    found.push(`${PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES}${made.seq}.data`);
  return found;
}
