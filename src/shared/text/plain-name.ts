/**
 * Neutralises names and texts by other people before they appear in our mails. Mail programs turn
 * no part of the result into a link.
 */

const LONGEST = 80;
const SCHEME = /\b[a-z][a-z\d+.-]{1,19}:\/\/|\bhttps?:|\bhttps?\b/giu;
/** Matches control characters and characters that hide or reorder text. None belongs in a name. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Matches an encoded word of RFC 2047. Some mail programs decode it even in plain text. */
const ENCODED_WORD = /=\?[^\s?]{0,40}\?[bq]\?[^\s?]{0,400}\?=/giu;

/**
 * Matches letters and digits that look like dots: the tone letters of Lisu, and Arabic zeros
 * between Latin letters.
 */
const DOT_LIKE = /[\uA4F8-\uA4FD]|(?<=[a-z])[\u0660\u06F0](?=[a-z])/giu;

/**
 * Returns at most 80 letters, digits, spaces and `' ’ - & , ( ) +`. Dots, slashes, `@` and others
 * become spaces, so that mail programs create no link. Schemes, encoded words, line ends, control
 * and direction characters are removed.
 */
export function toSafeSenderName(text: string, otherwise: string): string {
  const words = text
    .normalize('NFKC')
    .replace(ENCODED_WORD, ' ')
    .replace(SCHEME, ' ')
    .replace(DOT_LIKE, ' ')
    .replace(/[^\p{L}\p{M}\p{N}'’&,()+-]+/gu, ' ')
    .trim();
  return Array.from(words).slice(0, LONGEST).join('').trim() || otherwise;
}

/**
 * Cleans a whole subject, which may contain a host's own text. Punctuation is kept. Links,
 * addresses, domains, encoded words and invisible characters are removed.
 */
export function toSafeMailSubject(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, ' ')
    .replace(ENCODED_WORD, ' ')
    .replace(SCHEME, ' ')
    .replace(/=\?|\?=/gu, ' ')
    .replace(DOT_LIKE, ' ')
    .replace(/[@\\<>]|\/(?=\S)/gu, ' ')
    .replace(/\S+/gu, withoutDomains)
    .replace(/ {2,}/gu, ' ')
    .trim();
}

/**
 * Replaces the dots of domains and addresses by spaces. The dot of a number, a time or a price is
 * kept.
 */
const withoutDomains = (word: string): string =>
  /^[^\p{L}\p{N}]*\d+[.]\d+[^\p{L}\p{N}.]*$/u.test(word)
    ? word
    : word.replace(/(?<=[\p{L}\p{M}\p{N}-])[.。](?=[\p{L}\p{M}\p{N}-])/gu, ' ');
