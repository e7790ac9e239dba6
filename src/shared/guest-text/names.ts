/**
 * Normalises names for storage: composed (NFC), on one line, without invisible characters and
 * without characters that change the direction of the surrounding text. Such characters could
 * imitate another name, hide text or garble a certificate. Pure.
 */

/** Letters of scripts whose spelling uses joiners between letters. */
const JOINED = `(?![\\p{DI}\\p{Cf}])[${['Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu'].map((script) => `\\p{Script=${script}}`).join('')}]`;
/**
 * Matches invisible characters that are kept: joiners between letters of these scripts, and the
 * components of emoji.
 */
const KEPT = [
  `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
  '(?<=\\p{ExtPict})\\ufe0f',
  '(?<=\\p{ExtPict}|\\p{ExtPict}\\ufe0f|\\p{EMod})\\u200d(?=\\p{ExtPict})',
].join('|');

/**
 * Matches format characters (including bidi overrides), control characters except white space,
 * fillers, and the blank Braille cell.
 */
export const INVISIBLE_CHARACTER_PATTERN = new RegExp(
  `(?!${KEPT})(?:[\\p{DI}\\p{Cf}\\u2800]|(?![\\s\\u0085])\\p{Cc})`,
  'gu',
);

const SPACES = /[\s\u0085]+/g;

/** Normalises a text of one line. Idempotent. */
export function normalizeSingleLineText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE_CHARACTER_PATTERN, '').replace(SPACES, ' ').trim().normalize('NFC');
}

/** Normalises a text of several lines, with at most one empty line between two lines of text. */
export const normalizeMultilineText = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(normalizeSingleLineText)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/**
 * Normalises a person's name, with at most 120 characters. Returns null when it contains no letter.
 */
export function normalizePersonName(text: string): string | null {
  // The cut may leave a joiner or a space at the end.
  const name = normalizeSingleLineText([...normalizeSingleLineText(text)].slice(0, 120).join(''));
  return LETTER_PATTERN.test(name) ? name : null;
}

/**
 * Normalises the guest's name in a calendar or a mail. Returns `Guest` when the text is not a name.
 */
export const normalizeGuestName = (text: string): string => normalizePersonName(text) ?? 'Guest';

export const LETTER_PATTERN = /\p{L}/u;
