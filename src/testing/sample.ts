/**
 * Splits generated matrices in two: `npm test` runs a sample that changes daily, `npm run test:all`
 * every case (scripts/test.mjs). TEST_SEED repeats a day's sample. Without TEST_PART all cases run.
 */

/** Marks tests of a matrix: `it.each(sampleCases(CASES))('…', MATRIX_TEST_OPTIONS, …)`. */
export const MATRIX_TEST_OPTIONS = { tags: ['matrix'] };

/** The environment variables that select the cases. */
type Run = Readonly<Record<string, string | undefined>>;

/** One case out of this many is in the sample. */
const STRIDE = 5;

/** Returns the cases of this run: one in five, the other four, or all. A sample is never empty. */
export function sampleCases<Case>(cases: readonly Case[], run: Run = process.env): readonly Case[] {
  const { TEST_PART, TEST_SEED } = run;
  const first = Number(TEST_SEED ?? 0) % Math.max(1, Math.min(STRIDE, cases.length));
  const isSampled = (index: number) => index % STRIDE === first;
  if (TEST_PART === 'sample') return cases.filter((_, index) => isSampled(index));
  if (TEST_PART === 'rest') return cases.filter((_, index) => !isSampled(index));
  return cases;
}
