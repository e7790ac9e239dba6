/**
 * Finds where a line may break inside a word. The renderer itself breaks only at spaces, so a word
 * of 500 characters, a long URL or a Chinese sentence would run off the page. The renderer's own
 * hyphenation is not used, because it adds hyphens to the text.
 */

/** Scripts without spaces, where a line may break after any character. */
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
/** Characters that may not begin a line. */
const CLOSING = /^[、。，．：；！？」』）】〕》〉”’…ー々\u3099\u309a]/u;
/** Scripts without spaces, whose words only a dictionary can separate. */
const DICTIONARY = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const words = new Intl.Segmenter('th', { granularity: 'word' });

/**
 * Splits a word into pieces. A line may break between two pieces. A word of up to `limit`
 * characters stays whole unless its script has no spaces.
 */
export function breakWord(word: string, limit: number): string[] {
  if (DICTIONARY.test(word)) return [...words.segment(word)].flatMap(({ segment }) => breakLong(segment, limit));
  if (IDEOGRAPHIC.test(word)) return breakIdeographs(word, limit);
  return breakLong(word, limit);
}

function breakLong(word: string, limit: number): string[] {
  if (word.length <= limit) return [word];
  return [...graphemes.segment(word)].map(({ segment }) => segment);
}

function breakIdeographs(word: string, limit: number): string[] {
  const pieces: string[] = [];
  let run = '';
  for (const { segment } of graphemes.segment(word)) {
    if (!IDEOGRAPHIC.test(segment)) {
      run += segment;
    } else {
      if (run) pieces.push(...breakLong(run, limit));
      run = '';
      const last = pieces.length - 1;
      if (CLOSING.test(segment) && last >= 0) pieces[last] += segment;
      else pieces.push(segment);
    }
  }
  if (run) pieces.push(...breakLong(run, limit));
  return pieces;
}

/**
 * Returns the renderer's hyphenation callback. An empty piece between two pieces allows a line
 * break without a hyphen.
 */
export function createWordBreaker(limit: number): (word: string | null) => string[] {
  return (word) =>
    word ? breakWord(word, limit).flatMap((piece, index) => (index === 0 ? [piece] : ['', piece])) : [];
}
