/**
 * Checks an RFC 3161 timestamp: that it is of this signature, made with a certificate that is for nothing but timestamps
 * and was valid then, with whole links up to the last certificate that came with it; and whether its time can be true.
 */
import { X509Certificate } from 'node:crypto';
import {
  certificateExtension,
  children,
  fromDer,
  isInteger,
  octets,
  oid,
  parseSignedData,
  type SignedData,
} from '../seal/cms';
import { asn1Time, assertNamed, checkSigner, commonName, digestOf } from './signed-data';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
const EXTENDED_KEY_USAGE = '2.5.29.37';
const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

export interface CheckedTimestamp {
  /** When the authority saw the signature, ISO 8601. */
  time: string;
  authority: string;
  /** Of the question it answers, in hexadecimal; null when it names none. */
  nonce: string | null;
  /** The last certificate of its chain, as far as it was sent. */
  last: X509Certificate;
}

/** Throws an Error that says what does not hold. `digest` gives that of the signature the timestamp was asked for. */
export function checkTimestamp(token_der: Uint8Array, digest: (algorithm: string) => Buffer): CheckedTimestamp {
  const token = parseSignedData(token_der);
  if (!token.content || token.content_type !== TST_INFO) throw new Error('The timestamp has no content.');
  const certificate = checkSigner(token, token.content);
  const [, , imprint, , generated_at, ...rest] = children(fromDer(token.content));
  const [algorithm, hashed] = children(imprint);
  const expected = digest(digestOf(oid(children(algorithm)[0])));
  if (!octets(hashed).equals(expected)) throw new Error('The timestamp is not of this signature.');
  const time = asn1Time(generated_at);
  checkPurpose(token, certificate);
  const nonce = rest.find(isInteger);
  return {
    time,
    authority: commonName(certificate),
    nonce: nonce ? octets(nonce).toString('hex') : null,
    last: lastOfChain(token, certificate, time),
  };
}

/** RFC 3161, 2.3: the only purpose, and critical. RFC 5816: the token names the certificate by its hash. */
function checkPurpose(token: SignedData, certificate: X509Certificate): void {
  const usage = certificateExtension(certificate.raw, EXTENDED_KEY_USAGE);
  const purposes = usage ? children(fromDer(usage.value)).map(oid) : [];
  if (!usage?.critical || purposes.length !== 1 || purposes[0] !== TIME_STAMPING)
    throw new Error('The timestamp’s certificate is not one for timestamps.');
  assertNamed(token, certificate, 'The timestamp');
}

/** Follows the certificates that were sent from the signer's upwards. */
function lastOfChain(token: SignedData, signer: X509Certificate, time: string): X509Certificate {
  const sent = token.certificates.map((der) => new X509Certificate(der));
  let last = signer;
  for (let links = 0; links <= sent.length; links += 1) {
    const at = Date.parse(time);
    if (at < Date.parse(last.validFrom) || at > Date.parse(last.validTo))
      throw new Error('A certificate of the timestamp was not valid then.');
    // By name alone: who is named and did not sign is what is looked for.
    const { issuer: name } = last;
    const issuers = sent.filter((each) => each.subject === name);
    if (issuers.length === 0 || issuers.some((each) => each.fingerprint256 === last.fingerprint256)) return last;
    const issuer = issuers.find((each) => each.ca && last.verify(each.publicKey));
    if (!issuer) throw new Error('The timestamp’s certificates are not issued by one another.');
    last = issuer;
  }
  throw new Error('The timestamp’s certificates go round in a circle.');
}

/** Whether a timestamp's chain ends at one of these authorities. */
export function endsAt(last: X509Certificate, authorities: readonly X509Certificate[]): boolean {
  return authorities.some(
    (root) =>
      root.fingerprint256 === last.fingerprint256 || (root.ca && last.checkIssued(root) && last.verify(root.publicKey)),
  );
}

const MINUTE_MS = 60_000;
/** Clocks of well-kept machines differ by less. */
const SKEW_MS = 5 * MINUTE_MS;
/** The authority is asked while the seal is made. */
const LATEST_MS = 60 * MINUTE_MS;

/** Why a timestamp's time cannot be that of this seal, or null. Times as ISO 8601. */
export function implausible(time: string, seal: { signed_at: string; sealed_at: string }): string | null {
  const at = Date.parse(time);
  if (at < Date.parse(seal.signed_at) - SKEW_MS) return 'The timestamp is from before the signature.';
  if (at > Date.parse(seal.sealed_at) + LATEST_MS) return 'The timestamp is from long after the seal.';
  return null;
}
