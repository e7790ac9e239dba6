/**
 * `npm test` runs types, lint, unit and integration tests with a sample of the generated matrices,
 * the browser tests for phones, and the desktop tests with the tag `@smoke`. `npm run test:all`
 * (`--all`) also runs all matrices, the tests with the tag `exhaustive`, the tests on the embedded
 * database and every browser test, and checks that tests fail when a guard is disabled
 * (stress/mutation). With `--after-test` it runs only the tests that the preceding `npm test`
 * omitted, and reports the counts of both runs together (.ci/run). A failed test runs once more
 * when the machine is idle, and is reported as flaky if it then passes. At the end the script
 * prints the time of each stage and of the slowest files, and the failed tests. The last line is `N
 * passed, N failed, N skipped` for all tests. A failed check counts as one failure. Exits with 1
 * when anything failed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { findBrowser, installBrowser, shouldInstallBrowser } from './lib/browser.mjs';
import { formatDuration, runStepWithProgress } from './lib/progress.mjs';
import { PROJECT_ROOT, resolveProjectPath } from './lib/project.mjs';
import { CommandFailed, runInTerminal, runQuietly } from './lib/run.mjs';
import { setUp } from './setup.mjs';

process.chdir(PROJECT_ROOT);
const began = Date.now();
const out = process.stdout;
const REPORTS = resolveProjectPath('node_modules/.cache/threshold/reports');
const SUMMARY = `${REPORTS}/summary.json`;
const { values: flags } = parseArgs({ options: { all: { type: 'boolean' }, 'after-test': { type: 'boolean' } } });
const before = flags['after-test'] && existsSync(SUMMARY) ? JSON.parse(readFileSync(SUMMARY, 'utf8')) : null;
/** The name of the part to run, as in src/testing/sample.ts. */
const part = before ? 'rest' : flags.all ? 'all' : 'sample';
/**
 * A new number each day. It selects the sampled cases of generated test matrices, and the guards
 * that the mutation test disables.
 */
process.env.TEST_SEED ??= String(Math.floor(began / 86_400_000));
/** For each part, a function that decides by a test's tags whether the part includes the test. */
const isInPart = {
  sample: (tags) => !tags.includes('exhaustive'),
  rest: (tags) => tags.includes('exhaustive') || tags.includes('matrix'),
  all: () => true,
}[part];
const TAGS_FILTER = { sample: ['--tags-filter=!exhaustive'], rest: ['--tags-filter=exhaustive || matrix'], all: [] }[
  part
];
const { total, failed, flaky, stages, files } = before ?? {
  total: { passed: 0, failed: 0, skipped: 0 },
  /** Names of failed tests. `flaky` contains tests that passed when they were repeated. */
  failed: [],
  flaky: [],
  /** Seconds that each stage and each test file took. */
  stages: [],
  files: [],
};
/** Folders whose imports the checks cover. */
const FOLDERS = ['src', 'inngest', 'e2e', 'scripts', 'stress', 'packages', 'examples'];
/**
 * If more files than this failed, they are not repeated, because so many failures are not flaky.
 */
const MOST_FILES_AGAIN = 5;
const SLOWEST_SHOWN = 30;

/**
 * Returns the processor time of all child processes that have ended, in seconds. Returns null where
 * the system does not report it.
 */
