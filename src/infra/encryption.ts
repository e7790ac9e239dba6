/**
 * Encrypts small secrets at rest and derives tokens from the master secret. Each purpose
 * (`webhook_secret`, `idempotency`) has its own key, derived by HKDF. The purpose is authenticated
 * with the ciphertext, so that a value moved to another column does not decrypt. Stored form: `v1.`
 * + base64url(iv ‖ tag ‖ text).
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const VERSION = 'v1.';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const TOKEN_BYTES = 24;

/** Keys by master secret and purpose. They are cached, because HKDF costs more than the cipher. */
const keys = new Map<string, Buffer>();

function keyFor(master: string, purpose: string): Buffer {
  if (master === '') throw new Error('The master secret is empty.');
  const name = createHash('sha256')
    .update(JSON.stringify([master, purpose]))
    .digest('base64');
  const known = keys.get(name);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', master, 'threshold', purpose, KEY_BYTES));
  keys.set(name, key);
  return key;
}

/**
 * Encrypts bytes with AES-256-GCM under the purpose's key. Returns iv ‖ tag ‖ ciphertext, which
 * differs each time.
 */
export function encryptBytes(master: string, purpose: string, plain: Uint8Array): Uint8Array<ArrayBuffer> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(master, `encrypt:${purpose}`), iv);
  cipher.setAAD(Buffer.from(VERSION + purpose));
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return new Uint8Array(Buffer.concat([iv, cipher.getAuthTag(), text]));
}

/**
 * Decrypts bytes. Throws when they were changed, belong to another purpose, or were encrypted with
 * another master secret.
 */
export function decryptBytes(master: string, purpose: string, stored: Uint8Array): Buffer {
  if (stored.length < IV_BYTES + TAG_BYTES) throw new Error('The stored secret is too short.');
  const decipher = createDecipheriv('aes-256-gcm', keyFor(master, `encrypt:${purpose}`), stored.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(VERSION + purpose));
  decipher.setAuthTag(stored.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(stored.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
}

/** Encrypts a short text. Returns `v1.` + base64url of the encrypted bytes. */
export function encryptSecret(master: string, purpose: string, plaintext: string): string {
  return VERSION + Buffer.from(encryptBytes(master, purpose, Buffer.from(plaintext, 'utf8'))).toString('base64url');
}

/** Decrypts the result of `encryptSecret`. Throws in the same cases as `decryptBytes`. */
export function decryptSecret(master: string, purpose: string, stored: string): string {
  if (!stored.startsWith(VERSION)) throw new Error('The stored secret has an unknown version.');
  return decryptBytes(master, purpose, Buffer.from(stored.slice(VERSION.length), 'base64url')).toString('utf8');
}

/**
 * Derives a token of 192 bits as 32 base64url characters. The same arguments always give the same
 * token, so tokens need not be stored. A new generation replaces the token of an id.
 */
export function deriveTokenFromMasterSecret(master: string, purpose: string, id: string, generation: number): string {
  return createHmac('sha256', keyFor(master, `token:${purpose}`))
    .update(JSON.stringify([id, generation]))
    .digest()
    .subarray(0, TOKEN_BYTES)
    .toString('base64url');
}

/**
 * Derives a key of 32 bytes from the master secret. It is derived whenever it is needed, and never
 * stored.
 */
export function deriveEncryptionKey(master: string, purpose: string): Buffer {
  return Buffer.from(keyFor(master, `key:${purpose}`));
}

/**
 * Returns the hex SHA-256 under which a token is stored. This is safe for random tokens, and not
 * for passwords.
 */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** Compares two texts in time that depends only on the length of the first. */
export function isEqualInConstantTime(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * Returns a keyed hash of a text, as base64url. Only holders of the master secret can compute it.
 */
export function computeKeyedHash(master: string, purpose: string, text: string): string {
  return createHmac('sha256', keyFor(master, `authenticate:${purpose}`))
    .update(text)
    .digest('base64url');
}
