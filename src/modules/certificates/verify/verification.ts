/**
 * Verifies, for anyone with the verification token, that the stored certificate equals the sealed
 * one (DESIGN "Guest's evidence"). Recomputes the hashes and compares every fact with the sealed
 * file, because write access to the database is not enough to forge a seal.
 */
import { hashToken } from '@/infra/encryption';
import { runReaderJob } from '@/infra/reader';
import { hashLinkToken } from '@/modules/links/urls';
import type { InclusionProof } from '@/modules/public-log/rules/checkpoint';
import { proveInclusion } from '@/modules/public-log/service';
import { toCanonicalText } from '@/modules/snapshot/snapshot';
import { attestRedactedTrail, attestSignedTrail } from '@/modules/trail/attestation';
import { type ChainedEntry, type ChainVerdict, verifyChain, verifyLinks } from '@/modules/trail/chain';
import { listTrail, toChainedEntry } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import {
  catchLostFile,
  decryptDrawing,
  isLostOrDamaged,
  readPhoto,
  readSealedPdf,
  UnreadableFile,
} from '../files/read';
import * as repository from '../repository';
import { listTrustedCertificates } from '../seal/installation-key';
import { isKnownAuthority } from '../seal/timestamp-authority';
import type { SignatureHead } from '../serializer';
import {
  findDifferences,
  type SealedEvidence,
  type StoredEvidence,
  type StoredFacts,
  TRAIL_PREFIX,
} from './evidence.rules';
import type { PdfVerdict, SealTimestamp } from './pdf';

export interface Verification {
  head: SignatureHead;
  content: 'intact' | 'mismatch' | 'redacted';
  chain: ChainVerdict;
  seal:
    | { state: 'pending' | 'removed' | 'invalid' }
    | {
        state: 'sealed';
        /**
         * `known`: whether the chain of its authority ends at TSA_CA_FILE or a public root of TLS.
         */
        timestamp: (Omit<SealTimestamp, 'issuer_pem'> & { known: boolean }) | null;
        sealer: NonNullable<PdfVerdict['signer']>;
      };
  /**
   * The state of the sealed file in the log. The log decides: a sealed file that is not in it is
   * `missing`, whatever a column contains.
   */
  log: LogState;
  /** The columns that differ from the sealed file. Those of the trail also break `chain`. */
  differences: string[];
  /** The content of the sealed file. Null when there is none or its seal is not valid. */
  sealed: SealedEvidence | null;
  stored: StoredEvidence;
}

export type LogState = { state: 'included'; proof: InclusionProof } | { state: 'none' | 'missing' };

/** What to do when the storage lost a file: throw, or report it as unreadable. */
export type LostFilePolicy = 'throw' | 'name';

export interface TokenHolder {
  scope: Scope;
  head: SignatureHead;
}

function holderOf(row: (SignatureHead & { team_id: string; mode: 'live' | 'test' }) | null): TokenHolder | null {
  return row ? { scope: { team_id: row.team_id, mode: row.mode, actor: { kind: 'guest' } }, head: row } : null;
}

export async function openVerifyToken(token: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findByVerifyToken(hashToken(token)));
}

/** Returns the certificate of a guest's copy token, or null. */
export async function openCopyToken(token: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findByCopyToken(hashToken(token)));
}

/** Recomputes content hash, chain and seal, and compares every stored fact with the sealed one. */
export async function verifyCertificate(
  { scope, head }: TokenHolder,
  lost: LostFilePolicy = 'throw',
): Promise<Verification> {
  const { row, ...stored } = await readStoredEvidence({ scope, head }, lost);
  const { snapshot, trail: entries } = stored;
  const { seal, sealed } = await verifySeal(scope, row, entries, lost);
  const found = sealed ? findDifferences(sealed, stored) : [];
  // The file names no team, so this detects a certificate moved to another team.
  if (sealed && found.length === 0 && row.attestation !== attestSignedTrail(row, entries))
    found.push('signatures.attestation');
  const trail_columns = found.filter((column) => column.startsWith(TRAIL_PREFIX));
  const is_intact =
    snapshot && sha256Hex(snapshot.canonical) === row.content_hash && trail_columns.length === found.length;
  return {
    head: row,
    content: row.redacted_at ? 'redacted' : is_intact ? 'intact' : 'mismatch',
    // Redaction empties the entries and keeps their hashes, so only the links can be checked.
    chain: row.redacted_at ? verifyLinks(entries) : chainVerdict(entries, trail_columns),
    seal,
    log: await getLogState(scope, row),
    differences: found,
    sealed,
    stored,
  };
}

/** Returns whether the file is in the public log, also after a redaction. */
export async function getLogState(scope: Scope, { pdf_sha256 }: Pick<SignatureHead, 'pdf_sha256'>): Promise<LogState> {
  if (!pdf_sha256) return { state: 'none' };
  const proof = await proveInclusion(scope, pdf_sha256);
  return proof ? { state: 'included', proof } : { state: 'missing' };
}

