/**
 * Checks an RFC 3161 timestamp: that it covers this signature, that its certificate is only for
 * timestamps and was valid at that time, that the included certificates form a chain, and that the
 * time is plausible.
 */
import { X509Certificate } from 'node:crypto';
import {
  type CmsSignedData,
  decodeDer,
  findX509CertificateExtension,
  getAsn1Children,
  getAsn1Octets,
  getAsn1Oid,
  isAsn1Integer,
  parseCmsSignedData,
} from '../seal/cms';
import {
  assertContainsCertificateHash,
  convertAsn1TimeToIso,
  getNodeCryptoDigestName,
  getX509CommonName,
  verifySignerSignature,
} from './signed-data';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

export interface CheckedTimestamp {
  /** When the authority received the signature, ISO 8601. */
  time: string;
  authority: string;
  /** The nonce of the request, in hexadecimal. Null without a nonce. */
  nonce: string | null;
  /** The last certificate of the included chain. */
  last: X509Certificate;
}

/**
 * Checks a timestamp. Throws an Error that describes the failed check. `digest` computes the digest
 * of the timestamped signature.
 */
export function checkTimestamp(token_der: Uint8Array, digest: (algorithm: string) => Buffer): CheckedTimestamp {
  const token = parseCmsSignedData(token_der);
  if (!token.content || token.content_type !== TST_INFO) throw new Error('The timestamp has no content.');
  const certificate = verifySignerSignature(token, token.content);
  const [, , imprint, , generated_at, ...rest] = getAsn1Children(decodeDer(token.content));
  const [algorithm, hashed] = getAsn1Children(imprint);
  const expected = digest(getNodeCryptoDigestName(getAsn1Oid(getAsn1Children(algorithm)[0])));
  if (!getAsn1Octets(hashed).equals(expected)) throw new Error('The timestamp is not of this signature.');
  const time = convertAsn1TimeToIso(generated_at);
  checkPurpose(token, certificate);
  const nonce = rest.find(isAsn1Integer);
  return {
    time,
    authority: getX509CommonName(certificate),
    nonce: nonce ? getAsn1Octets(nonce).toString('hex') : null,
    last: lastOfChain(token, certificate, time),
  };
}

/**
 * Throws unless time stamping is the certificate's only purpose, in a critical extension (RFC 3161,
 * 2.3), and the token contains the certificate's hash (RFC 5816).
 */
function checkPurpose(token: CmsSignedData, certificate: X509Certificate): void {
  const usage = findX509CertificateExtension(certificate.raw, EXTENDED_KEY_USAGE);
  const purposes = usage ? getAsn1Children(decodeDer(usage.value)).map(getAsn1Oid) : [];
  if (!usage?.critical || purposes.length !== 1 || purposes[0] !== TIME_STAMPING)
    throw new Error('The timestamp’s certificate is not one for timestamps.');
  assertContainsCertificateHash(token, certificate, 'The timestamp');
}

/**
 * Follows the included certificates, from the signer's certificate to its issuers, and returns the
 * last one.
 */
function lastOfChain(token: CmsSignedData, signer: X509Certificate, time: string): X509Certificate {
  const sent = token.certificates.map((der) => new X509Certificate(der));
  let last = signer;
  for (let links = 0; links <= sent.length; links += 1) {
    const at = Date.parse(time);
    if (at < Date.parse(last.validFrom) || at > Date.parse(last.validTo))
      throw new Error('A certificate of the timestamp was not valid then.');
    // Searches issuers by name only, so that an issuer that did not sign the certificate is
    // detected.
    const { issuer: name } = last;
    const issuers = sent.filter((each) => each.subject === name);
    if (issuers.length === 0 || issuers.some((each) => each.fingerprint256 === last.fingerprint256)) return last;
    const issuer = issuers.find((each) => each.ca && last.verify(each.publicKey));
    if (!issuer) throw new Error('The timestamp’s certificates are not issued by one another.');
    last = issuer;
  }
  throw new Error('The timestamp’s certificates form a loop.');
}

/** Returns whether a certificate is one of these authorities or was issued by one of them. */
export function isIssuedByAnyAuthority(last: X509Certificate, authorities: readonly X509Certificate[]): boolean {
  return authorities.some(
    (root) =>
      root.fingerprint256 === last.fingerprint256 || (root.ca && last.checkIssued(root) && last.verify(root.publicKey)),
  );
}

const MINUTE_MS = 60_000;
/** The maximum difference between synchronized clocks. */
const SKEW_MS = 5 * MINUTE_MS;
/** The maximum time between the seal and its timestamp, which is requested during sealing. */
const MAX_DELAY_MS = 60 * MINUTE_MS;

/** Returns why a timestamp's time does not fit this seal, or null. Times are ISO 8601. */
export function findTimestampMismatchReason(
  time: string,
  seal: { signed_at: string; sealed_at: string },
): string | null {
  const at = Date.parse(time);
  if (at < Date.parse(seal.signed_at) - SKEW_MS) return 'The timestamp is from before the signature.';
  if (at > Date.parse(seal.sealed_at) + MAX_DELAY_MS) return 'The timestamp is from long after the seal.';
  return null;
}
