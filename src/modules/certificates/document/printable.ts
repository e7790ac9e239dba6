/** Text as the renderer can set it. The words themselves stay: only what has no glyph goes. */

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const ASTRAL = /[\u{10000}-\u{10ffff}]/u;
/** Invisible characters without a glyph, and the skin tones, which a one-coloured font would draw as a box of their own. */
const UNSET = /\p{Cc}|\p{Cs}|\ufe0e|\ufe0f|\ufeff|\u2060|\p{Emoji_Modifier}/gu;
const ZERO_WIDTH_SPACE = '\u200b';
const REPLACEMENT = '\ufffd';

/**
 * One kind of line end, no control characters, and U+FFFD for what none of the fonts covers (the renderer would fall
 * back to a font that is not embedded). The attached snapshot keeps the text as it was.
 */
export function printable(text: string, covers: (code_point: number) => boolean): string {
  const clean = text
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .replace(/\t/g, '    ')
    .replace(UNSET, (character) => (character === '\n' ? '\n' : ''));
  const covered = Array.from(clean, (character) =>
    character === '\n' || covers(character.codePointAt(0) ?? 0) ? character : REPLACEMENT,
  ).join('');
  return ASTRAL.test(covered) ? separateAstral(covered) : covered;
}

/** The renderer loses glyphs when two characters beyond U+FFFF stand side by side in one font: keep them apart. */
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

/** Applies a change to every string of a plain value, keys apart. */
export function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change)) as T;
  if (value !== null && typeof value === 'object' && !(value instanceof Uint8Array)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)])) as T;
  }
  return value;
}
