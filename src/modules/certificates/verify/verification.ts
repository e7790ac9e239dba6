/**
 * Whether what is stored is what was sealed (DESIGN "Guest's evidence"); for anyone who holds the verify token. Hashes are
 * recomputed, and every fact is held against the sealed file: who can write the database cannot make a seal.
 */
import { hashToken } from '@/infra/encryption';
import { readInThread } from '@/infra/reader';
import { linkTokenHash } from '@/modules/links/urls';
import type { InclusionProof } from '@/modules/public-log/rules/checkpoint';
import { proveInLog } from '@/modules/public-log/service';
import { canonicalText } from '@/modules/snapshot/snapshot';
import { attestRedacted, attestSigned } from '@/modules/trail/attestation';
import { type ChainedEntry, type ChainVerdict, verifyChain, verifyLinks } from '@/modules/trail/chain';
import { chainedEntry, listTrail } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { isGone, orGone, readPhoto, readSealedPdf, UnreadableFile } from '../files/read';
import * as repository from '../repository';
import { openDrawing } from '../seal/guest-files';
import { trustedCertificates } from '../seal/installation-key';
import { isKnownAuthority } from '../seal/timestamp-authority';
import type { SignatureHead } from '../serializer';
import { differences, type SealedEvidence, type StoredEvidence, type StoredFacts, TRAIL } from './evidence.rules';
import type { PdfVerdict, SealTimestamp } from './pdf';

export interface Verification {
  head: SignatureHead;
  content: 'intact' | 'mismatch' | 'redacted';
  chain: ChainVerdict;
  seal:
    | { state: 'pending' | 'removed' | 'invalid' }
    | {
        state: 'sealed';
        /** `known`: its authority is one that this installation or everybody's browser trusts. */
        timestamp: (Omit<SealTimestamp, 'issuer_pem'> & { known: boolean }) | null;
        sealer: NonNullable<PdfVerdict['signer']>;
      };
  /** Of the sealed file. The log decides: a sealed file that is not in it is `missing`, whatever a column says. */
  log: LogState;
  /** The columns that say something else than the sealed file, `signatures.signer_name`; those of the trail are `chain`'s too. */
  differences: string[];
  /** What the sealed file says; null when there is none, or its seal does not hold. */
  sealed: SealedEvidence | null;
  stored: StoredEvidence;
}

export type LogState = { state: 'included'; proof: InclusionProof } | { state: 'none' | 'missing' };

/** What to do when the storage has lost a file: fail, so that nothing is said now, or name it as unreadable. */
export type LostFiles = 'throw' | 'name';

export interface TokenHolder {
  scope: Scope;
  head: SignatureHead;
}

function holderOf(row: (SignatureHead & { team_id: string; mode: 'live' | 'test' }) | null): TokenHolder | null {
  return row ? { scope: { team_id: row.team_id, mode: row.mode, actor: { kind: 'guest' } }, head: row } : null;
}

/** The certificate of a verify token, or null. */
export async function openVerifyToken(token: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findByVerifyToken(hashToken(token)));
}

/** The certificate of a guest's copy token, or null. */
export async function openCopyToken(token: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findByCopyToken(hashToken(token)));
}

/** Recomputes content hash, chain and seal, and compares every stored fact with the sealed one. */
export async function verifyCertificate(
  { scope, head }: TokenHolder,
  lost: LostFiles = 'throw',
): Promise<Verification> {
  const { row, ...stored } = await storedEvidence({ scope, head }, lost);
  const { snapshot, trail: entries } = stored;
  const { seal, sealed } = await verifySeal(scope, row, entries, lost);
  const found = sealed ? differences(sealed, stored) : [];
  // The file names no team: a certificate that was moved to another one.
  if (sealed && found.length === 0 && row.attestation !== attestSigned(row, entries))
    found.push('signatures.attestation');
  const of_trail = found.filter((column) => column.startsWith(TRAIL));
  const whole = snapshot && sha256Hex(snapshot.canonical) === row.content_hash && of_trail.length === found.length;
  return {
    head: row,
    content: row.redacted_at ? 'redacted' : whole ? 'intact' : 'mismatch',
    // Redaction empties the entries and keeps their hashes: then only the links between them can be followed.
    chain: row.redacted_at ? verifyLinks(entries) : chainVerdict(entries, of_trail),
    seal,
    log: await logState(scope, row),
    differences: found,
    sealed,
    stored,
  };
}

/** Whether the file is in the public log, also once redacted. */
export async function logState(scope: Scope, { pdf_sha256 }: Pick<SignatureHead, 'pdf_sha256'>): Promise<LogState> {
  if (!pdf_sha256) return { state: 'none' };
  const proof = await proveInLog(scope, pdf_sha256);
  return proof ? { state: 'included', proof } : { state: 'missing' };
}

