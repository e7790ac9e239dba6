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

export interface ParsedKey {
  text: string;
  mode: Mode;
  type: KeyType;
  /** The indexed way to the row. */
  prefix: string;
}

export type KeyHeader = { kind: 'missing' } | { kind: 'malformed' } | { kind: 'ok'; key: ParsedKey };

/** When a stored key ends. */
export interface KeyDates {
  revoked_at: Date | null;
  /** Until when the key works: chosen when it was made, or set by a rotation. */
  expires_at: Date | null;
  /** Set by a rotation. */
  successor_id: string | null;
}

/** The columns of a stored key that decide whether it is accepted. */
export interface StoredKey extends KeyDates {
  mode: Mode;
  type: string;
  hash: string;
}

export type KeyRefusal = 'api_key_invalid' | 'api_key_revoked' | 'api_key_expired' | 'api_key_wrong_environment';

/** `deprecated`: the key has a successor, so that its calls get `Deprecation: true` and an audit entry. */
export type KeyVerdict = { ok: true; deprecated: boolean } | { ok: false; code: KeyRefusal };

/** `deprecated`: it has a successor, and works until its window ends. */
export type KeyState = 'active' | 'deprecated' | 'expired' | 'revoked';

export const KEYS_PER_MODE = 3;
export const ROTATION_WINDOW_MS = 24 * 60 * 60 * 1000;

const RANDOM_LENGTH = 40;
const PREFIX_LENGTH = 12;
const MARK_OF_TYPE = { secret: 'sk', restricted: 'rk' } as const;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^service_(live|test)_(sk|rk)_([0-9A-Za-z]{32,128})$/;
/** Longer than any key, so that a header of megabytes is not looked at. */
const MAX_HEADER_LENGTH = 512;

/** A new key with what is stored of it. The key itself is shown once. `random` is for tests. */
export function generateKey(
  mode: Mode,
  type: KeyType,
  random: (size: number) => Uint8Array = randomBytes,
): { key: string; prefix: string; hash: string; last4: string } {
  const secret = randomText(RANDOM_LENGTH, random);
  const key = `service_${mode}_${MARK_OF_TYPE[type]}_${secret}`;
  return { key, prefix: secret.slice(0, PREFIX_LENGTH), hash: hashKey(key), last4: secret.slice(-4) };
}

/** What a key is recognised by once it can no longer be seen: `service_test_sk_…a1B2`. */
export function keyHint(mode: Mode, type: KeyType, last4: string): string {
  return `service_${mode}_${MARK_OF_TYPE[type]}_…${last4}`;
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

/** Parses a key's text; null when it is malformed. */
export function parseKey(text: string): ParsedKey | null {
  const match = KEY_PATTERN.exec(text);
  if (!match) return null;
  const [, environment, mark, random = ''] = match;
  return {
    text,
    mode: environment === 'live' ? 'live' : 'test',
    type: mark === MARK_OF_TYPE.secret ? 'secret' : 'restricted',
    prefix: random.slice(0, PREFIX_LENGTH),
  };
}

/** Reads an `Authorization` header: `Bearer <key>`, the scheme in any case. */
export function readAuthorization(header: string | undefined): KeyHeader {
  if (header === undefined || header.trim() === '') return { kind: 'missing' };
  const text = header.length > MAX_HEADER_LENGTH ? undefined : /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
  const key = text === undefined ? null : parseKey(text);
  return key === null ? { kind: 'malformed' } : { kind: 'ok', key };
}

/**
 * Whether a presented key may act, given the row its prefix found (null when none). A key whose text differs from the
 * stored one in the environment alone is told so: who holds the rest of it holds the key.
 */
export function judgeKey(given: ParsedKey, stored: StoredKey | null, now: Date): KeyVerdict {
  if (stored === null) return { ok: false, code: 'api_key_invalid' };
  if (!matches(given.text, stored.hash)) {
    const asStored = given.text.replace(/^service_(live|test)_/, `service_${stored.mode}_`);
    return { ok: false, code: matches(asStored, stored.hash) ? 'api_key_wrong_environment' : 'api_key_invalid' };
  }
  // The hash covers both words: a row that disagrees with it was changed by hand, and is not to be believed.
  if (given.mode !== stored.mode || given.type !== stored.type) return { ok: false, code: 'api_key_invalid' };
  switch (keyState(stored, now)) {
    case 'revoked':
      return { ok: false, code: 'api_key_revoked' };
    case 'expired':
      return { ok: false, code: 'api_key_expired' };
    case 'deprecated':
      return { ok: true, deprecated: true };
    case 'active':
      return { ok: true, deprecated: false };
  }
}

/** Compares digests in constant time. */
function matches(text: string, hash: string): boolean {
  const [given, expected] = [Buffer.from(hashKey(text), 'hex'), Buffer.from(hash, 'hex')];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The state of a key. A revocation ends it at once, a rotation when its window is over, else its own end date. */
export function keyState(key: KeyDates, now: Date): KeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  if (key.expires_at <= now) return 'expired';
  return key.successor_id === null ? 'active' : 'deprecated';
}

/** Whether a mode's keys leave no room for another. A predecessor does not count, inside its window or after it. */
export function isKeyLimitReached(keys: readonly KeyDates[], now: Date): boolean {
  return keys.filter((key) => keyState(key, now) === 'active').length >= KEYS_PER_MODE;
}

/** Whether as many predecessors still work as there may be keys: a chain of rotations must not pass their limit. */
export function isRotationLimitReached(keys: readonly KeyDates[], now: Date): boolean {
  return keys.filter((key) => keyState(key, now) === 'deprecated').length >= KEYS_PER_MODE;
}

/** When a key that is rotated now stops working: after the window, or at its own end. */
export function rotationEnd(now: Date, expires_at: Date | null = null): Date {
  const window_end = new Date(now.getTime() + ROTATION_WINDOW_MS);
  return expires_at && expires_at < window_end ? expires_at : window_end;
}
