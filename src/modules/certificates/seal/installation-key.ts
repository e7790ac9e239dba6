/**
 * The installation's sealing key: given as a PKCS#12 by configuration, or made once and kept encrypted in the
 * database, so that every instance seals with the same one.
 */
import { readFile } from 'node:fs/promises';
import { appSecret, config } from '@/config';
import { decryptSecret, encryptSecret } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import { makeSealingKey } from '../render';
import { findInstallationKey, insertInstallationKey } from '../repository';
import type { SealingKey } from '../types';
import { sealingCertificate } from './sealing-key';

const NAME = 'sealing';
const PURPOSE = 'sealing-key';

/** The key that seals. Throws when a configured file cannot be read or opened. */
export async function installationKey(): Promise<SealingKey> {
  const { seal_p12_file, seal_p12_passphrase } = config();
  if (seal_p12_file)
    return { p12: new Uint8Array(await readFile(seal_p12_file)), passphrase: seal_p12_passphrase ?? '' };
  const stored = (await readStored()) ?? (await makeKey());
  const { p12, passphrase } = JSON.parse(decryptSecret(appSecret(), PURPOSE, stored.secret)) as {
    p12: string;
    passphrase: string;
  };
  return { p12: new Uint8Array(Buffer.from(p12, 'base64')), passphrase };
}

/** The public certificate that verification trusts; null before anything was sealed. */
export async function installationCertificate(): Promise<string | null> {
  if (config().seal_p12_file) {
    const { p12, passphrase } = await installationKey();
    return sealingCertificate(p12, passphrase);
  }
  return (await readStored())?.public_pem ?? null;
}

const readStored = () => findInstallationKey(NAME);

/** Of two instances that make one at once, the first one's stands. */
async function makeKey() {
  const now = clock().now();
  const made = await makeSealingKey({ common_name: `Threshold at ${new URL(config().app_url).host}`, now });
  const secret = encryptSecret(
    appSecret(),
    PURPOSE,
    JSON.stringify({ p12: Buffer.from(made.p12).toString('base64'), passphrase: made.passphrase }),
  );
  await insertInstallationKey({ name: NAME, secret, public_pem: made.certificate_pem, created_at: now });
  const stored = await readStored();
  if (!stored) throw new Error('The sealing key was not stored.');
  return stored;
}
