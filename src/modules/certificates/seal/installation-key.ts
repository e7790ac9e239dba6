/**
 * The installation's sealing keys. The current key is either configured as a PKCS#12 file, or
 * generated once and stored encrypted in the database for all instances. The certificates of former
 * keys are stored too, so that earlier seals remain valid. They are encrypted, so that an attacker
 * who can write to the database cannot add a trusted certificate.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { config, getAppSecret } from '@/config';
import type { SealOrigin } from '@/generated/prisma/enums';
import { decryptSecret, encryptSecret } from '@/infra/encryption';
import { sha256Hex } from '@/shared/canonical-json';
import { clock } from '@/shared/clock';
import { getCertificateRenderPool } from '../render';
import * as repository from '../repository';
import type { SealingKey } from '../types';
import { computeCertificateFingerprint, readSealingCertificate } from './sealing-key';

/** A SealingKey in its encrypted form. */
type StoredKey = Omit<SealingKey, 'p12'> & { p12: string };

const NAME = 'sealing';
const PURPOSE = 'sealing-key';
const CERTIFICATE_PURPOSE = 'sealing-certificate';

export interface TrustedSealingCertificate {
  pem: string;
  fingerprint_sha256: string;
  subject: string;
  issuer: string;
  valid_from: string;
  valid_to: string;
  origin: SealOrigin;
  /** Whether new certificates are sealed with this certificate's key. */
  current: boolean;
}

/** Returns the current key and stores its certificate. Throws when the key's file is unusable. */
export async function loadInstallationSealingKey(): Promise<SealingKey> {
  const key = (await currentKey()) ?? (await generateKey());
  await storeCertificate(certificateOf(key), originOfCurrent());
  return key;
}

/**
 * Throws an Error with a message for the operator when SEAL_P12_FILE cannot be used for sealing.
 */
export async function assertSealingKeyFileUsable(): Promise<void> {
  const { seal_p12_file } = config();
  if (!seal_p12_file) return;
  try {
    certificateOf((await currentKey()) as SealingKey);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code ? `it cannot be read (${code})` : message;
    throw new Error(
      `SEAL_P12_FILE: has to be a PKCS#12 that SEAL_P12_PASSPHRASE opens; it is “${seal_p12_file}”: ${why}`,
    );
  }
}

/**
 * Returns the certificates that verification trusts, as PEM: of the current key and of all former
 * keys.
 */
export async function listTrustedSealingPems(): Promise<string[]> {
  return (await listTrustedSealingCertificates()).map(({ pem }) => pem);
}

/**
 * Describes the trusted certificates, the current certificate first. Empty before the first seal.
 */
export async function listTrustedSealingCertificates(): Promise<TrustedSealingCertificate[]> {
  const key = await currentKey();
  const current = key && certificateOf(key);
  const kept = (await repository.listSealingCertificates()).flatMap(({ secret, origin }) => {
    const pem = decryptCertificate(secret);
    return pem && pem !== current ? [describeCertificate(pem, origin, false)] : [];
  });
  return [...(current ? [describeCertificate(current, originOfCurrent(), true)] : []), ...kept];
}

/**
 * Returns the trusted certificates as PEM with comments, the current certificate first, so that
 * others can pin them. Returns null without certificates.
 */
export async function formatTrustedSealingCertificatesPem(): Promise<string | null> {
  const known = await listTrustedSealingCertificates();
  const text = known.map(({ pem, fingerprint_sha256, valid_from, valid_to, current }) =>
    [
      `# sha256 ${fingerprint_sha256}`,
      `# valid ${valid_from} to ${valid_to}${current ? ', seals now' : ''}`,
      pem.trimEnd(),
      '',
    ].join('\n'),
  );
  return text.length > 0 ? text.join('\n') : null;
}

/**
 * Trusts an old sealing certificate, which this installation used before it stored its
 * certificates. Throws when the PEM is invalid.
 */
