/**
 * `admin certificate verify FILE.pdf`: verifies a certificate's file. Checks the seal, the content
 * hash and the trail in the file. With the installation's database, also checks that this
 * installation sealed the file and that the stored trail begins with the sealed one.
 */
import { readFile } from 'node:fs/promises';
import { checkPublicLog, type PublicLogVerdict } from '@/modules/public-log/check-log';
import { buildLogInclusionProof, listLoggedDatabaseRestores } from '@/modules/public-log/service';
import {
  type ChainedTrailEntry,
  type TrailChainVerdict,
  verifyTrailChain,
  verifyTrailChainLinks,
} from '@/modules/trail/chain';
import { sha256Hex } from '@/shared/canonical-json';
import { awaitFileOrGoneIfLostOrDamaged, readSealedPdf } from '../files/read';
import { createHashSalterWithSealedFileAsSalt } from '../privacy/redaction.rules';
import { countCertificateAndPublicLogMismatches } from '../repository';
import { listTrustedSealingPems } from '../seal/installation-key';
import { findColumnsDifferingFromSealedEvidence } from './evidence.rules';
import { type EvidenceVerdict, type SealedPdfVerdict, verifySealedPdf } from './pdf';
import { parseCertificates } from './signed-data';
import {
  findSignatureInAnyTeam,
  type PublicLogInclusion,
  readStoredEvidence,
  type SignatureWithTenantScope,
  toSealedEvidence,
} from './verification';

export interface SealedFileVerdict extends Omit<SealedPdfVerdict, 'evidence'> {
  ok: boolean;
  /** The failed checks, as English sentences. */
  problems: string[];
  evidence: Omit<EvidenceVerdict, 'audit'> | null;
  /** What the database contains about the certificate. Null without a database or a record. */
  record: CertificateRecordComparison | null;
  /** Whether the file is in the public log. Null without a database. */
  log: SealedFilePublicLogInclusion | null;
}

/** `lost`: this installation sealed the file, but restoring a backup removed it from the log. */
export type SealedFilePublicLogInclusion = PublicLogInclusion | { state: 'lost'; restored_at: string };

export interface CertificateRecordComparison {
  certificate_id: string;
  redacted: boolean;
  is_the_sealed_file: boolean;
  /** The verdict on the stored trail, which continues after the sealed trail. */
  chain: TrailChainVerdict;
  /** The columns that differ from the file. Empty after a redaction. */
  differences: string[];
}

/**
 * Verifies a file. With `certificate_file` (PEM), uses its certificates and no database. Otherwise
 * uses this installation's certificates and database. Throws when a file cannot be read.
 */
export async function verifySealedFile(file: string, certificate_file?: string): Promise<SealedFileVerdict> {
  const bytes = new Uint8Array(await readFile(file));
  if (certificate_file) {
    const trusted = parseCertificates(await readFile(certificate_file, 'utf8')).map(String);
    if (trusted.length === 0) throw new Error('The file of --certificate holds no PEM certificate.');
    return verdictOf(await verifySealedPdf(bytes, ...trusted), null, null);
  }
  const verdict = await verifySealedPdf(bytes, ...(await listTrustedSealingPems()));
  if (!verdict.evidence) return verdictOf(verdict, null, null);
  const record = await compareWithRecord(bytes, verdict, verdict.evidence);
  return verdictOf(verdict, record, await fileLogState(verdict));
}

async function compareWithRecord(
  bytes: Uint8Array,
  verdict: SealedPdfVerdict,
  evidence: EvidenceVerdict,
): Promise<CertificateRecordComparison | null> {
  const holder = await findSignatureInAnyTeam(evidence.certificate_id);
  const sealed = toSealedEvidence(verdict);
  if (!holder || !sealed) return null;
  const stored = await readStoredEvidence(holder);
  const { pdf_sha256, redacted_at } = holder.head;
  return {
    certificate_id: holder.head.id,
    redacted: redacted_at !== null,
    is_the_sealed_file: pdf_sha256 === verdict.sha256,
    chain: redacted_at
      ? verifyRedactedChain(stored.trail, evidence.audit.entries.at(-1), createHashSalterWithSealedFileAsSalt(bytes))
      : verifyTrailChain(stored.trail, evidence.audit.entries.at(-1)),
    differences: redacted_at
      ? []
      : [
          ...findColumnsDifferingFromSealedEvidence(sealed, stored),
          ...(await storedFileDifferences(holder, verdict.sha256)),
        ],
  };
}

