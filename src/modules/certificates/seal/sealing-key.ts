/** Generates and opens the installation's sealing key. */
import { createPrivateKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import forge from 'node-forge';

const KEY_BITS = 3072;
const VALID_YEARS = 20;

export interface SealingKeyOptions {
  common_name: string;
  now: Date;
}

export interface GeneratedSealingKey {
  p12: Uint8Array;
  passphrase: string;
  /** The public certificate. Verification trusts it. */
  certificate_pem: string;
}

/**
 * Generates an RSA key with a self-signed certificate that is valid for 20 years, as PKCS#12. The
 * signer does not support EC keys. Takes half a second of CPU, so `CertificateRenderPool.makeKey`
 * calls it in a thread.
 */
export async function generateSealingKey(options: SealingKeyOptions): Promise<GeneratedSealingKey> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: KEY_BITS });
  const private_key = forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());

  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(private_key.n, private_key.e);
  // The serial number must be positive and have at most 20 bytes (RFC 5280, 4.1.2.2).
  certificate.serialNumber = `4${randomBytes(15).toString('hex').slice(1)}`;
  certificate.validity.notBefore = new Date(options.now.getTime() - 60_000);
  certificate.validity.notAfter = new Date(options.now);
  certificate.validity.notAfter.setUTCFullYear(options.now.getUTCFullYear() + VALID_YEARS);
  // forge's types declare Class here, but the library expects Type. UTF-8 is necessary for names
  // beyond Latin-1.
  const valueTagClass = forge.asn1.Type.UTF8 as unknown as forge.asn1.Class;
  const subject = [{ name: 'commonName', value: options.common_name, valueTagClass }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, nonRepudiation: true, critical: true },
    { name: 'subjectKeyIdentifier' },
  ]);
  certificate.sign(private_key, forge.md.sha256.create());

  const passphrase = randomBytes(24).toString('base64url');
  const asn1 = forge.pkcs12.toPkcs12Asn1(private_key, [certificate], passphrase, { algorithm: 'aes256' });
  return {
    p12: Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary'),
    passphrase,
    certificate_pem: forge.pki.certificateToPem(certificate),
  };
}

/**
 * Returns the certificate that matches the private key of a PKCS#12, as PEM. Throws an Error for a
 * wrong passphrase, a missing RSA key or a missing certificate. Startup calls this for a configured
 * file.
 */
export function readSealingCertificate(p12: Uint8Array, passphrase: string): string {
  return forge.pki.certificateToPem(openSealingKey(p12, passphrase).certificate);
}

const derOf = (certificate: forge.pki.Certificate) =>
  Buffer.from(forge.asn1.toDer(forge.pki.certificateToAsn1(certificate)).getBytes(), 'binary');

/**
 * Caches the last opened key of this thread. Opening a key takes half as long as producing a
 * certificate.
 */
let last: { p12: Uint8Array; passphrase: string; material: ReturnType<typeof openMaterial> } | null = null;

/**
 * Returns the key and the certificates for a seal. Throws the same errors as
 * readSealingCertificate.
 */
export function readSealingKeyAndCertificates(p12: Uint8Array, passphrase: string) {
  if (last?.passphrase !== passphrase || Buffer.compare(last.p12, p12) !== 0)
    last = { p12, passphrase, material: openMaterial(p12, passphrase) };
  return last.material;
}

function openMaterial(p12: Uint8Array, passphrase: string) {
  const { key, certificate, certificates } = openSealingKey(p12, passphrase);
  return {
    private_key: createPrivateKey(forge.pki.privateKeyToPem(key)),
    certificate: derOf(certificate),
    certificates,
  };
}

function openSealingKey(p12: Uint8Array, passphrase: string) {
  const der = forge.util.createBuffer(Buffer.from(p12).toString('binary'));
  const store = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(der), false, passphrase);
  const bags = (type: string) => store.getBags({ bagType: type })[type] ?? [];
  const key = bags(forge.pki.oids.pkcs8ShroudedKeyBag!)[0]?.key as forge.pki.rsa.PrivateKey | undefined;
  if (!key?.n) throw new Error('The PKCS#12 holds no RSA private key.');
  const all = bags(forge.pki.oids.certBag!).flatMap(({ cert }) => cert ?? []);
  const own = all.find((cert) => (cert.publicKey as forge.pki.rsa.PublicKey).n?.equals(key.n));
  if (own) return { key, certificate: own, certificates: all.map(derOf) };
  throw new Error('The PKCS#12 holds no certificate for its private key.');
}

/** Returns the fingerprint of a certificate: the SHA-256 of its DER, in lower-case hex. */
export function computeCertificateFingerprint(pem: string): string {
  return new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
}