export async function importSealingCertificate(pem: string): Promise<TrustedSealingCertificate> {
  const certificate = new X509Certificate(pem).toString();
  await storeCertificate(certificate, 'imported');
  return describeCertificate(certificate, 'imported', false);
}

/**
 * Retires the current key. The next seal generates a new key. Earlier seals remain valid. Throws
 * when the key comes from a file.
 */
export async function retireSealingKey(): Promise<TrustedSealingCertificate | null> {
  if (config().seal_p12_file) throw new Error('The key comes from SEAL_P12_FILE. Set another file there.');
  const key = await currentKey();
  if (!key) return null;
  const pem = certificateOf(key);
  await storeCertificate(pem, 'made');
  await repository.deleteStoredSealingKey(NAME);
  return describeCertificate(pem, 'made', false);
}

const originOfCurrent = (): SealOrigin => (config().seal_p12_file ? 'file' : 'made');

async function currentKey(): Promise<SealingKey | null> {
  const { seal_p12_file, seal_p12_passphrase } = config();
  if (seal_p12_file)
    return { p12: new Uint8Array(await readFile(seal_p12_file)), passphrase: seal_p12_passphrase ?? '' };
  const stored = await repository.findStoredSealingKey(NAME);
  if (!stored) return null;
  const { p12, ...rest } = JSON.parse(decryptSecret(getAppSecret(), PURPOSE, stored.secret)) as StoredKey;
  return { ...rest, p12: new Uint8Array(Buffer.from(p12, 'base64')) };
}

let last: { of: string; pem: string } | null = null;

/**
 * Returns the key's certificate. Opening a PKCS#12 takes a tenth of a second, so the result is
 * cached.
 */
function certificateOf({ p12, passphrase, certificate_pem }: SealingKey): string {
  if (certificate_pem) return certificate_pem;
  const of = sha256Hex(p12);
  if (last?.of !== of) last = { of, pem: new X509Certificate(readSealingCertificate(p12, passphrase)).toString() };
  return last.pem;
}

async function storeCertificate(pem: string, origin: SealOrigin): Promise<void> {
  await repository.insertSealingCertificate({
    fingerprint: computeCertificateFingerprint(pem),
    secret: encryptSecret(getAppSecret(), CERTIFICATE_PURPOSE, pem),
    origin,
    created_at: clock().now(),
  });
}

/** Decrypts a stored certificate. Returns null when this installation did not encrypt it. */
function decryptCertificate(secret: string): string | null {
  try {
    return decryptSecret(getAppSecret(), CERTIFICATE_PURPOSE, secret);
  } catch {
    return null;
  }
}

function describeCertificate(pem: string, origin: SealOrigin, current: boolean): TrustedSealingCertificate {
  const { subject, issuer, validFrom, validTo } = new X509Certificate(pem);
  return {
    pem,
    fingerprint_sha256: computeCertificateFingerprint(pem),
    subject,
    issuer,
    valid_from: new Date(validFrom).toISOString(),
    valid_to: new Date(validTo).toISOString(),
    origin,
    current,
  };
}

/**
 * Generates a key. When two instances generate a key at the same time, both use the key that was
 * stored first.
 */
async function generateKey(): Promise<SealingKey> {
  const now = clock().now();
  const generated = await getCertificateRenderPool().makeKey({
    common_name: `Threshold at ${new URL(config().app_url).host}`,
    now,
  });
  const secret = encryptSecret(
    getAppSecret(),
    PURPOSE,
    JSON.stringify({
      p12: Buffer.from(generated.p12).toString('base64'),
      passphrase: generated.passphrase,
      certificate_pem: new X509Certificate(generated.certificate_pem).toString(),
    } satisfies StoredKey),
  );
  await repository.insertStoredSealingKey({
    name: NAME,
    secret,
    public_pem: generated.certificate_pem,
    created_at: now,
  });
  const stored = await currentKey();
  if (!stored) throw new Error('The sealing key was not stored.');
  return stored;
}
