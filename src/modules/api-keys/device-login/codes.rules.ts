/** The codes of a device login (RFC 8628), and what is read of what a terminal says of itself. Pure. */
import { randomBytes, randomInt } from 'node:crypto';

/** How long a terminal may wait. */
export const LOGIN_MINUTES = 10;
/** How long it waits between two questions, in seconds; and by how much longer when it was too quick (RFC 8628, 3.5). */
export const INTERVAL_S = 5;

/** Consonants alone, which make no words and are not taken for digits: 8 of them are 34 bits (RFC 8628, 6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const USER_CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
const NAME_LENGTH = 60;

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

/** A computer's name as it is shown to who says yes: a stranger may have chosen it. Null for what says nothing. */
export function readDeviceName(text: string | null): string | null {
  const plain = (text ?? '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N} ._’'-]/gu, '')
    .trim();
  return [...plain].slice(0, NAME_LENGTH).join('').trim() || null;
}

/** What the key is called. */
export const keyName = (device_name: string | null): string =>
  device_name ? `Command line on ${device_name}` : 'Command line';
