/** What somebody may have meant who mistyped the end of a word. Pure. */

const SHORTEST = 3;

/** The words each one letter shorter, then two; none that says next to nothing is left. */
export function nearerWords(words: readonly string[]): string[][] {
  const shorter = (by: number) =>
    words.map((word) => {
      const letters = [...word];
      return letters.slice(0, Math.max(Math.min(SHORTEST, letters.length), letters.length - by)).join('');
    });
  const tries = [words, shorter(1), shorter(2)];
  return tries.slice(1).filter((tried, at) => tried.some((word, index) => word !== tries[at]?.[index])) as string[][];
}
