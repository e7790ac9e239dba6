/**
 * Verifies that a stored certificate equals the sealed certificate, for anyone with the
 * verification token (design "Guest's evidence"). Recomputes the hashes and compares every stored
 * fact with the sealed file, because an attacker with only the database cannot forge a seal.
 */
import { hashToken } from '@/infra/encryption';
import { runParserJob } from '@/infra/parser-pool';
import { hashLinkToken } from '@/modules/links/urls';
import type { InclusionProof } from '@/modules/public-log/rules/checkpoint';
import { buildLogInclusionProof } from '@/modules/public-log/service';
import { toCanonicalSnapshotText } from '@/modules/snapshot/snapshot';
import { computeTrailHashAtRedaction, computeTrailHashAtSigning } from '@/modules/trail/attestation';
import {
  type ChainedTrailEntry,
  type TrailChainVerdict,
  verifyTrailChain,
  verifyTrailChainLinks,
} from '@/modules/trail/chain';
import { convertRowToChainedTrailEntry, listTrailEntries } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import {
  awaitFileOrGoneIfLostOrDamaged,
  decryptDrawnSignature,
  isLostOrDamagedFileError,
  readCertificatePhoto,
  readSealedPdf,
  UnreadableStoredFileError,
} from '../files/read';
import * as repository from '../repository';
import { listTrustedSealingPems } from '../seal/installation-key';
import { isTrustedTimestampAuthority } from '../seal/timestamp-authority';
import type { SignatureWithoutLargeColumns } from '../serializer';
import {
  findColumnsDifferingFromSealedEvidence,
  PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES,
  type SealedEvidence,
  type StoredEvidence,
  type StoredSignatureEvidence,
} from './evidence.rules';
import type { SealedPdfVerdict, SealTimestamp } from './pdf';

export interface CertificateVerificationResult {
  head: SignatureWithoutLargeColumns;
  content: 'intact' | 'mismatch' | 'redacted';
  chain: TrailChainVerdict;
  seal:
    | { state: 'pending' | 'removed' | 'invalid' }
    | {
        state: 'sealed';
        /**
         * `known` is whether the authority's certificate chains to a root in TSA_CA_FILE or to a
         * public TLS root.
         */
        timestamp: (Omit<SealTimestamp, 'issuer_pem'> & { known: boolean }) | null;
        sealer: NonNullable<SealedPdfVerdict['signer']>;
      };
  /**
   * Whether the sealed file is in the public log. `missing` when the certificate is sealed but the
   * log does not contain the file.
   */
  log: PublicLogInclusion;
  /**
   * The columns that differ from the sealed file. Differences in trail columns also make `chain`
   * invalid.
   */
  differences: string[];
  /** The content of the sealed file. Null when there is none or its seal is not valid. */
  sealed: SealedEvidence | null;
  stored: StoredEvidence;
}

export type PublicLogInclusion = { state: 'included'; proof: InclusionProof } | { state: 'none' | 'missing' };

/** What to do when the storage has lost a file: throw, or report the file as unreadable. */
export type MissingStoredFileHandling = 'throw' | 'name';

export interface SignatureWithTenantScope {
  scope: Scope;
  head: SignatureWithoutLargeColumns;
}

function holderOf(
  row: (SignatureWithoutLargeColumns & { team_id: string; mode: 'live' | 'test' }) | null,
): SignatureWithTenantScope | null {
  return row ? { scope: { team_id: row.team_id, mode: row.mode, actor: { kind: 'guest' } }, head: row } : null;
}

export async function findSignatureByVerifyToken(token: string): Promise<SignatureWithTenantScope | null> {
  return holderOf(await repository.findCertificateByVerifyToken(hashToken(token)));
}

/** Returns the certificate of a guest's copy token, or null. */
export async function findSignatureByGuestCopyToken(token: string): Promise<SignatureWithTenantScope | null> {
  return holderOf(await repository.findCertificateByCopyToken(hashToken(token)));
}

/**
 * Recomputes the content hash and the chain, verifies the seal, and compares every stored fact with
 * the sealed value.
 */