function processorSeconds() {
  try {
    // Reads the fields cutime and cstime (proc(5)), in hundredths of a second. The program's name,
    // which precedes them, may contain spaces.
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

const node = (script, ...args) => [process.execPath, [resolveProjectPath('node_modules', script), ...args]];

/**
 * Runs checks such as lint in parallel. Prints the output of failed checks, and counts each as a
 * failure.
 */
async function check(label, ...commands) {
  const failures = [];
  const run = ([command, args]) => runQuietly(command, args).catch((error) => failures.push(error));
  const all = async () => {
    await Promise.all(commands.map(run));
    if (failures.length > 0) throw failures[0];
  };
  await timed(label, () => runStepWithProgress(out, label, all)).catch(() => {});
  total.failed += failures.length;
  if (failures.length > 0) failed.push(label);
  for (const error of failures) {
    out.write(`${error instanceof CommandFailed ? error.output.trimEnd() : error.message}\n`);
  }
}

function readReport(name) {
  try {
    return JSON.parse(readFileSync(`${REPORTS}/${name}`, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * Runs a test runner in this terminal and reads its report. If the runner fails although no test
 * failed, that counts as one failure.
 */
async function runTests(label, name, [command, args], env, read) {
  out.write(`\n${label}\n`);
  const code = await timed(label, () => runInTerminal(command, args, { env }));
  const report = readReport(name);
  const counted = { passed: 0, failed: [], flaky: [], skipped: 0, ...(report && read(report)) };
  if (code !== 0 && counted.failed.length === 0) counted.failed.push(label);
  return counted;
}

/** Returns the names of a Playwright report's tests with this status. */
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

/** Returns the seconds of each test file. Only the JUnit report includes `beforeAll`. */
function fileTimes() {
  const suites = readFileSync(`${REPORTS}/vitest.junit`, 'utf8').matchAll(
    /<testsuite name="([^"]+)"[^>]* time="([\d.]+)"/g,
  );
  return [...suites].map(([, name, seconds]) => ({ name, seconds: Number(seconds) }));
}

function runVitest(label, args, env) {
  const reporters = ['default', 'json', 'junit'].map((reporter) => `--reporter=${reporter}`);
  const reports = ['json', 'junit'].map((reporter) => `--outputFile.${reporter}=${REPORTS}/vitest.${reporter}`);
  const command = node('vitest/vitest.mjs', 'run', ...reporters, ...reports, ...args);
  const read = ({ testResults, ...counts }) => ({
    passed: counts.numPassedTests,
    // The runner also reports tests outside of the selected part as skipped. They are not counted.
    skipped: testResults.flatMap(({ assertionResults }) =>
      assertionResults.filter(({ status, tags }) => !/^(passed|failed)$/.test(status) && (!env || isInPart(tags))),
    ).length,
    files: testResults.filter(({ status }) => status === 'failed').map((file) => file.name),
    failed: testResults.flatMap(({ name, status, assertionResults }) => {
      const tests = assertionResults.filter((test) => test.status === 'failed').map(({ fullName }) => ` › ${fullName}`);
      // A file that could not be loaded reports no tests. It counts as one failure.
      return (tests.length > 0 || status !== 'failed' ? tests : ['']).map(
        (test) => relative(PROJECT_ROOT, name) + test,
      );
    }),
    times: fileTimes(),
  });
  return runTests(label, 'vitest.json', command, { NODE_ENV: 'test', ...env }, read);
}

rmSync(REPORTS, { recursive: true, force: true });
await timed('Set-up', () => setUp({ level: 'build', dev: true, stream: out }));
mkdirSync(REPORTS, { recursive: true });
out.write(`TEST_SEED=${process.env.TEST_SEED} repeats what was chosen by the day.\n`);

if (await shouldInstallBrowser()) {
  await runStepWithProgress(out, 'Installing a browser for the end-to-end tests', installBrowser).catch((error) => {
    out.write(`${error.output ?? error.message}\nSet CHROME_PATH to a Chromium to run the browser tests.\n`);
  });
}

if (part !== 'rest')
  await check(
    'Types, lint and the dependency rule',
    node('typescript-native/bin/tsc', '--noEmit'),
    node('@biomejs/biome/bin/biome', 'check', '.'),
    [process.execPath, [resolveProjectPath('scripts/lint-prose.mjs')]],
    node('dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs', ...FOLDERS),
  );

/** Runs tests, and runs failed files again. `env` selects the part of the tests. */
async function runUnits(label, args, env) {
  const result = await runVitest(label, args, env);
  files.push(...(result.times ?? []));
  if (result.failed.length > 0 && result.files?.length > 0 && result.files.length <= MOST_FILES_AGAIN) {
    const again = await runVitest('What failed, once more', [...args.filter(isOption), ...result.files], env);
    result.flaky = result.failed.filter((name) => !again.failed.includes(name));
    result.passed += result.flaky.length;
    result.failed = again.failed;
  }
  add(result);
}

const isOption = (arg) => arg.startsWith('--');
const PROJECTS = ['--project=shared process', '--project=embedded database'];

/**
 * Returns the test files that contain tests of the part `rest`: the tests that `npm test` left out.
 * No other files need to be loaded.
 */
function filesOfRest() {
  const names = ['src', 'inngest', 'e2e', 'stress'].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => join(folder, name)),
  );
  const hasPart = (name) => /\bexhaustive\b|\bMATRIX_TEST_OPTIONS\b/.test(readFileSync(name, 'utf8'));
  return names.filter((name) => /\.test\.tsx?$/.test(name) && hasPart(name));
}

/** Runs a stress tool. Its exit status counts as one test. */
async function runStress(label, ...command) {
  const { failed: names } = await runTests(label, 'none', node('tsx/dist/cli.mjs', ...command), {}, () => ({}));
  add({ passed: 1 - names.length, skipped: 0, failed: names, flaky: [] });
}

const env = { TEST_PART: part };
if (part === 'rest')
  await runUnits(
    'The rest of the matrices, and exhaustive tests',
    [...PROJECTS, ...TAGS_FILTER, ...filesOfRest()],
    env,
  );
else await runUnits('Unit and integration tests', [...PROJECTS, ...TAGS_FILTER], env);
if (part !== 'sample')
  await runUnits('What depends on the engine, on the embedded database', ['--project=both databases']);

add(
  await runTests(
    'End-to-end tests in a browser',
    'playwright.json',
    node('@playwright/test/cli.js', 'test', '--retries=1', '--reporter=list,json'),
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: `${REPORTS}/playwright.json`,
      CHROME_PATH: findBrowser() ?? '',
      NODE_ENV: 'test',
      ...env,
    },
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

if (part !== 'sample') await runStress('Mutation of some guards', 'stress/mutation/main.ts', '--sample=6');

showTimes();
if (flaky.length > 0) out.write(`\nFailed once, and passed when they were run again:\n  ${flaky.join('\n  ')}\n`);
if (failed.length > 0) out.write(`\nFailed:\n  ${failed.join('\n  ')}\n`);
writeFileSync(SUMMARY, JSON.stringify({ total, failed, flaky, stages, files }));
out.write(`\nAll of it took ${formatDuration(Date.now() - began)}.\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
out.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exitCode = total.failed > 0 ? 1 : 0;
