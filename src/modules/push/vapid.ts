/**
 * The key that identifies this installation to push services (RFC 8292). It is VAPID_PRIVATE_KEY,
 * or else a key that is generated once and stored encrypted. Changing the key invalidates all
 * subscriptions.
 */
import { createECDH, createPublicKey } from 'node:crypto';
import { config, getAppSecret, getSenderEmailAddress } from '@/config';
import { decryptSecret, encryptSecret } from '@/infra/encryption';
import * as repository from './repository';

const PURPOSE = 'push-key';
const PRIVATE_BYTES = 32;

export interface VapidKeys {
  /** The operator's contact address, which push services receive. */
  subject: string;
  publicKey: string;
  privateKey: string;
}

export async function getVapidKeys(): Promise<VapidKeys> {
  const privateKey = config().vapid_private_key ?? (await storedKey()) ?? (await createKey());
  const { app_url } = config();
  const subject = app_url.startsWith('https:') ? app_url : `mailto:${getSenderEmailAddress()}`;
  return { subject, privateKey, publicKey: publicBytes(privateKey).toString('base64url') };
}

function publicBytes(private_key: string): Buffer {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(Buffer.from(private_key, 'base64url'));
  return ecdh.getPublicKey();
}

async function storedKey(): Promise<string | null> {
  const secret = await repository.findVapidKey();
  return secret && decryptSecret(getAppSecret(), PURPOSE, secret);
}

async function createKey(): Promise<string> {
  const ecdh = createECDH('prime256v1');
  const point = ecdh.generateKeys();
  const bytes = ecdh.getPrivateKey();
  const made = Buffer.concat([Buffer.alloc(PRIVATE_BYTES - bytes.length), bytes]).toString('base64url');
  await repository.insertVapidKey(encryptSecret(getAppSecret(), PURPOSE, made), pemOf(point));
  return (await storedKey()) ?? made;
}

function pemOf(point: Buffer): string {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
