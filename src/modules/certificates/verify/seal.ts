/**
 * Checks a seal's CMS structure against the bytes that it covers. Every part of the structure must
 * be authenticated, or be exactly as the sealer writes it. Otherwise bytes could be changed
 * unnoticed.
 */
import { createHash, X509Certificate } from 'node:crypto';
import {
  type CmsSignedData,
  encodeDer,
  encodeSealAsDer,
  findAsn1Attribute,
  getAsn1Children,
  getCmsSealParts,
  parseCmsSignedData,
  TIMESTAMP_TOKEN_OID,
} from '../seal/cms';
import { assertContainsCertificateHash, verifySignerSignature } from './signed-data';
import { type CheckedTimestamp, checkTimestamp } from './timestamp';

export interface CheckedSeal {
  certificate: X509Certificate;
  timestamp: CheckedTimestamp | null;
}

/**
 * Checks a PAdES signature over the `signed` bytes. Throws an Error that describes the failed
 * check.
 */
export function checkSeal(der: Uint8Array, signed: Uint8Array): CheckedSeal {
  const data = parseCmsSignedData(der);
  checkUnsignedParts(data, der);
  const certificate = verifySignerSignature(data, signed);
  assertContainsCertificateHash(data, certificate, 'The seal');
  return { certificate, timestamp: timestampOf(data) };
}

/**
 * The signature does not cover the structure around it. Rebuilds that structure as the sealer
 * writes it, and compares the bytes.
 */
function checkUnsignedParts(data: CmsSignedData, der: Uint8Array): void {
  if (!encodeSealAsDer(getCmsSealParts(data)).equals(Buffer.from(der))) {
    throw new Error('The signature is not a detached RSA signature with SHA-256, or was tampered with.');
  }
  const certificates = data.certificates.map((der) => new X509Certificate(der));
  for (const certificate of certificates) {
    const issuer = certificates.find((candidate) => certificate.checkIssued(candidate));
    if (issuer && !certificate.verify(issuer.publicKey)) throw new Error('An included certificate was tampered with.');
  }
}

/** Returns the RFC 3161 token over the signature, if there is one. Accepts any authority. */
function timestampOf(data: CmsSignedData): CheckedTimestamp | null {
  const unsigned = data.signer.unsigned_attributes;
  const token_node = findAsn1Attribute(unsigned, TIMESTAMP_TOKEN_OID);
  if (!token_node) return null;
  if (getAsn1Children(unsigned ?? undefined).length !== 1) throw new Error('Unexpected unsigned attributes.');
  const digest = (algorithm: string) => createHash(algorithm).update(data.signer.signature).digest();
  return checkTimestamp(encodeDer(token_node), digest);
}
