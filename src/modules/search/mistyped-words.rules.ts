/** Shortens search words whose end may be mistyped. Pure. */

const SHORTEST = 3;

/**
 * Returns up to two variants of the words: without their last letter, and without their last two
 * letters. Short words are not shortened.
 */
export function buildShortenedWordVariants(words: readonly string[]): string[][] {
  const shorter = (by: number) =>
    words.map((word) => {
      const letters = [...word];
      return letters.slice(0, Math.max(Math.min(SHORTEST, letters.length), letters.length - by)).join('');
    });
  const tries = [words, shorter(1), shorter(2)];
  return tries.slice(1).filter((tried, at) => tried.some((word, index) => word !== tries[at]?.[index])) as string[][];
}
