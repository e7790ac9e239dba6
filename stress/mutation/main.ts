/**
 * `npm run mutate [-- WORDS] [--sample=N]`: disables each guard against strangers
 * (mutation/guards.ts), one at a time, and runs the tests that must then fail. `--sample` selects N
 * guards by TEST_SEED. Exits with 1 when the tests pass without a guard. The sources are always
 * restored at the end.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { SECURITY_GUARD_MUTATIONS, type SecurityGuardMutation } from './guards';
import { findSourceFilesContainingText, findTestFilesByName } from './sources';

let restore = () => {};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    restore();
    process.exit(1);
  });
}

/**
 * Returns whether the tests pass. Throws when no test ran, because that would look like a failure.
 */
const passes = (tests: string[]) =>
  new Promise<boolean>((resolve, reject) => {
    const run = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--retry=0', '--reporter=json', ...tests];
    const env: NodeJS.ProcessEnv = { ...process.env, NODE_ENV: 'test', TEST_PART: '' };
    execFile(process.execPath, run, { env, maxBuffer: 2 ** 28 }, (error, stdout) => {
      const ran = Number(/"numTotalTests":(\d+)/.exec(stdout)?.[1] ?? 0);
      if (ran === 0) reject(new Error(`No test ran: ${tests.join(' ')}\n${stdout.slice(-2_000)}`));
      else resolve(error === null);
    });
  });

/** Builds the server, because tests over HTTP run the build. */
const buildServer = () => execFileSync(process.execPath, ['scripts/build-bundles.mjs'], { stdio: 'ignore' });

async function noticed({ find, replace, tests }: SecurityGuardMutation): Promise<boolean> {
  const [file] = findSourceFilesContainingText(find);
  if (!file) throw new Error(`No source holds ${find}`);
  const text = readFileSync(file, 'utf8');
  const files = findTestFilesByName(tests);
  const from_outside = files.some((name) => /^(e2e|stress)\//.test(name));
  restore = () => writeFileSync(file, text);
  try {
    writeFileSync(
      file,
      text.replace(find, () => replace),
    );
    if (from_outside) buildServer();
    return !(await passes(files));
  } finally {
    restore();
    if (from_outside) buildServer();
    restore = () => {};
  }
}

const { values, positionals } = parseArgs({ options: { sample: { type: 'string' } }, allowPositionals: true });
const words = positionals.join(' ');
const matching = SECURITY_GUARD_MUTATIONS.filter(({ against, find }) => `${against} ${find}`.includes(words));
const count = Number(values.sample ?? matching.length);
const first = Number(process.env.TEST_SEED ?? 0) * count;
const chosen = Array.from({ length: Math.min(count, matching.length) }, (_, index) => {
  return matching[(first + index) % matching.length] as SecurityGuardMutation;
});
const survivors: string[] = [];
for (const guard of chosen) {
  const began = performance.now();
  const seen = await noticed(guard);
  if (!seen) survivors.push(guard.against);
  console.log(`  ${seen ? '✓' : '✗'} ${guard.against} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} guards are missed when they go.`);
process.exit(survivors.length === 0 ? 0 : 1);
