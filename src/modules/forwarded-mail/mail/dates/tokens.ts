/**
 * Splits a text into tokens, and lists the small words and punctuation around dates in every
 * language.
 */

export interface DateTextToken {
  readonly kind: 'word' | 'number' | 'mark';
  readonly text: string;
  /** Whether a space precedes the token. */
  readonly spaced: boolean;
}

const LONGEST = 300;

/** Splits a text into words, numbers and punctuation marks, in lower case. */
export function tokenizeDateText(text: string): DateTextToken[] {
  const source = text.slice(0, LONGEST).normalize('NFC').toLowerCase();
  return [...source.matchAll(/(\d+)|([\p{L}\p{M}]+)|[^\s\d\p{L}\p{M}]/gu)].map((match) => ({
    kind: match[1] !== undefined ? 'number' : match[2] !== undefined ? 'word' : 'mark',
    text: match[0],
    spaced: /\s/.test(source.charAt(match.index - 1)),
  }));
}

// biome-ignore format: a word list reads better in lines.
export const DATE_FILLER_WORDS = new Set([
  'de', 'del', 'd', 'of', 'the', 'den', 'dem', 'der', 'le', 'el', 'il', 'lo', 'di', 'da', 'do', 'dia', 'día', 'dne', 'dnia', 'm', 'r', 'a', 'on', 'am', 'vom', 'ab',
]);
export const ORDINAL_SUFFIXES = new Set(['st', 'nd', 'rd', 'th', 'er', 're', 'ère', 'e', 'o', 'a', 'º', 'ª', 'ο', 'η']);
// biome-ignore format: a word list reads better in lines.
export const DATE_RANGE_SEPARATORS = new Set([
  '-', '–', '—', '‑', '−', '~', '〜', '～', '→', '>', 'to', 'until', 'till', 'through', 'bis', 'au', 'al', 'a', 'à', 'ao', 'até', 'hasta', 'tot', 'til', 'do', 'až', 'по', 'до', 'έως', 'ως', 'fino', 'jusqu',
]);
/**
 * A number after these marks, or before these words, is a time or a count and not part of a date.
 */
// biome-ignore format: a word list reads better in lines.
export const NON_DATE_TOKENS = new Set([
  ':', '%', '€', '$', '£', 'am', 'pm', 'h', 'uhr', 'night', 'nights', 'nuit', 'nuits', 'nacht', 'nächte', 'noche', 'noches', 'notte', 'notti', 'noite', 'noites', 'nachten', 'nätter', 'nætter', 'netter', 'guest', 'guests', 'adult', 'adults',
]);
export const CJK_WEEKDAYS: Readonly<Record<string, number>> = {
  ...{ 日: 0, 月: 1, 火: 2, 水: 3, 木: 4, 金: 5, 土: 6, 天: 0, 一: 1, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6 },
  ...{ 일: 0, 월: 1, 화: 2, 수: 3, 목: 4, 금: 5, 토: 6 },
};
