/**
 * Selects the cases of generated test matrices: `npm test` runs a sample that changes daily, and
 * `npm run test:all` runs every case (scripts/test.mjs). TEST_SEED repeats the sample of a day.
 * Without TEST_PART all cases run.
 */

/** Marks tests of a matrix: `it.each(selectSampledCases(CASES))('…', MATRIX_TEST_OPTIONS, …)`. */
export const MATRIX_TEST_OPTIONS = { tags: ['matrix'] };

/** The environment variables that select the cases. */
type Run = Readonly<Record<string, string | undefined>>;

/** One case in this many belongs to the sample. */
const STRIDE = 5;

/**
 * Returns the cases that this run tests, according to TEST_PART: the sample (one case in five), the
 * rest (the other four), or all cases. A sample is never empty.
 */
export function selectSampledCases<Case>(cases: readonly Case[], run: Run = process.env): readonly Case[] {
  const { TEST_PART, TEST_SEED } = run;
  const first = Number(TEST_SEED ?? 0) % Math.max(1, Math.min(STRIDE, cases.length));
  const isSampled = (index: number) => index % STRIDE === first;
  if (TEST_PART === 'sample') return cases.filter((_, index) => isSampled(index));
  if (TEST_PART === 'rest') return cases.filter((_, index) => !isSampled(index));
  return cases;
}
