/**
 * Contains the checks that are the same for seals and timestamps. A seal and a timestamp are both
 * CMS structures in which one signer signs some content.
 */
import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import forge from 'node-forge';
import {
  type Asn1Value,
  type CmsSignedData,
  findAsn1Attribute,
  findCmsSignerCertificate,
  getAsn1Children,
  getAsn1Octets,
  getAsn1Oid,
  getSignedAttributeBytes,
  SIGNING_CERTIFICATE_V2_OID,
} from '../seal/cms';

const SIGNING_CERTIFICATE = '1.2.840.113549.1.9.16.2.12';

const { oids } = forge.pki;
const DIGESTS: Record<string, string> = {
  [oids.sha256 as string]: 'sha256',
  [oids.sha384 as string]: 'sha384',
  [oids.sha512 as string]: 'sha512',
};

/** Returns the Node name of a digest algorithm. Throws for an unsupported algorithm. */
export function getNodeCryptoDigestName(algorithm: string): string {
  const digest = DIGESTS[algorithm];
  if (!digest) throw new Error('The digest algorithm is not accepted.');
  return digest;
}

/** Checks the content's digest and the signature over it. Returns the signer's certificate. */
export function verifySignerSignature(data: CmsSignedData, content: Uint8Array): X509Certificate {
  const { signer } = data;
  const digest = getNodeCryptoDigestName(signer.digest_algorithm);
  const content_type = findAsn1Attribute(signer.signed_attributes, oids.contentType as string);
  if (!content_type || getAsn1Oid(content_type) !== data.content_type)
    throw new Error('The signed content type differs.');
  const stated = findAsn1Attribute(signer.signed_attributes, oids.messageDigest as string);
  if (!stated || !getAsn1Octets(stated).equals(createHash(digest).update(content).digest())) {
    throw new Error('The digest of the file is not the one that was signed.');
  }
  const certificate = new X509Certificate(findCmsSignerCertificate(data));
  const key = { key: certificate.publicKey, padding: constants.RSA_PKCS1_PADDING };
  const options = certificate.publicKey.asymmetricKeyType === 'rsa' ? key : certificate.publicKey;
  if (!verify(digest, getSignedAttributeBytes(signer), options, signer.signature))
    throw new Error('The signature does not verify.');
  return certificate;
}

/**
 * Throws unless the signature contains this certificate's hash (RFC 5035). Without the hash,
 * another certificate for the same key could replace this certificate. `what` begins the error
 * message.
 */
export function assertContainsCertificateHash(
  { signer }: CmsSignedData,
  certificate: X509Certificate,
  what: string,
): void {
  const second = findAsn1Attribute(signer.signed_attributes, SIGNING_CERTIFICATE_V2_OID);
  const named = second ?? findAsn1Attribute(signer.signed_attributes, SIGNING_CERTIFICATE);
  if (!named) throw new Error(`${what} names no certificate.`);
  const parts = getAsn1Children(getAsn1Children(getAsn1Children(named)[0])[0]);
  const stated = parts.find((part) => typeof part.value === 'string');
  const algorithm =
    parts[0] === stated
      ? second
        ? 'sha256'
        : 'sha1'
      : getNodeCryptoDigestName(getAsn1Oid(getAsn1Children(parts[0])[0]));
  if (!getAsn1Octets(stated).equals(createHash(algorithm).update(certificate.raw).digest()))
    throw new Error(`${what} names another certificate.`);
}

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Returns every certificate in a PEM text. Throws when a certificate cannot be read. */
export function parseCertificates(text: string): X509Certificate[] {
  const [, ...parts] = text.split(BEGIN);
  return parts.map((part) => new X509Certificate(`${BEGIN}${part.split(END, 1)[0]}${END}`));
}

/** Converts a UTCTime or GeneralizedTime to ISO 8601. */
export function convertAsn1TimeToIso(value: Asn1Value | undefined): string {
  const text = getAsn1Octets(value).toString('latin1');
  const date =
    value?.type === forge.asn1.Type.UTCTIME ? forge.asn1.utcTimeToDate(text) : forge.asn1.generalizedTimeToDate(text);
  return date.toISOString();
}

/** Returns the subject's common name, or the whole subject when it has none. */
export function getX509CommonName(certificate: X509Certificate): string {
  const name = /^CN=(.*)$/m.exec(certificate.subject)?.[1];
  return name ?? certificate.subject;
}
