/**
 * Checks a seal's PKCS#7 structure against the bytes it covers. Everything in the structure must be authenticated or
 * have the one form the sealer writes, so that there is no byte that could be changed unseen.
 */
import { createHash, X509Certificate } from 'node:crypto';
import {
  attribute,
  children,
  parseSignedData,
  partsOfSeal,
  type SignedData,
  sealStructure,
  TIMESTAMP_TOKEN_OID,
  toDer,
} from '../seal/cms';
import { assertNamed, checkSigner } from './signed-data';
import { type CheckedTimestamp, checkTimestamp } from './timestamp';

export interface CheckedSeal {
  certificate: X509Certificate;
  timestamp: CheckedTimestamp | null;
}

/** Checks a PAdES signature. Throws an Error that says what does not hold. `signed` are the bytes of the byte range. */
export function checkSeal(der: Uint8Array, signed: Uint8Array): CheckedSeal {
  const data = parseSignedData(der);
  checkUnsignedParts(data, der);
  const certificate = checkSigner(data, signed);
  assertNamed(data, certificate, 'The seal');
  return { certificate, timestamp: timestampOf(data) };
}

/**
 * The structure's skeleton is not covered by the signature, so it is rebuilt from the authenticated parts as the sealer
 * writes it, and compared: a byte that differs was changed afterwards.
 */
function checkUnsignedParts(data: SignedData, der: Uint8Array): void {
  if (!sealStructure(partsOfSeal(data)).equals(Buffer.from(der))) {
    throw new Error('The signature is not a detached RSA signature with SHA-256, or was tampered with.');
  }
  const certificates = data.certificates.map((der) => new X509Certificate(der));
  for (const certificate of certificates) {
    const issuer = certificates.find((candidate) => certificate.checkIssued(candidate));
    if (issuer && !certificate.verify(issuer.publicKey)) throw new Error('An included certificate was tampered with.');
  }
}

/** The RFC 3161 token over the signature, when there is one. Whether its authority is known is not judged here. */
function timestampOf(data: SignedData): CheckedTimestamp | null {
  const unsigned = data.signer.unsigned_attributes;
  const token_node = attribute(unsigned, TIMESTAMP_TOKEN_OID);
  if (!token_node) return null;
  if (children(unsigned ?? undefined).length !== 1) throw new Error('Unexpected unsigned attributes.');
  const digest = (algorithm: string) => createHash(algorithm).update(data.signer.signature).digest();
  return checkTimestamp(toDer(token_node), digest);
}
