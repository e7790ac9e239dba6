/** The codes of a device login (RFC 8628), and what is read of what a terminal says of itself. Pure. */
import { randomBytes, randomInt } from 'node:crypto';

/** How long a terminal may wait. */
export const LOGIN_MINUTES = 10;
/** How long it waits between two questions, in seconds; and by how much longer when it was too quick (RFC 8628, 3.5). */
export const INTERVAL_S = 5;

/** For how many days a key works where the owner chooses nothing else, and at most. */
export const KEY_DAYS = 90;
export const KEY_DAYS_AT_MOST = 365;

/** Consonants alone, which make no words and are not taken for digits: 8 of them are 34 bits (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const USER_CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
const NAME_LENGTH = 30;

/** What a terminal asks with: 256 bits. */
export const newDeviceCode = (): string => randomBytes(32).toString('base64url');

/** What a person types. */
export const newUserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** `BCDF-GHJK` */
export const showUserCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** The code that was typed, whatever stands between its letters; null when it is none. */
export function readUserCode(text: string): string | null {
  const letters = text.toUpperCase().replace(/[\s\p{P}]/gu, '');
  return USER_CODE.test(letters) ? letters : null;
}

/** The first label of a host name: letters, digits and up to three hyphens. Anything longer reads like a sentence. */
const HOST_LABEL = /^[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){0,3}$/;
/** Words by which a name would speak for us, or tell its reader what to do. */
const SPEAKS =
  /threshold|support|service|admin|official|security|system|help|allow|accept|approve|confirm|press|click|verif|please|safe|trusted/i;

/**
 * What a computer is called, as the owner sees it before allowing it a key: a stranger may have chosen it. The first
 * label of a host name, at most 30 characters, or null for anything else.
 */
export function readDeviceName(text: string | null): string | null {
  const label = (text ?? '').trim().split('.', 1)[0] ?? '';
  return label.length <= NAME_LENGTH && HOST_LABEL.test(label) && !SPEAKS.test(label) ? label : null;
}

/** What the key is called. */
export const keyName = (device_name: string | null): string =>
  device_name ? `Command line on ${device_name}` : 'Command line';
