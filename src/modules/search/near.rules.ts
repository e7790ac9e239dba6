/** Alternatives for words with a mistyped end. Pure. */

const SHORTEST = 3;

/**
 * Returns the words without their last letter, then without their last two. Short words are not
 * shortened.
 */
export function shortenWords(words: readonly string[]): string[][] {
  const shorter = (by: number) =>
    words.map((word) => {
      const letters = [...word];
      return letters.slice(0, Math.max(Math.min(SHORTEST, letters.length), letters.length - by)).join('');
    });
  const tries = [words, shorter(1), shorter(2)];
  return tries.slice(1).filter((tried, at) => tried.some((word, index) => word !== tries[at]?.[index])) as string[][];
}
