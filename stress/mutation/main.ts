/**
 * `npm run mutate [-- WORDS]`: takes each guard against strangers away (mutation/guards.ts), one at a time, and runs the
 * tests that have to notice. Exits with 1 when one does not. The sources are as before when it ends, however it ends.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { GUARDS, type Guard } from './guards';
import { filesWith, testsNamed } from './sources';

let restore = () => {};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    restore();
    process.exit(1);
  });
}

const passes = (tests: string[]) =>
  new Promise<boolean>((resolve) => {
    const run = ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', '--retry=0', ...tests];
    execFile(process.execPath, run, { env: { ...process.env, NODE_ENV: 'test' }, maxBuffer: 2 ** 28 }, (error) =>
      resolve(error === null),
    );
  });

/** Tests from outside run the built server. */
const buildServer = () => execFileSync(process.execPath, ['scripts/build-bundles.mjs'], { stdio: 'ignore' });

async function noticed({ find, replace, tests }: Guard): Promise<boolean> {
  const [file] = filesWith(find);
  if (!file) throw new Error(`No source holds ${find}`);
  const text = readFileSync(file, 'utf8');
  const files = testsNamed(tests);
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

const words = process.argv.slice(2).join(' ');
const chosen = GUARDS.filter(({ against, find }) => `${against} ${find}`.includes(words));
const survivors: string[] = [];
for (const guard of chosen) {
  const began = performance.now();
  const seen = await noticed(guard);
  if (!seen) survivors.push(guard.against);
  console.log(`  ${seen ? '✓' : '✗'} ${guard.against} (${((performance.now() - began) / 1000).toFixed(0)} s)`);
}
console.log(`${chosen.length - survivors.length} of ${chosen.length} guards are missed when they go.`);
process.exit(survivors.length === 0 ? 0 : 1);
