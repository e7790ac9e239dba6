/**
 * Verifies a certificate PDF from its bytes alone: that the seal is valid and covers every byte,
 * and that the attached snapshot and trail are intact. /verify and the operator's CLI use it.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { SUBFILTER_ETSI_CADES_DETACHED } from '@signpdf/utils';
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFString,
} from 'pdf-lib';
import { hashAgreementSnapshot } from '@/modules/snapshot/snapshot';
import { type TrailChainVerdict, verifyTrailChain } from '@/modules/trail/chain';
import { sha256Hex } from '@/shared/canonical-json';
import {
  AUDIT_TRAIL_ATTACHMENT_NAME,
  type AuditTrailFile,
  auditTrailFileSchema,
  SNAPSHOT_ATTACHMENT_NAME,
} from '../seal/attachments';
import { listFileHashFieldsDifferingFromTrail } from '../seal/guest-files.rules';
import { type CheckedSeal, checkSeal } from './seal';
import { getX509CommonName } from './signed-data';
import { findTimestampMismatchReason } from './timestamp';

export interface SealTimestamp {
  /** When the authority received the signature, ISO 8601. */
  time: string;
  authority: string;
  /** Why this time proves nothing, in English. Null when the time is plausible. */
  problem: string | null;
  /**
   * The last certificate of the authority's chain, PEM. A reader who trusts it or its issuer can
   * trust the time.
   */
  issuer_pem: string;
}

export interface SealedPdfVerdict {
  /**
   * `invalid` includes a seal that does not cover the whole file, and a seal by an untrusted key.
   */
  seal: 'valid' | 'invalid' | 'missing';
  /** Why the seal is not valid, in English. Null when it is valid. */
  reason: string | null;
  covers_whole_document: boolean;
  /**
   * The certificate inside the seal. Anyone can create a certificate with this name, so compare the
   * fingerprint.
   */
  signer: { common_name: string; fingerprint_sha256: string; valid_from: string; valid_to: string } | null;
  /**
   * Whether `signer` is one of the trusted certificates. Null when the caller passed no
   * certificates.
   */
  trusted: boolean | null;
  /** The signing time by the sealer's clock, ISO 8601. */
  signed_at: string | null;
  /** The authority's time, when the seal has a timestamp. */
  timestamp: SealTimestamp | null;
  /** Lower-case hex SHA-256 of the file, to compare with the stored hash. */
  sha256: string;
  /** The attached files and whether they are consistent. Null when the files cannot be read. */
  evidence: EvidenceVerdict | null;
}

export interface EvidenceVerdict {
  certificate_id: string;
  content_hash: string;
  /** Whether both attachments contain the same snapshot and its recomputed hash matches. */
  content_hash_matches: boolean;
  chain: TrailChainVerdict;
  /**
   * Whether the trail ends with the signature, whose entry contains the hashes of content, photo
   * and drawing.
   */
  signed_content_matches: boolean;
  audit: AuditTrailFile;
}

/** A checked seal with the signing time (ISO 8601) from the PDF's signature dictionary. */
type DatedSeal = CheckedSeal & { signing_time: string | null };

/** The job of a parser thread. Parsing a file and its certificates takes a tenth of a second. */
export interface PdfVerificationJob {
  readonly bytes: Uint8Array;
  readonly trusted_pems: readonly string[];
}

/**
 * Verifies a certificate's PDF. Never throws, and reports any other file as not sealed. With
 * `trusted_pems`, a seal made with another certificate is invalid. Without them, compare the
 * fingerprint of `signer`, because anyone can make a seal.
 */
export async function verifySealedPdf(bytes: Uint8Array, ...trusted_pems: string[]): Promise<SealedPdfVerdict> {
  const verdict: SealedPdfVerdict = {
    seal: 'missing',
    reason: 'The file has no seal.',
    covers_whole_document: false,
    signer: null,
    trusted: null,
    signed_at: null,
    timestamp: null,
    sha256: sha256Hex(bytes),
    evidence: null,
  };
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true });
    const signatures = findSignatures(document);
    verdict.evidence = await readEvidence(document);
    if (signatures.length === 0) return verdict;
    verdict.seal = 'invalid';
    if (signatures.length > 1) return { ...verdict, reason: 'The file has several signatures.' };
    const dictionary = signatures[0] as PDFDict;
    const { der, signed } = signedParts(bytes, dictionary);
    verdict.covers_whole_document = true;
    const pades = PDFName.of(SUBFILTER_ETSI_CADES_DETACHED);
    if (dictionary.get(PDFName.of('SubFilter')) !== pades) throw new Error('The seal is not a PAdES signature.');
    const checked = { ...checkSeal(der, signed), signing_time: claimedTime(dictionary) };
    Object.assign(verdict, sealFacts(checked, trusted_pems, verdict.evidence));
    if (verdict.trusted === false) return { ...verdict, reason: 'The seal was made with another certificate.' };
    return { ...verdict, seal: 'valid', reason: null };
  } catch (error) {
    const looks_sealed = Buffer.from(bytes).includes('/ByteRange');
    const reason = error instanceof Error ? error.message : String(error);
    return { ...verdict, seal: looks_sealed ? 'invalid' : verdict.seal, reason };
  }
}

function sealFacts(
  checked: DatedSeal,
  trusted_pems: readonly string[],
  evidence: EvidenceVerdict | null,
): Partial<SealedPdfVerdict> {
  const { certificate } = checked;
  const fingerprint = (x509: X509Certificate) => x509.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    signer: {
      common_name: getX509CommonName(certificate),
      fingerprint_sha256: fingerprint(certificate),
      valid_from: new Date(certificate.validFrom).toISOString(),
      valid_to: new Date(certificate.validTo).toISOString(),
    },
    trusted: trusted_pems.length
      ? trusted_pems.some((pem) => fingerprint(new X509Certificate(pem)) === fingerprint(certificate))
      : null,
    signed_at: checked.signing_time,
    timestamp: timestampFacts(checked, evidence),
  };
}

