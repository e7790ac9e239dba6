/**
 * Names as they are kept: composed (NFC), on one line, and without what shows nothing or turns the direction of the text
 * around it. A name may look like another's, hide something or garble a certificate in no other way. Pure.
 */

/** Letters of the scripts in which a joiner between two of them is part of how a word is spelled. */
const JOINED = `(?![\\p{DI}\\p{Cf}])[${['Arabic', 'Bengali', 'Devanagari', 'Gujarati', 'Gurmukhi', 'Kannada', 'Khmer', 'Malayalam', 'Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu'].map((script) => `\\p{Script=${script}}`).join('')}]`;
/** Joiners there, and what emoji are made of. Each looks at characters that stay alone. */
const KEPT = [
  `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`,
  '(?<=\\p{ExtPict})\\ufe0f',
  '(?<=\\p{ExtPict}|\\p{ExtPict}\\ufe0f|\\p{EMod})\\u200d(?=\\p{ExtPict})',
].join('|');

/** Format characters (bidi overrides among them), control characters but white space, fillers, the blank Braille cell. */
export const INVISIBLE = new RegExp(`(?!${KEPT})(?:[\\p{DI}\\p{Cf}\\u2800]|(?![\\s\\u0085])\\p{Cc})`, 'gu');

const SPACES = /[\s\u0085]+/g;

/** Any text of one line, as it is kept. Doing it twice changes nothing. */
export function visibleLine(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '').replace(SPACES, ' ').trim().normalize('NFC');
}

/** The same of several lines, with at most one empty line between two. */
export const visibleText = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(visibleLine)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** A person's name, at most 120 characters; null when there is no letter in it. */
export function personName(text: string): string | null {
  // A joiner or a space may be left at the cut.
  const name = visibleLine([...visibleLine(text)].slice(0, 120).join(''));
  return LETTER.test(name) ? name : null;
}

/** What a calendar or a mail calls the guest, or `Guest` when that is no name. */
export const keptGuestName = (text: string): string => personName(text) ?? 'Guest';

export const LETTER = /\p{L}/u;
