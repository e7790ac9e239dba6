/**
 * The key that signs checkpoints. It is derived from the application's secret, which all instances
 * share.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { config, getAppSecret } from '@/config';
import { deriveEncryptionKey } from '@/infra/encryption';

/** The beginning of an Ed25519 private key in PKCS #8 (RFC 8410). The key's 32 bytes follow. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

let last: { secret: string; private: KeyObject; public: KeyObject } | null = null;

export function getLogSigningKeyPair(): { private: KeyObject; public: KeyObject } {
  const secret = getAppSecret();
  if (last?.secret === secret) return last;
  const der = Buffer.concat([PKCS8, deriveEncryptionKey(secret, 'public-log')]);
  const private_key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  last = { secret, private: private_key, public: createPublicKey(private_key) };
  return last;
}

export const PUBLIC_LOG_URL_PATH = '/.well-known/threshold-log';

/** Returns the log's name in checkpoints: its URL without the scheme. */
export function getPublicLogNameInCheckpoints(): string {
  return `${new URL(config().app_url).host}${PUBLIC_LOG_URL_PATH}`;
}
