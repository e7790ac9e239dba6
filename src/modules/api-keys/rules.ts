/**
 * The rules of API keys (specification, "Authentication"). A key is
 * `service_<live|test>_<sk|rk>_<random>`: `sk` for secret, `rk` for restricted, then 40 random
 * base62 characters (238 bits). That is enough entropy for a fast hash, so the SHA-256 of the whole
 * key is stored. The first random characters are stored in an indexed column, which finds the row.
 * Pure.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Mode } from '@/shared/scope';

export type ApiKeyType = 'secret' | 'restricted';

export interface ParsedApiKey {
  text: string;
  mode: Mode;
  type: ApiKeyType;
  /** The first characters of the random part, in an indexed column. */
  prefix: string;
}

export type ParsedAuthorizationHeader = { kind: 'missing' } | { kind: 'malformed' } | { kind: 'ok'; key: ParsedApiKey };

/** The dates that decide a key's state. */
export interface ApiKeyDates {
  revoked_at: Date | null;
  /** When the key stops working, as chosen at creation or set by a rotation. */
  expires_at: Date | null;
  /** The key that a rotation created to replace this one. */
  successor_id: string | null;
}

/** The columns of a stored key that decide whether it is accepted. */
export interface StoredApiKey extends ApiKeyDates {
  mode: Mode;
  type: string;
  hash: string;
}

export type ApiKeyRefusalCode = 'api_key_invalid' | 'api_key_revoked' | 'api_key_expired' | 'api_key_wrong_environment';

/** `deprecated`: the key was rotated, and responses contain `Deprecation: true`. */
export type ApiKeyVerdict = { ok: true; deprecated: boolean } | { ok: false; code: ApiKeyRefusalCode };

/** `deprecated`: the key was rotated and works until its rotation window ends. */
export type ApiKeyState = 'active' | 'deprecated' | 'expired' | 'revoked';

export const MAX_API_KEYS_PER_MODE = 3;
export const API_KEY_ROTATION_GRACE_MS = 24 * 60 * 60 * 1000;

const RANDOM_LENGTH = 40;
const PREFIX_LENGTH = 12;
const TYPE_MARKERS = { secret: 'sk', restricted: 'rk' } as const;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY_PATTERN = /^service_(live|test)_(sk|rk)_([0-9A-Za-z]{32,128})$/;
/** This limit is longer than any key. A longer header is rejected without parsing it. */
const MAX_HEADER_LENGTH = 512;

/** Generates a key and the columns to store. Tests replace `random`. */
export function generateApiKey(
  mode: Mode,
  type: ApiKeyType,
  random: (size: number) => Uint8Array = randomBytes,
): { key: string; prefix: string; hash: string; last4: string } {
  const secret = randomText(RANDOM_LENGTH, random);
  const key = `service_${mode}_${TYPE_MARKERS[type]}_${secret}`;
  return { key, prefix: secret.slice(0, PREFIX_LENGTH), hash: hashApiKey(key), last4: secret.slice(-4) };
}

/** Returns the hint by which users recognize a key in a list: `service_test_sk_…a1B2`. */
export function formatApiKeyHint(mode: Mode, type: ApiKeyType, last4: string): string {
  return `service_${mode}_${TYPE_MARKERS[type]}_…${last4}`;
}

function randomText(length: number, random: (size: number) => Uint8Array): string {
  let text = '';
  // Bytes at or above the largest multiple of 62 are discarded, so that every character is equally
  // likely.
  const usable = 256 - (256 % ALPHABET.length);
  while (text.length < length) {
    for (const byte of random(length)) {
      if (byte < usable && text.length < length) text += ALPHABET[byte % ALPHABET.length];
    }
  }
  return text;
}

export function hashApiKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** Parses a key. Returns null when it is malformed. */
export function parseApiKey(text: string): ParsedApiKey | null {
  const match = KEY_PATTERN.exec(text);
  if (!match) return null;
  const [, environment, mark, random = ''] = match;
  return {
    text,
    mode: environment === 'live' ? 'live' : 'test',
    type: mark === TYPE_MARKERS.secret ? 'secret' : 'restricted',
    prefix: random.slice(0, PREFIX_LENGTH),
  };
}

/** Parses an `Authorization` header, `Bearer <key>`. The scheme is case-insensitive. */
export function parseAuthorizationHeader(header: string | undefined): ParsedAuthorizationHeader {
  if (header === undefined || header.trim() === '') return { kind: 'missing' };
  const text = header.length > MAX_HEADER_LENGTH ? undefined : /^Bearer +(\S+)$/i.exec(header.trim())?.[1];
  const key = text === undefined ? null : parseApiKey(text);
  return key === null ? { kind: 'malformed' } : { kind: 'ok', key };
}

/**
 * Decides whether a presented key is accepted. `stored` is the row with the same prefix, or null. A
 * key that differs from the stored key only in its mode gets api_key_wrong_environment, because its
 * sender has the real key.
 */
export function verifyApiKey(given: ParsedApiKey, stored: StoredApiKey | null, now: Date): ApiKeyVerdict {
  if (stored === null) return { ok: false, code: 'api_key_invalid' };
  if (!matches(given.text, stored.hash)) {
    const asStored = given.text.replace(/^service_(live|test)_/, `service_${stored.mode}_`);
    return { ok: false, code: matches(asStored, stored.hash) ? 'api_key_wrong_environment' : 'api_key_invalid' };
  }
  // The hash covers mode and type. A row whose columns contradict its hash was changed by hand and
  // is not trusted.
  if (given.mode !== stored.mode || given.type !== stored.type) return { ok: false, code: 'api_key_invalid' };
  const state = getApiKeyState(stored, now);
  if (state === 'revoked' || state === 'expired') return { ok: false, code: `api_key_${state}` };
  return { ok: true, deprecated: state === 'deprecated' };
}

/** Compares hashes in constant time. */
function matches(text: string, hash: string): boolean {
  const [given, expected] = [Buffer.from(hashApiKey(text), 'hex'), Buffer.from(hash, 'hex')];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Returns a key's state. A revocation ends a key at once. A rotation ends the old key after a
 * transition period.
 */
export function getApiKeyState(key: ApiKeyDates, now: Date): ApiKeyState {
  if (key.revoked_at !== null) return 'revoked';
  if (key.expires_at === null) return 'active';
  if (key.expires_at <= now) return 'expired';
  return key.successor_id === null ? 'active' : 'deprecated';
}

/** Returns whether the mode has the maximum number of keys. Rotated keys do not count. */
export function isApiKeyLimitReached(keys: readonly ApiKeyDates[], now: Date): boolean {
  return keys.filter((key) => getApiKeyState(key, now) === 'active').length >= MAX_API_KEYS_PER_MODE;
}

/** Returns whether too many rotated keys still work. This limits chains of rotations. */
export function isApiKeyRotationLimitReached(keys: readonly ApiKeyDates[], now: Date): boolean {
  return keys.filter((key) => getApiKeyState(key, now) === 'deprecated').length >= MAX_API_KEYS_PER_MODE;
}

/**
 * Returns when a key rotated now stops working: after the rotation window, or at its own expiry if
 * that is earlier.
 */
export function computeApiKeyRotationEnd(now: Date, expires_at: Date | null = null): Date {
  const window_end = new Date(now.getTime() + API_KEY_ROTATION_GRACE_MS);
  return expires_at && expires_at < window_end ? expires_at : window_end;
}
