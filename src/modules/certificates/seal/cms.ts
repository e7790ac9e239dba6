/** Reading and making the CMS structures of a seal (RFC 5652), on forge's ASN.1 parser. */
import { createHash } from 'node:crypto';
import forge from 'node-forge';

const { asn1 } = forge;
export type Asn1 = forge.asn1.Asn1;

/** id-aa-signingCertificateV2 (RFC 5035): the hash of the certificate that signs. */
export const SIGNING_CERTIFICATE_V2 = '1.2.840.113549.1.9.16.2.47';
/** id-aa-timeStampToken (RFC 3161, appendix A). */
export const TIMESTAMP_TOKEN_OID = '1.2.840.113549.1.9.16.2.14';

export const fromDer = (der: Uint8Array): Asn1 => asn1.fromDer(Buffer.from(der).toString('binary'));
export const toDer = (value: Asn1): Buffer => Buffer.from(asn1.toDer(value).getBytes(), 'binary');

/** The parts of a constructed value. Throws when it is primitive. */
export function children(value: Asn1 | undefined): Asn1[] {
  if (!value || !Array.isArray(value.value)) throw new Error('Unexpected ASN.1: not a constructed value.');
  return value.value;
}

/** The raw content of a primitive value. Throws when it is constructed. */
export function octets(value: Asn1 | undefined): Buffer {
  if (!value || typeof value.value !== 'string') throw new Error('Unexpected ASN.1: not a primitive value.');
  return Buffer.from(value.value, 'binary');
}

export function oid(value: Asn1 | undefined): string {
  if (value?.type !== asn1.Type.OID) throw new Error('Unexpected ASN.1: not an object identifier.');
  return asn1.derToOid(octets(value).toString('binary'));
}

export const isInteger = (value: Asn1) => value.tagClass === asn1.Class.UNIVERSAL && value.type === asn1.Type.INTEGER;

const isContext = (value: Asn1 | undefined, tag: number) =>
  value?.tagClass === asn1.Class.CONTEXT_SPECIFIC && value.type === tag;

export interface SignerInfo {
  /** The SignerInfo itself, whose last part may be the unsigned attributes. */
  node: Asn1;
  digest_algorithm: string;
  signature_algorithm: string;
  signed_attributes: Asn1;
  signature: Buffer;
  unsigned_attributes: Asn1 | null;
}

export interface SignedData {
  root: Asn1;
  content_type: string;
  /** The eContent of an attached signature (a timestamp token), null for a detached one. */
  content: Buffer | null;
  /** DER of each certificate. */
  certificates: Buffer[];
  signer: SignerInfo;
}

/** Parses a ContentInfo with SignedData and exactly one signer with signed attributes. Throws on anything else. */
export function parseSignedData(der: Uint8Array): SignedData {
  const root = fromDer(der);
  const [type, wrapper] = children(root);
  if (oid(type) !== forge.pki.oids.signedData) throw new Error('Not a SignedData.');
  const parts = children(children(wrapper)[0]);
  const [content_type, content] = children(parts[2]);
  const certificates = parts.find((part, index) => index > 2 && isContext(part, 0));
  const signers = children(parts.at(-1));
  if (signers.length !== 1) throw new Error('Not exactly one signer.');
  return {
    root,
    content_type: oid(content_type),
    content: content ? octets(children(content)[0]) : null,
    certificates: certificates ? children(certificates).map(toDer) : [],
    signer: parseSignerInfo(signers[0]),
  };
}

function parseSignerInfo(node: Asn1 | undefined): SignerInfo {
  const parts = children(node);
  const [, , digest_algorithm, signed_attributes, signature_algorithm, signature, unsigned] = parts;
  if (!node || !isContext(signed_attributes, 0)) throw new Error('No signed attributes.');
  if (parts.length > 7 || (unsigned && !isContext(unsigned, 1))) throw new Error('Unexpected parts in SignerInfo.');
  return {
    node,
    digest_algorithm: oid(children(digest_algorithm)[0]),
    signature_algorithm: oid(children(signature_algorithm)[0]),
    signed_attributes: signed_attributes as Asn1,
    signature: octets(signature),
    unsigned_attributes: unsigned ?? null,
  };
}

/** The issuer and serial number as they stand in a certificate's DER. */
function issuerAndSerial(certificate: Buffer): { issuer: Asn1; serial: Asn1 } {
  const tbs = children(children(fromDer(certificate))[0]);
  // The version comes first only when it is not the default.
  const [serial, , issuer] = isContext(tbs[0], 0) ? tbs.slice(1) : tbs;
  if (!serial || !issuer) throw new Error('Unexpected ASN.1: not a certificate.');
  return { issuer, serial };
}

/** A certificate's extension, or null. */
export function certificateExtension(certificate: Buffer, type: string): { critical: boolean; value: Buffer } | null {
  const tbs = children(children(fromDer(certificate))[0]);
  const extensions = tbs.find((part) => isContext(part, 3));
  for (const extension of extensions ? children(children(extensions)[0]) : []) {
    const [name, ...rest] = children(extension);
    if (oid(name) !== type) continue;
    return { critical: rest.length === 2 && octets(rest[0])[0] === 0xff, value: octets(rest.at(-1)) };
  }
  return null;
}