/** Returns `signatures.pdf` unless the stored file is identical to the verified file. */
async function storedFileDifferences({ scope, head }: SignatureWithTenantScope, sha256: string): Promise<string[]> {
  const kept = await awaitFileOrGoneIfLostOrDamaged(readSealedPdf(scope, head.id));
  return kept && kept !== 'gone' && sha256Hex(kept) === sha256 ? [] : ['signatures.pdf'];
}

/**
 * Checks the trail of a redacted certificate. The redaction emptied the entries and salted their
 * hashes with the file. Only the links between entries and the hash of the last sealed entry can be
 * checked.
 */
function verifyRedactedChain(
  entries: readonly ChainedTrailEntry[],
  anchor: ChainedTrailEntry | undefined,
  salted: (hash: string) => string,
): TrailChainVerdict {
  const links = verifyTrailChainLinks(entries);
  if (!links.ok || !anchor) return links;
  if (salted(anchor.hash) === entries[anchor.seq - 1]?.hash) return links;
  return { ok: false, broken_seq: anchor.seq, reason: 'anchor' };
}

/**
 * Returns whether a file is in the public log. If it is not, also returns whether the restore of an
 * older backup removed its entry.
 */
async function fileLogState({
  sha256,
  seal,
  trusted,
  signed_at,
}: SealedPdfVerdict): Promise<SealedFilePublicLogInclusion> {
  const proof = await buildLogInclusionProof('installation', sha256);
  if (proof) return { state: 'included', proof };
  if (seal !== 'valid' || !trusted || !signed_at) return { state: 'missing' };
  const sealed_at = Date.parse(signed_at);
  // Subtracts a second, because the seal's time is rounded down to whole seconds.
  const restore = (await listLoggedDatabaseRestores()).find(
    ({ kept_until, began_at }) => (kept_until?.getTime() ?? 0) - 1_000 < sealed_at && sealed_at < began_at.getTime(),
  );
  return restore ? { state: 'lost', restored_at: restore.began_at.toISOString() } : { state: 'missing' };
}

function verdictOf(
  { evidence, ...verdict }: SealedPdfVerdict,
  record: CertificateRecordComparison | null,
  log: SealedFilePublicLogInclusion | null,
): SealedFileVerdict {
  const problems: string[] = [];
  if (verdict.seal !== 'valid') problems.push(verdict.reason ?? 'The seal does not hold.');
  if (verdict.seal === 'valid' && verdict.trusted === null)
    problems.push('This installation has sealed nothing yet, and no certificate was given with --certificate.');
  if (verdict.timestamp?.problem) problems.push(verdict.timestamp.problem);
  if (evidence) {
    if (!evidence.content_hash_matches) problems.push('The content hash is not that of the attached snapshot.');
    if (!evidence.signed_content_matches) problems.push('What was signed is not what is attached.');
    if (!evidence.chain.ok) problems.push(`The attached audit trail is broken at entry ${evidence.chain.broken_seq}.`);
  } else if (verdict.seal === 'valid') problems.push('The file holds no evidence: it is no certificate.');
  if (record && !record.is_the_sealed_file) problems.push('It is not the file that this installation sealed.');
  if (record && !record.chain.ok)
    problems.push(`The stored audit trail is broken at entry ${record.chain.broken_seq}.`);
  if (log?.state === 'lost')
    problems.push(`It was sealed by this installation, and lost in the restore of ${log.restored_at}.`);
  if (log?.state === 'missing') problems.push('It is not in the public log.');
  if (log && !record && log.state !== 'lost')
    problems.push('This installation has no record of the certificate: its account may have been deleted.');
  for (const column of record?.differences ?? []) problems.push(`What is stored in ${column} is not what was sealed.`);
  return { ok: problems.length === 0, problems, ...verdict, evidence: evidence && withoutAudit(evidence), record, log };
}

function withoutAudit({ audit: _audit, ...evidence }: EvidenceVerdict): SealedFileVerdict['evidence'] {
  return evidence;
}

export interface PublicLogCompletenessVerdict extends PublicLogVerdict {
  ok: boolean;
  /** The number of sealed certificates that are not in the log. */
  not_entered: number;
  /** The number of log entries whose certificate was deleted with its team. */
  without_certificate: number;
}

/**
 * Verifies the public log, and compares it with a saved checkpoint if one is given. Throws when the
 * checkpoint's file cannot be read.
 */
export async function verifyPublicLog(checkpoint_file?: string): Promise<PublicLogCompletenessVerdict> {
  const kept = checkpoint_file ? [await readFile(checkpoint_file, 'utf8')] : [];
  const { problems, ...log } = await checkPublicLog(kept);
  const compared = await countCertificateAndPublicLogMismatches();
  if (compared.not_entered > 0) problems.push(`${compared.not_entered} certificates are not in the log.`);
  return { ok: problems.length === 0, problems, ...log, ...compared };
}
