/**
 * Checks a seal's CMS structure against the bytes it covers. Everything in the structure must be
 * authenticated or have the one form that the sealer writes, so that no byte can be changed
 * unnoticed.
 */
import { createHash, X509Certificate } from 'node:crypto';
import {
  buildSealDer,
  findAttribute,
  getChildren,
  getSealParts,
  parseSignedData,
  type SignedData,
  TIMESTAMP_TOKEN_OID,
  toDer,
} from '../seal/cms';
import { assertNamesCertificate, checkSigner } from './signed-data';
import { type CheckedTimestamp, checkTimestamp } from './timestamp';

export interface CheckedSeal {
  certificate: X509Certificate;
  timestamp: CheckedTimestamp | null;
}

/** Checks a PAdES signature of the `signed` bytes. Throws an Error with the failed check. */
export function checkSeal(der: Uint8Array, signed: Uint8Array): CheckedSeal {
  const data = parseSignedData(der);
  checkUnsignedParts(data, der);
  const certificate = checkSigner(data, signed);
  assertNamesCertificate(data, certificate, 'The seal');
  return { certificate, timestamp: timestampOf(data) };
}

/**
 * Rebuilds the structure around the signature from the authenticated parts, as the sealer writes
 * it, and compares the two. The signature does not cover that structure.
 */
function checkUnsignedParts(data: SignedData, der: Uint8Array): void {
  if (!buildSealDer(getSealParts(data)).equals(Buffer.from(der))) {
    throw new Error('The signature is not a detached RSA signature with SHA-256, or was tampered with.');
  }
  const certificates = data.certificates.map((der) => new X509Certificate(der));
  for (const certificate of certificates) {
    const issuer = certificates.find((candidate) => certificate.checkIssued(candidate));
    if (issuer && !certificate.verify(issuer.publicKey)) throw new Error('An included certificate was tampered with.');
  }
}

/** Returns the RFC 3161 token over the signature, if any, from any authority. */
function timestampOf(data: SignedData): CheckedTimestamp | null {
  const unsigned = data.signer.unsigned_attributes;
  const token_node = findAttribute(unsigned, TIMESTAMP_TOKEN_OID);
  if (!token_node) return null;
  if (getChildren(unsigned ?? undefined).length !== 1) throw new Error('Unexpected unsigned attributes.');
  const digest = (algorithm: string) => createHash(algorithm).update(data.signer.signature).digest();
  return checkTimestamp(toDer(token_node), digest);
}