/** The certificate the signer names, by issuer and serial number. Throws when it is not among those included. */
export function signerCertificate(signed: SignedData): Buffer {
  const [issuer, serial] = children(children(signed.signer.node)[1]).map(toDer);
  const found = signed.certificates.find((der) => {
    const names = issuerAndSerial(der);
    return issuer?.equals(toDer(names.issuer)) && serial?.equals(toDer(names.serial));
  });
  if (!found) throw new Error('The signer’s certificate is not included.');
  return found;
}

/** The value of an attribute that occurs once, or null. */
export function attribute(attributes: Asn1 | null, type: string): Asn1 | null {
  if (!attributes) return null;
  const found = children(attributes).filter((item) => oid(children(item)[0]) === type);
  if (found.length > 1) throw new Error('An attribute occurs twice.');
  return found[0] ? (children(children(found[0])[1])[0] ?? null) : null;
}

/** The bytes the signature is over: the signed attributes with the tag of a SET in place of their own. */
export function signedBytes(signer: SignerInfo): Buffer {
  const der = toDer(signer.signed_attributes);
  der[0] = 0x31;
  return der;
}

/** The signature's own octets: what a timestamp is asked for. */
export function signatureValue(signed_data: Uint8Array): Buffer {
  return parseSignedData(signed_data).signer.signature;
}

/** Puts a TimeStampToken into the signer's unsigned attributes. Throws when the token is no SignedData. */
export function addTimestamp(signed_data: Uint8Array, token: Uint8Array): Buffer {
  parseSignedData(token);
  const { root, signer } = parseSignedData(signed_data);
  const attribute_value = asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SEQUENCE, true, [
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(TIMESTAMP_TOKEN_OID).getBytes()),
    asn1.create(asn1.Class.UNIVERSAL, asn1.Type.SET, true, [fromDer(token)]),
  ]);
  children(signer.node).push(asn1.create(asn1.Class.CONTEXT_SPECIFIC, 1 as forge.asn1.Type, true, [attribute_value]));
  return toDer(root);
}

const { UNIVERSAL, CONTEXT_SPECIFIC } = asn1.Class;
const sequence = (...parts: Asn1[]) => asn1.create(UNIVERSAL, asn1.Type.SEQUENCE, true, parts);
const set = (...parts: Asn1[]) => asn1.create(UNIVERSAL, asn1.Type.SET, true, parts);
const octetString = (bytes: Buffer) => asn1.create(UNIVERSAL, asn1.Type.OCTETSTRING, false, bytes.toString('binary'));
const tagged = (tag: number, parts: Asn1[]) => asn1.create(CONTEXT_SPECIFIC, tag as forge.asn1.Type, true, parts);
const identifier = (name: string) => asn1.create(UNIVERSAL, asn1.Type.OID, false, asn1.oidToDer(name).getBytes());
const known = (name: string) => identifier(forge.pki.oids[name] as string);

/**
 * The signed attributes of a PAdES signature (EN 319 142-1, table 1): the digest, and the hash of the certificate that signs, so that no
 * other certificate of the same key can be put in its place. Its time is claimed in the PDF's dictionary alone.
 */
export function padesAttributes(content: Uint8Array, certificate: Buffer): Asn1[] {
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const attributes = [
    sequence(known('contentType'), set(known('data'))),
    sequence(known('messageDigest'), set(octetString(hash(content)))),
    // SHA-256 is the hash where none is named (RFC 5035).
    sequence(identifier(SIGNING_CERTIFICATE_V2), set(sequence(sequence(sequence(octetString(hash(certificate))))))),
  ];
  // As DER orders a set.
  return attributes.sort((one, other) => Buffer.compare(toDer(one), toDer(other)));
}

/** The bytes that a signature over these attributes is made over. */
export const attributesToSign = (attributes: readonly Asn1[]): Buffer => toDer(set(...attributes));

/** What a seal is made of; everything else of it has one form. */
export interface SealParts {
  /** DER of each certificate, and of the signer's among them. */
  certificates: readonly Buffer[];
  signer: Buffer;
  signed_attributes: readonly Asn1[];
  signature: Buffer;
  unsigned_attributes: readonly Asn1[] | null;
}

/** The parts of a parsed seal. Throws when the signer's certificate is not included. */
export function partsOfSeal(data: SignedData): SealParts {
  const { signed_attributes, unsigned_attributes, signature } = data.signer;
  return {
    certificates: data.certificates,
    signer: signerCertificate(data),
    signed_attributes: children(signed_attributes),
    signature,
    unsigned_attributes: unsigned_attributes && children(unsigned_attributes),
  };
}

/** The DER of a detached RSA signature with SHA-256. Names are as the certificate has them: encoded again, those beyond ASCII would be others. */
export function sealStructure(parts: SealParts): Buffer {
  const algorithm = (name: string) => sequence(known(name), asn1.create(UNIVERSAL, asn1.Type.NULL, false, ''));
  const version = asn1.create(UNIVERSAL, asn1.Type.INTEGER, false, '\x01');
  const { issuer, serial } = issuerAndSerial(parts.signer);
  const signer_info = sequence(
    version,
    sequence(issuer, serial),
    algorithm('sha256'),
    tagged(0, [...parts.signed_attributes]),
    algorithm('rsaEncryption'),
    octetString(parts.signature),
    ...(parts.unsigned_attributes ? [tagged(1, [...parts.unsigned_attributes])] : []),
  );
  const signed_data = sequence(
    version,
    set(algorithm('sha256')),
    sequence(known('data')),
    tagged(0, parts.certificates.map(fromDer)),
    set(signer_info),
  );
  return toDer(sequence(known('signedData'), tagged(0, [signed_data])));
}