/** What the database says of it. */
export async function storedEvidence(
  { scope, head }: TokenHolder,
  lost: LostFiles = 'throw',
): Promise<StoredEvidence & { row: repository.SignatureRow }> {
  const row = await repository.findWhole(scope, head.id);
  if (!row) throw new AppError('resource_missing');
  const found = {
    row,
    signature: await factsOf(scope, row, lost),
    snapshot: await repository.findSnapshot(scope, row.snapshot_id),
    trail: (await listTrail(scope, row.reservation_id)).map(chainedEntry),
  };
  // Sealed or redacted between two of these reads: row and trail would contradict each other.
  const now = await repository.findHead(scope, head.id);
  const same = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime();
  if (now && same(now.sealed_at, row.sealed_at) && same(now.redacted_at, row.redacted_at)) return found;
  return storedEvidence({ scope, head }, lost);
}

/** Whoever computed all of a chain's hashes anew could not change the sealed entries. */
function chainVerdict(entries: readonly ChainedEntry[], differing: readonly string[]): ChainVerdict {
  const verdict = verifyChain(entries);
  if (!verdict.ok || differing.length === 0) return verdict;
  const seqs = differing.map((column) => Number.parseInt(column.slice(TRAIL.length), 10) || entries.length);
  return { ok: false, broken_seq: Math.min(...seqs), reason: 'anchor' };
}

async function verifySeal(
  scope: Scope,
  row: repository.SignatureRow,
  entries: readonly ChainedEntry[],
  lost: LostFiles,
): Promise<{ seal: Verification['seal']; sealed: SealedEvidence | null }> {
  const invalid = { seal: { state: 'invalid' }, sealed: null } as const;
  const was = (type: string) => entries.some((entry) => entry.type === type);
  if (row.redacted_at) {
    const left = was('certificate.redacted') && row.attestation === attestRedacted(row, entries);
    return left ? { seal: { state: 'removed' }, sealed: null } : invalid;
  }
  const attested = row.attestation === attestSigned(row, entries);
  if (!row.sealed_at)
    return was('certificate.created') || !attested ? invalid : { seal: { state: 'pending' }, sealed: null };
  const pdf = await orUnreadable(readSealedPdf(scope, row.id), lost);
  if (pdf === 'unreadable' || !pdf) return invalid;
  const bytes = new Uint8Array(pdf);
  const job = { type: 'sealed_pdf', bytes, trusted_pems: await trustedCertificates() };
  const verdict = await readInThread<PdfVerdict>(job, bytes);
  const sealed = verdict.seal === 'valid' && verdict.trusted ? sealedEvidence(verdict) : null;
  const sealer = verdict.signer;
  if (!sealer || sealed?.audit.certificate_id !== row.id) return invalid;
  return { seal: { state: 'sealed', timestamp: await timestampOf(verdict), sealer }, sealed };
}

async function timestampOf({ timestamp }: PdfVerdict) {
  if (!timestamp) return null;
  const { issuer_pem, ...said } = timestamp;
  return { ...said, known: await isKnownAuthority(issuer_pem) };
}

/** What a file that is sealed by one of this installation's keys says; null when it holds no evidence. */
export function sealedEvidence({ evidence, sha256, signed_at }: PdfVerdict): SealedEvidence | null {
  if (!evidence) return null;
  return {
    audit: evidence.audit,
    canonical: canonicalText(evidence.audit.snapshot),
    pdf_sha256: sha256,
    sealed_at: signed_at,
    verify_token_hash: linkTokenHash('verify', evidence.certificate_id),
    copy_token_hash: linkTokenHash('copy', evidence.certificate_id),
  };
}

/** `unreadable` when what is stored was not encrypted here. That it cannot be read now is an error: nothing is said of the certificate then. */
const orUnreadable = (read: Promise<Uint8Array | null>, lost: LostFiles): Promise<Uint8Array | null | 'unreadable'> =>
  read.catch((error) => {
    if (error instanceof UnreadableFile || (lost === 'name' && isGone(error))) return 'unreadable';
    throw error;
  });

async function factsOf(scope: Scope, row: repository.SignatureRow, lost: LostFiles): Promise<StoredFacts> {
  const hashOf = (bytes: Uint8Array | null | 'unreadable') =>
    typeof bytes === 'string' ? bytes : bytes && sha256Hex(bytes);
  return {
    ...row,
    livemode: row.mode === 'live',
    signed_at: row.signed_at.toISOString(),
    sealed_at: row.sealed_at?.toISOString() ?? null,
    drawn_signature_sha256: hashOf(await orUnreadable(openDrawing(row.drawn_signature), lost)),
    photo_sha256: hashOf(await orUnreadable(readPhoto(scope, row.id), lost)),
  };
}

/** The certificate of a file that names it, wherever it is; null when this installation has no such certificate. */
export async function openAnywhere(id: string): Promise<TokenHolder | null> {
  return holderOf(await repository.findAnywhere(id));
}

/** The drawn signature, opened; `gone` when what is stored cannot be read. */
export async function readDrawing({ scope, head }: TokenHolder): Promise<Uint8Array | null | 'gone'> {
  const whole = await repository.findWhole(scope, head.id);
  return orGone(openDrawing(whole?.drawn_signature ?? null));
}

/** The property of a certificate for its branding; null when it was deleted. */
export async function readProperty({ scope, head }: TokenHolder) {
  return repository.findProperty(scope, head.property_id);
}
