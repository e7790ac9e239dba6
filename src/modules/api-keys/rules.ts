/**
 * API keys without a database (specification, "Authentication").
 *
 * A key is `service_<live|test>_<sk|rk>_<random>`: `sk` secret, `rk` restricted, then 40 random base62 characters
 * (238 bits). That much entropy needs no slow hash: the SHA-256 of the whole key is stored, and the random part's
 * first characters find the row by an index. The environment is spelt in the key but decided by the row.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Mode } from '@/shared/scope';

export type KeyType = 'secret' | 'restricted';

/** What an `Authorization` header holds. */
export type KeyHeader =
  | { kind: 'missing' }
  | { kind: 'malformed' }
  | {
      kind: 'key';
      mode: Mode;
      type: KeyType;
      /** The indexed way to the row. */
      prefix: string;
      hash: string;
      /** The hash of the same key under the other environment's name: who matches it mixed the two up. */
      other_hash: string;
    };

/** What of a stored key decides about it. */
export interface KeyDates {
  revoked_at: Date | null;
  /** Set by a rotation: the key works until then. */
  expires_at: Date | null;
}

/** `deprecated`: it has a successor, and works until its window ends. */
export type KeyState = 'active' | 'deprecated' | 'expired' | 'revoked';

export const KEYS_PER_MODE = 3;
export const ROTATION_WINDOW_MS = 24 * 60 * 60 * 1000;

const RANDOM_LENGTH = 40;
const PREFIX_LENGTH = 12;
const MARK_OF_TYPE = { secret: 'sk', restricted: 'rk' } as const;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** The scheme in any case, the key in its own. */
const HEADER_PATTERN = /^[Bb][Ee][Aa][Rr][Ee][Rr] +service_(live|test)_(sk|rk)_([0-9A-Za-z]{32,128})$/;
/** Longer than any key, so that a header of megabytes is not looked at. */
const MAX_HEADER_LENGTH = 512;

/** A new key with what is stored of it. The key itself is shown once. `random` is for tests. */
export function generateKey(
  mode: Mode,
  type: KeyType,
  random: (size: number) => Uint8Array = randomBytes,
): { key: string; prefix: string; hash: string; last4: string } {
  const secret = randomText(RANDOM_LENGTH, random);
  const key = keyText(mode, type, secret);
  return { key, prefix: secret.slice(0, PREFIX_LENGTH), hash: hashKey(key), last4: secret.slice(-4) };
}

function randomText(length: number, random: (size: number) => Uint8Array): string {
  let text = '';
  // Bytes past the last multiple of 62 are thrown away, or the first characters would be likelier.
  const usable = 256 - (256 % ALPHABET.length);
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < usable && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

/** SHA-256 of the whole key, hex. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** Reads an `Authorization` header: `Bearer <key>`, the scheme in any case. */
export function parseAuthorization(header: string | undefined): KeyHeader {
  if (header === undefined || header.trim() === '') return { kind: 'missing' };
  const match = header.length > MAX_HEADER_LENGTH ? null : HEADER_PATTERN.exec(header.trim());
  if (!match) return { kind: 'malformed' };
  const [, environment, mark, random = ''] = match;
  const mode = environment === 'live' ? 'live' : 'test';
  const type = mark === MARK_OF_TYPE.secret ? 'secret' : 'restricted';
  return {
    kind: 'key',
    mode,
    type,
    prefix: random.slice(0, PREFIX_LENGTH),
    hash: hashKey(keyText(mode, type, random)),
    other_hash: hashKey(keyText(mode === 'live' ? 'test' : 'live', type, random)),
  };
}

const keyText = (mode: Mode, type: KeyType, random: string) => `service_${mode}_${MARK_OF_TYPE[type]}_${random}`;

/** Compares two hex digests in constant time. */
export function hashMatches(given: string, stored: string): boolean {
  const [a, b] = [Buffer.from(given, 'hex'), Buffer.from(stored, 'hex')];
  return a.length === b.length && a.length > 0 && timingSafeEqual(a, b);
}

/** Where a key stands. A revocation ends it at once, a rotation when its window is over. */
export function keyState(key: KeyDates, now: Date): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  return key.expires_at > now ? 'deprecated' : 'expired';
}

/** Whether a mode's keys leave room for another. A predecessor does not count, inside its window or after it. */
export function canCreateKey(keys: readonly KeyDates[], now: Date): boolean {
  return keys.filter((key) => keyState(key, now) === 'active').length < KEYS_PER_MODE;
}
