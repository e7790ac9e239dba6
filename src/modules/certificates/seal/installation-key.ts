/**
 * The installation's sealing keys. One seals: given as a PKCS#12 by configuration, or made once and kept encrypted in the
 * database, so that every instance seals with the same one. The certificates of all that ever sealed are kept, so that
 * a new key condemns no earlier certificate. They are kept encrypted: who can write the database cannot add one.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { appSecret, config } from '@/config';
import type { SealOrigin } from '@/generated/prisma/enums';
import { decryptSecret, encryptSecret } from '@/infra/encryption';
import { sha256Hex } from '@/shared/canonical-json';
import { clock } from '@/shared/clock';
import { makeSealingKey } from '../render';
import * as repository from '../repository';
import type { SealingKey } from '../types';
import { certificateFingerprint, sealingCertificate } from './sealing-key';

/** A SealingKey as it is encrypted. */
type StoredKey = Omit<SealingKey, 'p12'> & { p12: string };

const NAME = 'sealing';
const PURPOSE = 'sealing-key';
const CERTIFICATE_PURPOSE = 'sealing-certificate';

export interface KnownCertificate {
  pem: string;
  fingerprint_sha256: string;
  subject: string;
  issuer: string;
  valid_from: string;
  valid_to: string;
  origin: SealOrigin;
  /** It is the one that seals now. */
  current: boolean;
}

/** The key that seals. Its certificate is kept before it seals anything. Throws when a configured file cannot be read or opened. */
export async function installationKey(): Promise<SealingKey> {
  const key = (await currentKey()) ?? (await makeKey());
  await keep(certificateOf(key), originOfCurrent());
  return key;
}

/** Throws with a sentence for the operator when SEAL_P12_FILE names a file that cannot be sealed with. */
export async function assertSealingFile(): Promise<void> {
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

/** The certificates that verification trusts, as PEM: of the key that seals, and of all that sealed before. */
export async function trustedCertificates(): Promise<string[]> {
  return (await knownCertificates()).map(({ pem }) => pem);
}

/** What is known of them; the one that seals comes first. Empty before anything was sealed. */
export async function knownCertificates(): Promise<KnownCertificate[]> {
  const key = await currentKey();
  const current = key && certificateOf(key);
  const kept = (await repository.listSealingCertificates()).flatMap(({ secret, origin }) => {
    const pem = opened(secret);
    return pem && pem !== current ? [described(pem, origin, false)] : [];
  });
  return [...(current ? [described(current, originOfCurrent(), true)] : []), ...kept];
}

/** All of them for who pins one: PEM, the one that seals now first, each with its facts in front of it. Null when there is none. */
export async function publishedCertificates(): Promise<string | null> {
  const known = await knownCertificates();
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

/** Trusts a certificate that sealed before this installation kept them. Throws when the text is no certificate. */
export async function importCertificate(pem: string): Promise<KnownCertificate> {
  const certificate = new X509Certificate(pem).toString();
  await keep(certificate, 'imported');
  return described(certificate, 'imported', false);
}

/** The key that seals will seal no more; the next certificate gets a new one. What it sealed stays genuine. Throws when it is a file's. */
export async function retireKey(): Promise<KnownCertificate | null> {
  if (config().seal_p12_file) throw new Error('The key is that of SEAL_P12_FILE: name another file there.');
  const key = await currentKey();
  if (!key) return null;
  const pem = certificateOf(key);
  await keep(pem, 'made');
  await repository.deleteInstallationKey(NAME);
  return described(pem, 'made', false);
}

const originOfCurrent = (): SealOrigin => (config().seal_p12_file ? 'file' : 'made');

async function currentKey(): Promise<SealingKey | null> {
  const { seal_p12_file, seal_p12_passphrase } = config();
  if (seal_p12_file)
    return { p12: new Uint8Array(await readFile(seal_p12_file)), passphrase: seal_p12_passphrase ?? '' };
  const stored = await repository.findInstallationKey(NAME);
  if (!stored) return null;
  const { p12, ...rest } = JSON.parse(decryptSecret(appSecret(), PURPOSE, stored.secret)) as StoredKey;
  return { ...rest, p12: new Uint8Array(Buffer.from(p12, 'base64')) };
}

let last: { of: string; pem: string } | null = null;

/** Opening a PKCS#12 takes a tenth of a second: the last one's certificate is remembered. */
function certificateOf({ p12, passphrase, certificate_pem }: SealingKey): string {
  if (certificate_pem) return certificate_pem;
  const of = sha256Hex(p12);
  if (last?.of !== of) last = { of, pem: new X509Certificate(sealingCertificate(p12, passphrase)).toString() };
  return last.pem;
}

async function keep(pem: string, origin: SealOrigin): Promise<void> {
  await repository.insertSealingCertificate({
    fingerprint: certificateFingerprint(pem),
    secret: encryptSecret(appSecret(), CERTIFICATE_PURPOSE, pem),
    origin,
    created_at: clock().now(),
  });
}

/** Null when somebody else than this installation wrote it. */
function opened(secret: string): string | null {
  try {
    return decryptSecret(appSecret(), CERTIFICATE_PURPOSE, secret);
  } catch {
    return null;
  }
}

function described(pem: string, origin: SealOrigin, current: boolean): KnownCertificate {
  const { subject, issuer, validFrom, validTo } = new X509Certificate(pem);
  return {
    pem,
    fingerprint_sha256: certificateFingerprint(pem),
    subject,
    issuer,
    valid_from: new Date(validFrom).toISOString(),
    valid_to: new Date(validTo).toISOString(),
    origin,
    current,
  };
}

/** Of two instances that make one at once, the first one's stands. */
async function makeKey(): Promise<SealingKey> {
  const now = clock().now();
  const made = await makeSealingKey({ common_name: `Threshold at ${new URL(config().app_url).host}`, now });
  const secret = encryptSecret(
    appSecret(),
    PURPOSE,
    JSON.stringify({
      p12: Buffer.from(made.p12).toString('base64'),
      passphrase: made.passphrase,
      certificate_pem: new X509Certificate(made.certificate_pem).toString(),
    } satisfies StoredKey),
  );
  await repository.insertInstallationKey({ name: NAME, secret, public_pem: made.certificate_pem, created_at: now });
  const stored = await currentKey();
  if (!stored) throw new Error('The sealing key was not stored.');
  return stored;
}
