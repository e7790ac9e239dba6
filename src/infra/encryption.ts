/**
 * Encryption of stored secrets and derivation of tokens, both from the master secret (APP_SECRET).
 *
 * Every use has a purpose: it separates the keys (HKDF info) and binds the ciphertext (additional data), so that what
 * was encrypted for one purpose cannot be replayed as another.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const VERSION = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const TOKEN_BYTES = 24;

const keys = new Map<string, Buffer>();

function keyFor(master: string, use: 'encrypt' | 'token', purpose: string): Buffer {
  const name = `${use}:${purpose}`;
  const cache_name = `${createHash('sha256').update(master).digest('base64url')}:${name}`;
  let key = keys.get(cache_name);
  if (!key) {
    key = Buffer.from(hkdfSync('sha256', master, 'threshold', name, 32));
    keys.set(cache_name, key);
  }
  return key;
}

/** AES-256-GCM of bytes: nonce, tag, ciphertext. */
export function encryptBytes(master: string, purpose: string, plain: Uint8Array): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(master, 'encrypt', purpose), nonce);
  cipher.setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), body]));
}

/** The inverse of encryptBytes. Throws when the key, the purpose or a byte is not the one it was encrypted with. */
export function decryptBytes(master: string, purpose: string, sealed: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyFor(master, 'encrypt', purpose), nonce);
  decipher.setAAD(Buffer.from(purpose));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}

/** Encrypts a small text; `v1.` and base64url. */
export function encryptSecret(master: string, purpose: string, plain: string): string {
  return VERSION + Buffer.from(encryptBytes(master, purpose, Buffer.from(plain))).toString('base64url');
}

/** The inverse of encryptSecret. Throws as decryptBytes does. */
export function decryptSecret(master: string, purpose: string, sealed: string): string {
  if (!sealed.startsWith(VERSION)) throw new Error('The ciphertext has an unknown version.');
  return decryptBytes(master, purpose, Buffer.from(sealed.slice(VERSION.length), 'base64url')).toString();
}

/** A token of 32 base64url characters that only the holder of the master secret can compute. */
export function deriveToken(master: string, purpose: string, id: string, generation: number): string {
  return createHmac('sha256', keyFor(master, 'token', purpose))
    .update(`${id}\n${generation}`)
    .digest()
    .subarray(0, TOKEN_BYTES)
    .toString('base64url');
}

/** The stored form of a token: hex SHA-256. Tokens have 192 bits, so no salt is needed. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Compares two texts in constant time for their length. */
export function equalInConstantTime(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
