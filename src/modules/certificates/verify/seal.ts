/**
 * Checks a seal's PKCS#7 structure against the bytes it covers. Everything in the structure must be authenticated or
 * have the one form the sealer writes, so that there is no byte that could be changed unseen.
 */
import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import {
  attribute,
  children,
  octets,
  oid,
  parseSignedData,
  type SignedData,
  sealStructure,
  signedBytes,
  signerCertificate,
  TIMESTAMP_TOKEN_OID,
  toDer,
} from '../seal/cms';

const { oids } = forge.pki;
const DIGESTS: Record<string, string> = {
  [oids.sha256 as string]: 'sha256',
  [oids.sha384 as string]: 'sha384',
  [oids.sha512 as string]: 'sha512',
};
const SIGNING_TIME = '1.2.840.113549.1.9.5';

export interface SealTimestamp {
  /** When the authority saw the signature, ISO 8601. */
  time: string;
  authority: string;
}

export interface CheckedSeal {
  certificate: X509Certificate;
  /** What the sealer's own clock said, ISO 8601; null when it is not stated. */
  signing_time: string | null;
  timestamp: SealTimestamp | null;
}

/** Throws an Error that says what does not hold. `signed` are the bytes of the byte range. */
export function checkSeal(der: Uint8Array, signed: Uint8Array): CheckedSeal {
  const data = parseSignedData(der);
  checkUnsignedParts(data, der);
  const certificate = checkSigner(data, signed);
  const timestamp = checkTimestamp(data);
  const time = attribute(data.signer.signed_attributes, SIGNING_TIME);
  return { certificate, signing_time: time ? asn1Time(time) : null, timestamp };
}

/**
 * The structure's skeleton is not covered by the signature, so it is rebuilt from the authenticated parts as the sealer
 * writes it, and compared: a byte that differs was changed afterwards.
 */
function checkUnsignedParts(data: SignedData, der: Uint8Array): void {
  if (!sealStructure(data).equals(Buffer.from(der))) {
    throw new Error('The signature is not a detached RSA signature with SHA-256, or was tampered with.');
  }
  const certificates = data.certificates.map((der) => new X509Certificate(der));
  for (const certificate of certificates) {
    const issuer = certificates.find((candidate) => certificate.checkIssued(candidate));
    if (issuer && !certificate.verify(issuer.publicKey)) throw new Error('An included certificate was tampered with.');
  }
}

/** The digest of the content and the signature over it; gives the signer's certificate. */
function checkSigner(data: SignedData, content: Uint8Array): X509Certificate {
  const { signer } = data;
  const digest = DIGESTS[signer.digest_algorithm];
  if (!digest) throw new Error('The digest algorithm is not accepted.');
  const content_type = attribute(signer.signed_attributes, oids.contentType as string);
  if (!content_type || oid(content_type) !== data.content_type) throw new Error('The signed content type differs.');
  const stated = attribute(signer.signed_attributes, oids.messageDigest as string);
  if (!stated || !octets(stated).equals(createHash(digest).update(content).digest())) {
    throw new Error('The digest of the file is not the one that was signed.');
  }
  const certificate = new X509Certificate(signerCertificate(data));
  const key = { key: certificate.publicKey, padding: constants.RSA_PKCS1_PADDING };
  const options = certificate.publicKey.asymmetricKeyType === 'rsa' ? key : certificate.publicKey;
  if (!verify(digest, signedBytes(signer), options, signer.signature))
    throw new Error('The signature does not verify.');
  return certificate;
}

/** The RFC 3161 token over the signature, when there is one. Its authority's certificate is not judged here. */
function checkTimestamp(data: SignedData): SealTimestamp | null {
  const unsigned = data.signer.unsigned_attributes;
  const token_node = attribute(unsigned, TIMESTAMP_TOKEN_OID);
  if (!token_node) return null;
  if (children(unsigned ?? undefined).length !== 1) throw new Error('Unexpected unsigned attributes.');
  const token = parseSignedData(toDer(token_node));
  if (!token.content) throw new Error('The timestamp has no content.');
  const certificate = checkSigner(token, token.content);
  const info = forge.asn1.fromDer(token.content.toString('binary'));
  const [, , imprint, , generated_at] = children(info);
  const [algorithm, hashed] = children(imprint);
  const digest = DIGESTS[oid(children(algorithm)[0])];
  if (!digest) throw new Error('The timestamp’s digest algorithm is not accepted.');
  if (!octets(hashed).equals(createHash(digest).update(data.signer.signature).digest())) {
    throw new Error('The timestamp is not of this signature.');
  }
  return { time: asn1Time(generated_at), authority: commonName(certificate) };
}

/** UTCTime or GeneralizedTime as ISO 8601. */
function asn1Time(value: forge.asn1.Asn1 | undefined): string {
  const text = octets(value).toString('latin1');
  const date =
    value?.type === forge.asn1.Type.UTCTIME ? forge.asn1.utcTimeToDate(text) : forge.asn1.generalizedTimeToDate(text);
  return date.toISOString();
}

/** The subject's common name, or its whole subject when it has none. */
export function commonName(certificate: X509Certificate): string {
  const name = /^CN=(.*)$/m.exec(certificate.subject)?.[1];
  return name ?? certificate.subject;
}
