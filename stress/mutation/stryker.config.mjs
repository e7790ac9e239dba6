/**
 * `npm run mutate:rules [-- -m 'src/modules/mail/rules/*.ts,src/modules/push/*.rules.ts']`: changes
 * the pure rules in every way that Stryker supports, one change at a time, and counts the changes
 * that no pure test notices. (When a pattern also matches test files, exclude them with another
 * pattern that begins with `!`.) Fails if tests notice fewer than nine in ten. All rules take over
 * an hour. Stryker is fetched only when this command runs, because it is 40 MB in size and no other
 * command needs it.
 */
/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'stress/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  mutate: [
    'src/modules/**/*.rules.ts',
    'src/modules/**/rules/*.ts',
    'src/modules/**/rules.ts',
    'src/modules/sync-sources/{feed,plan}/*.ts',
    '!src/modules/**/*.test.ts',
  ],
  // Texts for people are not mutated, because no rule depends on them.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: 2,
  tempDirName: 'build/mutation',
  ignorePatterns: ['.next', 'build', 'stress', 'e2e', 'test-results'],
  incremental: true,
  incrementalFile: 'node_modules/.cache/threshold/stryker.json',
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { allowColor: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
