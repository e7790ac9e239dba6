/** The codes of a device login (RFC 8628), and the device name that a terminal sends. Pure. */
import { randomBytes, randomInt } from 'node:crypto';

/** How long a code is valid. */
export const DEVICE_CODE_LIFETIME_MINUTES = 10;
/** The polling interval in seconds, and its increase after polling too fast (RFC 8628, 3.5). */
export const DEVICE_LOGIN_POLL_INTERVAL_S = 5;

/** The lifetime of the created key in days: the default and the maximum. */
export const DEFAULT_DEVICE_API_KEY_LIFETIME_DAYS = 90;
export const MAX_DEVICE_API_KEY_LIFETIME_DAYS = 365;

/**
 * Consonants only, so that codes spell no words. Eight characters have 34 bits of entropy (RFC
 * 8628, 6.1).
 */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const USER_CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
const NAME_LENGTH = 30;

/** Creates the terminal's secret: 256 random bits. */
export const generateDeviceCode = (): string => randomBytes(32).toString('base64url');

/** Creates the code that a person types. */
export const generateDeviceLoginUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** Formats a code as `BCDF-GHJK`. */
export const formatDeviceLoginUserCode = (code: string): string =>
  `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Parses a typed code and ignores punctuation and spaces. Returns null when it is malformed. */
export function parseDeviceLoginUserCode(text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s\p{P}]/gu, '');
  return USER_CODE.test(letters) ? letters : null;
}

/**
 * Matches the first label of a host name with at most three hyphens or underscores. A label with
 * more separators could spell a sentence.
 */
const HOST_LABEL = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){0,3}$/;
/** Words with which a name could impersonate the product or instruct the owner. */
const MISLEADING_WORDS =
  /threshold|support|service|admin|official|security|system|help|allow|accept|approve|confirm|press|click|verif|please|safe|trusted/i;

/**
 * Returns the device name to show to the owner who approves the login, or null when the name is
 * unsuitable. Anyone can start a login, so the name is untrusted. Only the first label of a host
 * name is used, at most 30 characters.
 */
export function parseDeviceName(text: string | null): string | null {
  const label = (text ?? '').trim().split('.', 1)[0] ?? '';
  return label.length <= NAME_LENGTH && HOST_LABEL.test(label) && !MISLEADING_WORDS.test(label) ? label : null;
}

/** Returns the name of the key that the terminal receives. */
export const buildDeviceApiKeyName = (device_name: string | null): string =>
  device_name ? `Command line on ${device_name}` : 'Command line';