export async function verifyCertificate(
  { scope, head }: SignatureWithTenantScope,
  lost: MissingStoredFileHandling = 'throw',
): Promise<CertificateVerificationResult> {
  const { row, ...stored } = await readStoredEvidence({ scope, head }, lost);
  const { snapshot, trail: entries } = stored;
  const { seal, sealed } = await verifySeal(scope, row, entries, lost);
  const found = sealed ? findColumnsDifferingFromSealedEvidence(sealed, stored) : [];
  // The file does not name its team, but the attestation covers the team. This comparison therefore
  // detects a certificate that was moved to another team.
  if (sealed && found.length === 0 && row.attestation !== computeTrailHashAtSigning(row, entries))
    found.push('signatures.attestation');
  const trail_columns = found.filter((column) => column.startsWith(PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES));
  const is_intact =
    snapshot && sha256Hex(snapshot.canonical) === row.content_hash && trail_columns.length === found.length;
  return {
    head: row,
    content: row.redacted_at ? 'redacted' : is_intact ? 'intact' : 'mismatch',
    // Redaction empties the entries, so their hashes no longer match. Only the links can be
    // checked.
    chain: row.redacted_at ? verifyTrailChainLinks(entries) : chainVerdict(entries, trail_columns),
    seal,
    log: await lookUpCertificateInPublicLog(scope, row),
    differences: found,
    sealed,
    stored,
  };
}

/** Returns whether the file is in the public log. A redaction does not remove it from the log. */
export async function lookUpCertificateInPublicLog(
  scope: Scope,
  { pdf_sha256 }: Pick<SignatureWithoutLargeColumns, 'pdf_sha256'>,
): Promise<PublicLogInclusion> {
  if (!pdf_sha256) return { state: 'none' };
  const proof = await buildLogInclusionProof(scope, pdf_sha256);
  return proof ? { state: 'included', proof } : { state: 'missing' };
}

/** Reads what the database contains about a certificate. */
export async function readStoredEvidence(
  { scope, head }: SignatureWithTenantScope,
  lost: MissingStoredFileHandling = 'throw',
): Promise<StoredEvidence & { row: repository.SignatureRow }> {
  const row = await repository.findSignatureRow(scope, head.id);
  if (!row) throw new AppError('resource_missing');
  const found = {
    row,
    signature: await factsOf(scope, row, lost),
    snapshot: await repository.findAgreementSnapshot(scope, row.snapshot_id),
    trail: (await listTrailEntries(scope, row.reservation_id)).map(convertRowToChainedTrailEntry),
  };
  // If the certificate was sealed or redacted between these reads, reads everything again.
  const now = await repository.findSignatureWithoutLargeColumns(scope, head.id);
  const same = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();
  if (now && same(now.sealed_at, row.sealed_at) && same(now.redacted_at, row.redacted_at)) return found;
  return readStoredEvidence({ scope, head }, lost);
}

/**
 * Returns the verdict on the trail. Also detects a changed entry whose chain was recomputed,
 * because the sealed entry differs.
 */
function chainVerdict(entries: readonly ChainedTrailEntry[], differing: readonly string[]): TrailChainVerdict {
  const verdict = verifyTrailChain(entries);
  if (!verdict.ok || differing.length === 0) return verdict;
  const seqs = differing.map(
    (column) => Number.parseInt(column.slice(PREFIX_OF_TRAIL_COLUMNS_IN_DIFFERENCES.length), 10) || entries.length,
  );
  return { ok: false, broken_seq: Math.min(...seqs), reason: 'anchor' };
}

