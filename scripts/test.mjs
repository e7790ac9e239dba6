/**
 * `npm test`: makes the checkout ready and runs everything: types, lint, unit and integration tests, and the browser
 * journeys. The last line is `N passed, N failed` over all tests; a failed check counts as one failure. Exits with 1
 * when anything failed.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findBrowser, installBrowser, needsBrowser } from './lib/browser.mjs';
import { duration, showStep } from './lib/progress.mjs';
import { inProject, ROOT } from './lib/project.mjs';
import { CommandFailed, runHere, runQuietly } from './lib/run.mjs';
import { setUp } from './setup.mjs';

process.chdir(ROOT);
const began = Date.now();
const out = process.stdout;
const REPORTS = inProject('node_modules/.cache/threshold/reports');
const total = { passed: 0, failed: 0, skipped: 0 };

const node = (script, ...args) => [process.execPath, [inProject('node_modules', script), ...args]];

/** Checks with no tests of their own, side by side. The output of those that fail is shown, and each counts as a failure. */
async function check(label, ...commands) {
  const failures = [];
  const run = ([command, args]) => runQuietly(command, args).catch((error) => failures.push(error));
  await showStep(out, label, async () => {
    await Promise.all(commands.map(run));
    if (failures.length > 0) throw failures[0];
  }).catch(() => {});
  total.failed += failures.length;
  for (const error of failures) {
    out.write(`${error instanceof CommandFailed ? error.output.trimEnd() : error.message}\n`);
  }
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(`${REPORTS}/${name}.json`, 'utf8'));
  } catch {
    return null;
  }
}

/** Runs a test runner in this terminal and adds up its report. One that fails without a failed test counts as one failure. */
async function runTests(label, name, [command, args], env, count) {
  out.write(`\n${label}\n`);
  const code = await runHere(command, args, { env });
  const report = readReport(name);
  const counted = report ? count(report) : { passed: 0, failed: 0, skipped: 0 };
  if (code !== 0 && counted.failed === 0) counted.failed = 1;
  for (const key of Object.keys(total)) total[key] += counted[key];
}

await setUp({ level: 'build', dev: true, stream: out });
rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

if (await needsBrowser()) {
  await showStep(out, 'Installing a browser for the end-to-end tests', installBrowser).catch((error) => {
    out.write(`${error.output ?? error.message}\nSet CHROME_PATH to a Chromium to run the browser tests.\n`);
  });
}

await check(
  'Types, lint and the dependency rule',
  node('typescript-native/bin/tsc', '--noEmit'),
  node('@biomejs/biome/bin/biome', 'check', '.'),
  node('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', 'src', 'inngest'),
);

await runTests(
  'Unit and integration tests',
  'vitest',
  node('vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${REPORTS}/vitest.json`),
  { NODE_ENV: 'test' },
  (report) => ({
    passed: report.numPassedTests,
    // A file that could not be loaded has no tests to fail.
    failed:
      report.numFailedTests +
      report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
    skipped: report.numPendingTests + (report.numTodoTests ?? 0),
  }),
);

await runTests(
  'End-to-end tests in a browser',
  'playwright',
  node('@playwright/test/cli.js', 'test', '--reporter=list,json'),
  { PLAYWRIGHT_JSON_OUTPUT_FILE: `${REPORTS}/playwright.json`, CHROME_PATH: findBrowser() ?? '', NODE_ENV: 'test' },
  ({ stats, errors = [] }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    skipped: stats.skipped,
  }),
);

out.write(`\nAll of it took ${duration(Date.now() - began)}.\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
out.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
