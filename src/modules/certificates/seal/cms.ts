/** Parses and builds the CMS structure of a seal (RFC 5652) with forge's ASN.1 parser. */
import { createHash } from 'node:crypto';
import forge from 'node-forge';

const { asn1 } = forge;
export type Asn1Value = forge.asn1.Asn1;

/** id-aa-signingCertificateV2 (RFC 5035): the hash of the signing certificate. */
export const SIGNING_CERTIFICATE_V2_OID = '1.2.840.113549.1.9.16.2.47';
/** id-aa-timeStampToken (RFC 3161, appendix A). */
export const TIMESTAMP_TOKEN_OID = '1.2.840.113549.1.9.16.2.14';

const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
export const encodeAsn1Sequence = (...parts: Asn1Value[]) => asn1.create(UNIVERSAL, asn1.Type.SEQUENCE, true, parts);
const set = (...parts: Asn1Value[]) => asn1.create(UNIVERSAL, asn1.Type.SET, true, parts);
export const encodeAsn1OctetString = (bytes: Buffer) =>
  asn1.create(UNIVERSAL, asn1.Type.OCTETSTRING, false, bytes.toString('binary'));
const tagged = (tag: number, parts: Asn1Value[]) => asn1.create(CONTEXT_SPECIFIC, tag as forge.asn1.Type, true, parts);
export const encodeAsn1Oid = (name: string) =>
  asn1.create(UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(name).getBytes());
const known = (name: string) => encodeAsn1Oid(forge.pki.oids[name] as string);
/** Returns an algorithm identifier without parameters. */
export const encodeAsn1AlgorithmIdentifier = (name: string) =>
  encodeAsn1Sequence(known(name), asn1.create(UNIVERSAL, asn1.Type.NULL, false, ''));
export const encodeAsn1Integer = (bytes: string) => asn1.create(UNIVERSAL, asn1.Type.INTEGER, false, bytes);

export const decodeDer = (der: Uint8Array): Asn1Value => asn1.fromDer(Buffer.from(der).toString('binary'));
export const encodeDer = (value: Asn1Value): Buffer => Buffer.from(asn1.toDer(value).getBytes(), 'binary');

/** Returns the parts of a constructed value. Throws for a primitive one. */
export function getAsn1Children(value: Asn1Value | undefined): Asn1Value[] {
  if (!value || !Array.isArray(value.value)) throw new Error('Unexpected ASN.1: not a constructed value.');
  return value.value;
}

/** Returns the content of a primitive value. Throws for a constructed one. */
export function getAsn1Octets(value: Asn1Value | undefined): Buffer {
  if (!value || typeof value.value !== 'string') throw new Error('Unexpected ASN.1: not a primitive value.');
  return Buffer.from(value.value, 'binary');
}

export function getAsn1Oid(value: Asn1Value | undefined): string {
  if (value?.type !== asn1.Type.OID) throw new Error('Unexpected ASN.1: not an object identifier.');
  return asn1.derToOid(getAsn1Octets(value).toString('binary'));
}

export const isAsn1Integer = (value: Asn1Value) =>
  value.tagClass === asn1.Class.UNIVERSAL && value.type === asn1.Type.INTEGER;

const isContext = (value: Asn1Value | undefined, tag: number) =>
  value?.tagClass === asn1.Class.CONTEXT_SPECIFIC && value.type === tag;

export interface CmsSignerInfo {
  /** The whole CmsSignerInfo, including unsigned attributes. */
  node: Asn1Value;
  digest_algorithm: string;
  signature_algorithm: string;
  signed_attributes: Asn1Value;
  signature: Buffer;
  unsigned_attributes: Asn1Value | null;
}

export interface CmsSignedData {
  root: Asn1Value;
  content_type: string;
  /**
   * The signed content inside the structure, as in a timestamp token. Null when the content is
   * detached.
   */
  content: Buffer | null;
  /** DER of each certificate. */
  certificates: Buffer[];
  signer: CmsSignerInfo;
}