async function verifySeal(
  scope: Scope,
  row: repository.SignatureRow,
  entries: readonly ChainedTrailEntry[],
  lost: MissingStoredFileHandling,
): Promise<{ seal: CertificateVerificationResult['seal']; sealed: SealedEvidence | null }> {
  const invalid = { seal: { state: 'invalid' }, sealed: null } as const;
  const hasEntry = (type: string) => entries.some((entry) => entry.type === type);
  if (row.redacted_at) {
    const left = hasEntry('certificate.redacted') && row.attestation === computeTrailHashAtRedaction(row, entries);
    return left ? { seal: { state: 'removed' }, sealed: null } : invalid;
  }
  const attested = row.attestation === computeTrailHashAtSigning(row, entries);
  if (!row.sealed_at)
    return hasEntry('certificate.created') || !attested ? invalid : { seal: { state: 'pending' }, sealed: null };
  const pdf = await orUnreadable(readSealedPdf(scope, row.id), lost);
  if (pdf === 'unreadable' || !pdf) return invalid;
  const bytes = new Uint8Array(pdf);
  const job = { type: 'sealed_pdf', bytes, trusted_pems: await listTrustedSealingPems() };
  const verdict = await runParserJob<SealedPdfVerdict>(job, bytes);
  const sealed = verdict.seal === 'valid' && verdict.trusted ? toSealedEvidence(verdict) : null;
  const sealer = verdict.signer;
  if (!sealer || sealed?.audit.certificate_id !== row.id) return invalid;
  return { seal: { state: 'sealed', timestamp: await timestampOf(verdict), sealer }, sealed };
}

async function timestampOf({ timestamp }: SealedPdfVerdict) {
  if (!timestamp) return null;
  const { issuer_pem, ...stated } = timestamp;
  return { ...stated, known: await isTrustedTimestampAuthority(issuer_pem) };
}

/**
 * Returns the evidence in a file that this installation sealed, or null when the file contains
 * none.
 */
export function toSealedEvidence({ evidence, sha256, signed_at }: SealedPdfVerdict): SealedEvidence | null {
  if (!evidence) return null;
  return {
    audit: evidence.audit,
    canonical: toCanonicalSnapshotText(evidence.audit.snapshot),
    pdf_sha256: sha256,
    sealed_at: signed_at,
    verify_token_hash: hashLinkToken('verify', evidence.certificate_id),
    copy_token_hash: hashLinkToken('copy', evidence.certificate_id),
  };
}

/**
 * Returns `unreadable` for bytes that this installation did not encrypt. Rethrows other failures.
 */
const orUnreadable = (
  read: Promise<Uint8Array | null>,
  lost: MissingStoredFileHandling,
): Promise<Uint8Array | null | 'unreadable'> =>
  read.catch((error) => {
    if (error instanceof UnreadableStoredFileError || (lost === 'name' && isLostOrDamagedFileError(error)))
      return 'unreadable';
    throw error;
  });

async function factsOf(
  scope: Scope,
  row: repository.SignatureRow,
  lost: MissingStoredFileHandling,
): Promise<StoredSignatureEvidence> {
  const hashOf = (bytes: Uint8Array | null | 'unreadable') =>
    typeof bytes === 'string' ? bytes : bytes && sha256Hex(bytes);
  return {
    ...row,
    livemode: row.mode === 'live',
    signed_at: row.signed_at.toISOString(),
    sealed_at: row.sealed_at?.toISOString() ?? null,
    drawn_signature_sha256: hashOf(await orUnreadable(decryptDrawnSignature(row.drawn_signature), lost)),
    photo_sha256: hashOf(await orUnreadable(readCertificatePhoto(scope, row.id), lost)),
  };
}

/** Finds a certificate of any team by the id in its file. Returns null for an unknown id. */
export async function findSignatureInAnyTeam(id: string): Promise<SignatureWithTenantScope | null> {
  return holderOf(await repository.findCertificateInAnyTeam(id));
}

/** Returns the decrypted drawn signature, or `gone` when it cannot be read. */
export async function readDrawnSignature({
  scope,
  head,
}: SignatureWithTenantScope): Promise<Uint8Array | null | 'gone'> {
  const is_intact = await repository.findSignatureRow(scope, head.id);
  return awaitFileOrGoneIfLostOrDamaged(decryptDrawnSignature(is_intact?.drawn_signature ?? null));
}

/**
 * Returns the property of a certificate for its branding. Returns null when the property was
 * deleted.
 */
export async function findPropertyOfCertificate({ scope, head }: SignatureWithTenantScope) {
  return repository.findProperty(scope, head.property_id);
}
