/** Makes text printable: replaces characters without a glyph and removes invisible characters. */
import { INVISIBLE_CHARACTER_PATTERN } from '@/shared/guest-text/names';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ASTRAL = /[\u{10000}-\u{10ffff}]/u;
/** Parts of emoji sequences, which the fonts cannot draw. */
const EMOJI_PARTS = /[\ufe0e\ufe0f]|\p{EMod}|(?<=\p{ExtPict})\u200d/gu;
const LINE_END = /\r\n?|[\u0085\u2028\u2029]/g;
/**
 * Unicode isolates. They surround the values of short codes, because a value may have a different
 * writing direction than the text around it.
 */
const ISOLATES = ['\u2068', '\u2069'];
const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Normalizes line ends and removes invisible characters. Replaces a character that no embedded font
 * covers with its code, such as `[U+16A0]`. A text that is not blank never becomes blank. The
 * attached snapshot contains the original text.
 */
export function toPrintableText(text: string, covers: (code_point: number) => boolean): string {
  const clean = text
    .replace(LINE_END, '\n')
    .replace(/\t/g, '    ')
    .replace(/[\v\f]/g, ' ')
    .replace(INVISIBLE_CHARACTER_PATTERN, (character) => (ISOLATES.includes(character) ? character : ''))
    .replace(EMOJI_PARTS, '');
  const shown = clean.trim() === '' && text.trim() !== '' ? text.trim() : clean;
  const set = Array.from(shown, (character) =>
    character === '\n' || (shown === clean && covers(character.codePointAt(0) ?? 0)) ? character : codePoint(character),
  ).join('');
  return ASTRAL.test(set) ? separateAstral(set) : set;
}

const codePoint = (character: string) =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;

/**
 * Inserts a zero-width space between adjacent characters beyond U+FFFF, because the renderer drops
 * some of their glyphs.
 */
function separateAstral(text: string): string {
  let result = '';
  let previous_astral = false;
  for (const { segment } of graphemes.segment(text)) {
    const astral = ASTRAL.test(segment);
    result += astral && previous_astral ? ZERO_WIDTH_SPACE + segment : segment;
    previous_astral = astral;
  }
  return result;
}

/** Applies a function to every string in a JSON value, except object keys. */
export function mapJsonStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapJsonStrings(item, change)) as T;
  if (value !== null && typeof value === 'object' && !(value instanceof Uint8Array)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapJsonStrings(item, change)])) as T;
  }
  return value;
}