/** Parses a CmsSignedData with exactly one signer and signed attributes, or throws. */
export function parseCmsSignedData(der: Uint8Array): CmsSignedData {
  const root = decodeDer(der);
  const [type, wrapper] = getAsn1Children(root);
  if (getAsn1Oid(type) !== forge.pki.oids.signedData) throw new Error('Not a SignedData.');
  const parts = getAsn1Children(getAsn1Children(wrapper)[0]);
  const [content_type, content] = getAsn1Children(parts[2]);
  const certificates = parts.find((part, index) => index > 2 && isContext(part, 0));
  const signers = getAsn1Children(parts.at(-1));
  if (signers.length !== 1) throw new Error('Not exactly one signer.');
  return {
    root,
    content_type: getAsn1Oid(content_type),
    content: content ? getAsn1Octets(getAsn1Children(content)[0]) : null,
    certificates: certificates ? getAsn1Children(certificates).map(encodeDer) : [],
    signer: parseSignerInfo(signers[0]),
  };
}

function parseSignerInfo(node: Asn1Value | undefined): CmsSignerInfo {
  const parts = getAsn1Children(node);
  const [, , digest_algorithm, signed_attributes, signature_algorithm, signature, unsigned] = parts;
  if (!node || !isContext(signed_attributes, 0)) throw new Error('No signed attributes.');
  if (parts.length > 7 || (unsigned && !isContext(unsigned, 1))) throw new Error('Unexpected parts in SignerInfo.');
  return {
    node,
    digest_algorithm: getAsn1Oid(getAsn1Children(digest_algorithm)[0]),
    signature_algorithm: getAsn1Oid(getAsn1Children(signature_algorithm)[0]),
    signed_attributes: signed_attributes as Asn1Value,
    signature: getAsn1Octets(signature),
    unsigned_attributes: unsigned ?? null,
  };
}

/** Returns a certificate's issuer and serial number in their original encoding. */
function issuerAndSerial(certificate: Buffer): { issuer: Asn1Value; serial: Asn1Value } {
  const tbs = getAsn1Children(getAsn1Children(decodeDer(certificate))[0]);
  // The optional version precedes the serial number.
  const [serial, , issuer] = isContext(tbs[0], 0) ? tbs.slice(1) : tbs;
  if (!serial || !issuer) throw new Error('Unexpected ASN.1: not a certificate.');
  return { issuer, serial };
}

/** Returns a certificate's extension, or null. */
export function findX509CertificateExtension(
  certificate: Buffer,
  type: string,
): { critical: boolean; value: Buffer } | null {
  const tbs = getAsn1Children(getAsn1Children(decodeDer(certificate))[0]);
  const extensions = tbs.find((part) => isContext(part, 3));
  for (const extension of extensions ? getAsn1Children(getAsn1Children(extensions)[0]) : []) {
    const [name, ...rest] = getAsn1Children(extension);
    if (getAsn1Oid(name) !== type) continue;
    return { critical: rest.length === 2 && getAsn1Octets(rest[0])[0] === 0xff, value: getAsn1Octets(rest.at(-1)) };
  }
  return null;
}

/**
 * Returns the signer's certificate, found by issuer and serial number. Throws when it is not
 * included.
 */
export function findCmsSignerCertificate(signed: CmsSignedData): Buffer {
  const [issuer, serial] = getAsn1Children(getAsn1Children(signed.signer.node)[1]).map(encodeDer);
  const found = signed.certificates.find((der) => {
    const names = issuerAndSerial(der);
    return issuer?.equals(encodeDer(names.issuer)) && serial?.equals(encodeDer(names.serial));
  });
  if (!found) throw new Error('The signer’s certificate is not included.');
  return found;
}

/** Returns the value of an attribute that occurs at most once, or null. */
export function findAsn1Attribute(attributes: Asn1Value | null, type: string): Asn1Value | null {
  if (!attributes) return null;
  const found = getAsn1Children(attributes).filter((item) => getAsn1Oid(getAsn1Children(item)[0]) === type);
  if (found.length > 1) throw new Error('An attribute occurs twice.');
  return found[0] ? (getAsn1Children(getAsn1Children(found[0])[1])[0] ?? null) : null;
}

/** Returns the signed bytes: the signed attributes, encoded with the tag of a SET. */
export function getSignedAttributeBytes(signer: CmsSignerInfo): Buffer {
  const der = encodeDer(signer.signed_attributes);
  der[0] = 0x31;
  return der;
}

