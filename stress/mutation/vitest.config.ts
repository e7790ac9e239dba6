/**
 * Selects the tests of pure rules, which need no database. Stryker runs them on mutated rules
 * (stryker.config.mjs).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Matches imports in tests that need a database, a server or a worker thread. */
const needs = /@\/infra\/|@\/testing\/(?!clock')|testing\/(run|mail)-world|\.\/render'|makePdf|node:child_process/;
const tests = readdirSync(join(root, 'src/modules'), { recursive: true, encoding: 'utf8' })
  .filter(
    (name) =>
      name.endsWith('.test.ts') && !/certificates.(document|seal|verify|render).*(?<!\.rules\.test\.ts)$/.test(name),
  )
  .map((name) => join('src/modules', name))
  .filter((name) => !needs.test(readFileSync(join(root, name), 'utf8')));

export default defineConfig({
  root,
  resolve: { alias: { '@': join(root, 'src') } },
  test: {
    include: tests,
    setupFiles: ['stress/mutation/setup.ts'],
    testTimeout: 60_000,
    // Tests of size limits are skipped, because they take seconds each time.
    testNamePattern:
      /^(?!size|hostile repetition|bounds|an event that is more|the fingerprint of 1,000|a message (?:of any bytes|is read behind))/,
    env: { CALENDAR_SEQUENCES: '50' },
  },
});