function timestampFacts(
  { timestamp, signing_time }: DatedSeal,
  evidence: EvidenceVerdict | null,
): SealTimestamp | null {
  if (!timestamp) return null;
  const { time, authority, last } = timestamp;
  const sealed_at = signing_time ?? time;
  // In test mode the signing time may come from a test clock, so it is not compared.
  const signed_at = evidence?.audit.livemode ? evidence.audit.signer.signed_at : sealed_at;
  const problem = findTimestampMismatchReason(time, { signed_at, sealed_at });
  return { time, authority, problem, issuer_pem: last.toString() };
}

/** Returns the signing time of a signature dictionary, which the seal covers. */
function claimedTime(dictionary: PDFDict): string | null {
  return dictionary.lookupMaybe(PDFName.of('M'), PDFString)?.decodeDate().toISOString() ?? null;
}

/**
 * Returns the signature dictionaries of the form's fields, which PDF readers show as signatures.
 */
function findSignatures(document: PDFDocument): PDFDict[] {
  const fields = document.catalog
    .lookupMaybe(PDFName.of('AcroForm'), PDFDict)
    ?.lookupMaybe(PDFName.of('Fields'), PDFArray);
  return (fields?.asArray() ?? [])
    .map((_, index) => fields?.lookup(index, PDFDict))
    .filter((field) => field?.get(PDFName.of('FT')) === PDFName.of('Sig'))
    .map((field) => field?.lookup(PDFName.of('V'), PDFDict))
    .filter((value) => value !== undefined);
}

/**
 * Returns the signature and the bytes that it covers. Throws unless both together are the whole
 * file.
 */
function signedParts(bytes: Uint8Array, signature: PDFDict): { der: Uint8Array; signed: Uint8Array } {
  const file = Buffer.from(bytes);
  const range = signature
    .lookup(PDFName.of('ByteRange'), PDFArray)
    .asArray()
    .map((item) => (item instanceof PDFNumber ? item.asNumber() : Number.NaN));
  const [start, first_end, second_start, second_length] = range as [number, number, number, number];
  if (range.length !== 4 || !range.every(Number.isSafeInteger) || start !== 0 || second_start <= first_end) {
    throw new Error('The byte range is malformed.');
  }
  if (second_start + second_length !== file.length) {
    throw new Error('The seal does not cover the whole file: something was added or removed after sealing.');
  }
  // The space between the ranges may contain only the signature as lower-case hex, padded with
  // zeros.
  const gap = file.toString('latin1', first_end, second_start);
  if (!/^<(?:[0-9a-f]{2})+>$/.test(gap)) throw new Error('The seal has been tampered with.');
  const padded = Buffer.from(gap.slice(1, -1), 'hex');
  const der = padded.subarray(0, derLength(padded));
  if (padded.subarray(der.length).some((byte) => byte !== 0)) throw new Error('The seal has been tampered with.');
  const signed = Buffer.concat([file.subarray(0, first_end), file.subarray(second_start)]);
  return { der, signed };
}

/** Returns the length of the DER value at the start of a buffer, including its header. */
function derLength(buffer: Buffer): number {
  const first = buffer[1] ?? 0;
  if (buffer[0] !== 0x30 || first === 0x80 || first > 0x84) throw new Error('The signature is not DER.');
  if (first < 0x80) return 2 + first;
  const size = first & 0x7f;
  return 2 + size + buffer.readUIntBE(2, size);
}

async function readEvidence(document: PDFDocument): Promise<EvidenceVerdict | null> {
  const files = attachedFiles(document);
  const snapshot_bytes = files.get(SNAPSHOT_ATTACHMENT_NAME);
  const audit_bytes = files.get(AUDIT_TRAIL_ATTACHMENT_NAME);
  if (!snapshot_bytes || !audit_bytes) return null;
  const parsed = auditTrailFileSchema.safeParse(parseJson(audit_bytes));
  if (!parsed.success) return null;
  const audit = parsed.data;
  const signed = audit.entries.at(-1);
  return {
    certificate_id: audit.certificate_id,
    content_hash: audit.content_hash,
    content_hash_matches:
      hashAgreementSnapshot(audit.snapshot) === audit.content_hash &&
      createHash('sha256').update(snapshot_bytes).digest('hex') === audit.content_hash,
    chain: verifyTrailChain(audit.entries),
    signed_content_matches:
      signed?.type === 'reservation.signed' &&
      signed.data.content_hash === audit.content_hash &&
      listFileHashFieldsDifferingFromTrail(audit.signer, signed.data).length === 0,
    audit,
  };
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

/** Returns the embedded files by name. Reads only the flat name tree that the sealer writes. */
function attachedFiles(document: PDFDocument): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const names = document.catalog
    .lookupMaybe(PDFName.of('Names'), PDFDict)
    ?.lookupMaybe(PDFName.of('EmbeddedFiles'), PDFDict)
    ?.lookupMaybe(PDFName.of('Names'), PDFArray);
  for (let index = 0; names && index + 1 < names.size(); index += 2) {
    const name = names.lookup(index);
    const stream = names
      .lookup(index + 1, PDFDict)
      .lookup(PDFName.of('EF'), PDFDict)
      .lookup(PDFName.of('F'));
    if ((name instanceof PDFHexString || name instanceof PDFString) && stream instanceof PDFRawStream) {
      files.set(name.decodeText(), decodePDFRawStream(stream).decode());
    }
  }
  return files;
}
