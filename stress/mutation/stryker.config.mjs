/**
 * `npm run mutate:rules [-- -m 'src/modules/mail/rules/*.ts,src/modules/push/*.rules.ts']`: changes
 * the pure rules in every way Stryker knows, one change at a time, and counts those that no pure
 * test notices (when a pattern also matches test files, leave them out with one more pattern that
 * begins with `!`). Fails under nine in ten. Takes over an hour for all of them; fetched only when
 * it is run, since nobody else needs its forty megabytes.
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
  // Texts for people may change freely. Only the decisions are rules.
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