/** Returns the signature value, which a timestamp covers. */
export function getSignatureValue(signed_data: Uint8Array): Buffer {
  return parseCmsSignedData(signed_data).signer.signature;
}

/**
 * Adds a TimeStampToken to the unsigned attributes. Throws when `token` is not a TimeStampToken.
 */
export function addTimestampTokenToSeal(signed_data: Uint8Array, token: Uint8Array): Buffer {
  parseCmsSignedData(token);
  const { root, signer } = parseCmsSignedData(signed_data);
  getAsn1Children(signer.node).push(
    tagged(1, [encodeAsn1Sequence(encodeAsn1Oid(TIMESTAMP_TOKEN_OID), set(decodeDer(token)))]),
  );
  return encodeDer(root);
}

/**
 * Returns the signed attributes of a PAdES signature (EN 319 142-1, table 1): the content's digest
 * and the signing certificate's hash. The hash prevents replacing the certificate with another one
 * for the same key. The signing time is only in the PDF's signature dictionary.
 */
export function buildPadesAttributes(content: Uint8Array, certificate: Buffer): Asn1Value[] {
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const attributes = [
    encodeAsn1Sequence(known('contentType'), set(known('data'))),
    encodeAsn1Sequence(known('messageDigest'), set(encodeAsn1OctetString(hash(content)))),
    // The omitted hash algorithm defaults to SHA-256 (RFC 5035).
    encodeAsn1Sequence(
      encodeAsn1Oid(SIGNING_CERTIFICATE_V2_OID),
      set(encodeAsn1Sequence(encodeAsn1Sequence(encodeAsn1Sequence(encodeAsn1OctetString(hash(certificate)))))),
    ),
  ];
  // DER requires the elements of a SET to be sorted.
  return attributes.sort((one, other) => Buffer.compare(encodeDer(one), encodeDer(other)));
}

/** Returns the bytes to sign for these attributes. */
export const encodeAttributesToSign = (attributes: readonly Asn1Value[]): Buffer => encodeDer(set(...attributes));

/** The variable parts of a seal. */
export interface CmsSealParts {
  /** All certificates, as DER. */
  certificates: readonly Buffer[];
  signer: Buffer;
  signed_attributes: readonly Asn1Value[];
  signature: Buffer;
  unsigned_attributes: readonly Asn1Value[] | null;
}

/**
 * Returns the variable parts of a parsed seal. Throws when the signer's certificate is not
 * included.
 */
export function getCmsSealParts(data: CmsSignedData): CmsSealParts {
  const { signed_attributes, unsigned_attributes, signature } = data.signer;
  return {
    certificates: data.certificates,
    signer: findCmsSignerCertificate(data),
    signed_attributes: getAsn1Children(signed_attributes),
    signature,
    unsigned_attributes: unsigned_attributes && getAsn1Children(unsigned_attributes),
  };
}

/**
 * Builds the DER of a detached RSA signature with SHA-256. Copies the issuer's name from the
 * certificate, because encoding it again would change characters beyond ASCII.
 */
export function encodeSealAsDer(parts: CmsSealParts): Buffer {
  const version = encodeAsn1Integer('\x01');
  const { issuer, serial } = issuerAndSerial(parts.signer);
  const signer_info = encodeAsn1Sequence(
    version,
    encodeAsn1Sequence(issuer, serial),
    encodeAsn1AlgorithmIdentifier('sha256'),
    tagged(0, [...parts.signed_attributes]),
    encodeAsn1AlgorithmIdentifier('rsaEncryption'),
    encodeAsn1OctetString(parts.signature),
    ...(parts.unsigned_attributes ? [tagged(1, [...parts.unsigned_attributes])] : []),
  );
  const signed_data = encodeAsn1Sequence(
    version,
    set(encodeAsn1AlgorithmIdentifier('sha256')),
    encodeAsn1Sequence(known('data')),
    tagged(0, parts.certificates.map(decodeDer)),
    set(signer_info),
  );
  return encodeDer(encodeAsn1Sequence(known('signedData'), tagged(0, [signed_data])));
}
