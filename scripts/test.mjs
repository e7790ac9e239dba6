/**
 * `npm test`: makes the checkout ready and runs everything: types, lint, unit and integration tests, and the browser
 * journeys. A test that fails is run once more when the machine is quiet; one that passes then is named as flaky. At the
 * end the time of each stage and of the slowest files, the names of what failed, and as the last line
 * `N passed, N failed` over all tests; a failed check counts as one failure. Exits with 1 when anything failed.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
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
/** Where imports are judged. */
const FOLDERS = ['src', 'inngest', 'e2e', 'scripts', 'stress', 'packages', 'examples'];
/** More than these have not failed by chance. */
const MOST_FILES_AGAIN = 5;
/** Names: what failed, and what did so once only. */
const failed = [];
const flaky = [];
/** Seconds of each stage and of each test file. */
const stages = [];
const files = [];
const SLOWEST_SHOWN = 30;

/** The processor time of all processes that have ended, in seconds; null where the system does not count it. */
function processorSeconds() {
  try {
    // cutime and cstime of proc(5), in hundredths of a second; the program's name may hold spaces.
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return null;
  }
}

async function timed(label, work) {
  const [start, used] = [Date.now(), processorSeconds()];
  const result = await work();
  const after = processorSeconds();
  stages.push({ label, wall: (Date.now() - start) / 1000, processor: after === null ? null : after - used });
  return result;
}

function showTimes() {
  const row = (seconds, text) => `${seconds === null ? '    –' : seconds.toFixed(1).padStart(7)}  ${text}\n`;
  out.write('\nSeconds of each stage: on the clock, of the processors\n');
  for (const { label, wall, processor } of stages) out.write(`${wall.toFixed(1).padStart(7)} ${row(processor, label)}`);
  out.write(`\nSeconds of the ${SLOWEST_SHOWN} slowest test files\n`);
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  for (const { name, seconds } of slowest) out.write(row(seconds, name));
}

const node = (script, ...args) => [process.execPath, [inProject('node_modules', script), ...args]];

/** Checks with no tests of their own, side by side. The output of those that fail is shown, and each counts as a failure. */
async function check(label, ...commands) {
  const failures = [];
  const run = ([command, args]) => runQuietly(command, args).catch((error) => failures.push(error));
  const all = async () => {
    await Promise.all(commands.map(run));
    if (failures.length > 0) throw failures[0];
  };
  await timed(label, () => showStep(out, label, all)).catch(() => {});
  total.failed += failures.length;
  if (failures.length > 0) failed.push(label);
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

/** Runs a test runner in this terminal and reads its report. One that fails without a failed test has failed itself. */
async function runTests(label, name, [command, args], env, read) {
  out.write(`\n${label}\n`);
  const code = await timed(label, () => runHere(command, args, { env }));
  const report = readReport(name);
  const counted = { passed: 0, failed: [], flaky: [], skipped: 0, ...(report && read(report)) };
  if (code !== 0 && counted.failed.length === 0) counted.failed.push(label);
  return counted;
}

/** The names of a Playwright report's tests that ended so. */
function specsOf(suites, status) {
  return suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...specsOf(inner, status),
    ...specs.flatMap(({ file, title, tests }) =>
      tests.filter((test) => test.status === status).map(() => `${file} › ${title}`),
    ),
  ]);
}

function add({ passed, skipped, ...names }) {
  total.passed += passed;
  total.skipped += skipped;
  total.failed += names.failed.length;
  failed.push(...names.failed);
  flaky.push(...names.flaky);
}

function runVitest(label, ...files) {
  const report = `--outputFile.json=${REPORTS}/vitest.json`;
  const command = node('vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', report, ...files);
  const read = ({ testResults, ...counts }) => ({
    passed: counts.numPassedTests,
    skipped: counts.numPendingTests + (counts.numTodoTests ?? 0),
    files: testResults.filter(({ status }) => status === 'failed').map((file) => file.name),
    failed: testResults.flatMap(({ name, status, assertionResults }) => {
      const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => ` › ${fullName}`);
      // A file that could not be loaded has no tests to fail.
      return (tests.length > 0 || status !== 'failed' ? tests : ['']).map((test) => relative(ROOT, name) + test);
    }),
    times: testResults.map(({ name, startTime, endTime }) => ({
      name: relative(ROOT, name),
      seconds: (endTime - startTime) / 1000,
    })),
  });
  return runTests(label, 'vitest', command, { NODE_ENV: 'test' }, read);
}

await timed('Set-up', () => setUp({ level: 'build', dev: true, stream: out }));
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
  node('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...FOLDERS),
);

/** Runs tests, and those files that failed once more. */
async function runUnits(label) {
  const result = await runVitest(label);
  files.push(...(result.times ?? []));
  if (result.failed.length > 0 && result.files?.length > 0 && result.files.length <= MOST_FILES_AGAIN) {
    const again = await runVitest('What failed, once more', ...result.files);
    result.flaky = result.failed.filter((name) => !again.failed.includes(name));
    result.passed += result.flaky.length;
    result.failed = again.failed;
  }
  add(result);
}

await runUnits('Unit and integration tests');

add(
  await runTests(
    'End-to-end tests in a browser',
    'playwright',
    node('@playwright/test/cli.js', 'test', '--retries=1', '--reporter=list,json'),
    { PLAYWRIGHT_JSON_OUTPUT_FILE: `${REPORTS}/playwright.json`, CHROME_PATH: findBrowser() ?? '', NODE_ENV: 'test' },
    ({ suites, stats, errors = [] }) => ({
      passed: stats.expected + stats.flaky,
      failed: [
        ...specsOf(suites, 'unexpected'),
        ...(stats.unexpected === 0 ? errors.map(({ message }) => message) : []),
      ],
      flaky: specsOf(suites, 'flaky'),
      skipped: stats.skipped,
    }),
  ),
);

showTimes();
if (flaky.length > 0) out.write(`\nFailed once, and passed when they were run again:\n  ${flaky.join('\n  ')}\n`);
if (failed.length > 0) out.write(`\nFailed:\n  ${failed.join('\n  ')}\n`);
out.write(`\nAll of it took ${duration(Date.now() - began)}.\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
out.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