/** Reads the database's record of a certificate. */
export async function readStoredEvidence(
  { scope, head }: TokenHolder,
  lost: LostFilePolicy = 'throw',
): Promise<StoredEvidence & { row: repository.SignatureRow }> {
  const row = await repository.findSignatureRow(scope, head.id);
  if (!row) throw new AppError('resource_missing');
  const found = {
    row,
    signature: await factsOf(scope, row, lost),
    snapshot: await repository.findSnapshot(scope, row.snapshot_id),
    trail: (await listTrail(scope, row.reservation_id)).map(toChainedEntry),
  };
  // It was sealed or redacted between these reads, so row and trail would contradict each other.
  const now = await repository.findSignatureHead(scope, head.id);
  const same = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();
  if (now && same(now.sealed_at, row.sealed_at) && same(now.redacted_at, row.redacted_at)) return found;
  return readStoredEvidence({ scope, head }, lost);
}

/**
 * Returns the verdict on the trail. A changed sealed entry is detected even if all hashes of the
 * chain were recomputed.
 */
function chainVerdict(entries: readonly ChainedEntry[], differing: readonly string[]): ChainVerdict {
  const verdict = verifyChain(entries);
  if (!verdict.ok || differing.length === 0) return verdict;
  const seqs = differing.map((column) => Number.parseInt(column.slice(TRAIL_PREFIX.length), 10) || entries.length);
  return { ok: false, broken_seq: Math.min(...seqs), reason: 'anchor' };
}

async function verifySeal(
  scope: Scope,
  row: repository.SignatureRow,
  entries: readonly ChainedEntry[],
  lost: LostFilePolicy,
): Promise<{ seal: Verification['seal']; sealed: SealedEvidence | null }> {
  const invalid = { seal: { state: 'invalid' }, sealed: null } as const;
  const hasEntry = (type: string) => entries.some((entry) => entry.type === type);
  if (row.redacted_at) {
    const left = hasEntry('certificate.redacted') && row.attestation === attestRedactedTrail(row, entries);
    return left ? { seal: { state: 'removed' }, sealed: null } : invalid;
  }
  const attested = row.attestation === attestSignedTrail(row, entries);
  if (!row.sealed_at)
    return hasEntry('certificate.created') || !attested ? invalid : { seal: { state: 'pending' }, sealed: null };
  const pdf = await orUnreadable(readSealedPdf(scope, row.id), lost);
  if (pdf === 'unreadable' || !pdf) return invalid;
  const bytes = new Uint8Array(pdf);
  const job = { type: 'sealed_pdf', bytes, trusted_pems: await listTrustedCertificates() };
  const verdict = await runReaderJob<PdfVerdict>(job, bytes);
  const sealed = verdict.seal === 'valid' && verdict.trusted ? toSealedEvidence(verdict) : null;
  const sealer = verdict.signer;
  if (!sealer || sealed?.audit.certificate_id !== row.id) return invalid;
  return { seal: { state: 'sealed', timestamp: await timestampOf(verdict), sealer }, sealed };
}

async function timestampOf({ timestamp }: PdfVerdict) {
  if (!timestamp) return null;
  const { issuer_pem, ...stated } = timestamp;
  return { ...stated, known: await isKnownAuthority(issuer_pem) };
}

/** Returns the content of a file that we sealed, or null when it contains no evidence. */
export function toSealedEvidence({ evidence, sha256, signed_at }: PdfVerdict): SealedEvidence | null {
  if (!evidence) return null;
  return {
    audit: evidence.audit,
    canonical: toCanonicalText(evidence.audit.snapshot),
    pdf_sha256: sha256,
    sealed_at: signed_at,
    verify_token_hash: hashLinkToken('verify', evidence.certificate_id),
    copy_token_hash: hashLinkToken('copy', evidence.certificate_id),
  };
}

/** Returns `unreadable` for bytes that we did not encrypt. Throws other failures. */
const orUnreadable = (
  read: Promise<Uint8Array | null>,
  lost: LostFilePolicy,
): Promise<Uint8Array | null | 'unreadable'> =>
  read.catch((error) => {
    if (error instanceof UnreadableFile || (lost === 'name' && isLostOrDamaged(error))) return 'unreadable';
    throw error;
  });

async function factsOf(scope: Scope, row: repository.SignatureRow, lost: LostFilePolicy): Promise<StoredFacts> {
  const hashOf = (bytes: Uint8Array | null | 'unreadable') =>
    typeof bytes === 'string' ? bytes : bytes && sha256Hex(bytes);
  return {
    ...row,
    livemode: row.mode === 'live',
    signed_at: row.signed_at.toISOString(),
    sealed_at: row.sealed_at?.toISOString() ?? null,
    drawn_signature_sha256: hashOf(await orUnreadable(decryptDrawing(row.drawn_signature), lost)),
    photo_sha256: hashOf(await orUnreadable(readPhoto(scope, row.id), lost)),
  };
}

/** Finds a certificate in any team by the id in its file. Returns null for an unknown one. */
export async function openInAnyTeam(id: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findInAnyTeam(id));
}

/** Returns the decrypted drawn signature, or `gone` when it cannot be read. */
export async function readDrawing({ scope, head }: TokenHolder): Promise<Uint8Array | null | 'gone'> {
  const is_intact = await repository.findSignatureRow(scope, head.id);
  return catchLostFile(decryptDrawing(is_intact?.drawn_signature ?? null));
}

/** Returns the property of a certificate for its branding, or null when it was deleted. */
export async function readProperty({ scope, head }: TokenHolder) {
  return repository.findProperty(scope, head.property_id);
}
