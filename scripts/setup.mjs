/**
 * Makes a checkout ready: installs, generates, builds; skips what is done. start, test, demo, image and admin call `setUp`
 * first, what developers alone use runs this file: `--build` (also `npm run build`) for everything, `--packages` for what is installed.
 */
import { pathToFileURL } from 'node:url';
import { showStep } from './lib/progress.mjs';
import { CommandFailed } from './lib/run.mjs';
import { withSetupLock } from './lib/setup-lock.mjs';
import { pendingSteps } from './lib/steps.mjs';

/**
 * Does what is still to be done for `level` (`packages`, `client`, `dev` or `build`; see lib/steps.mjs) and shows it on `stream`.
 * Exits the process with 1, after showing the output of the step that failed.
 */
export async function setUp({ level, dev = false, stream = process.stdout }) {
  if (pendingSteps({ level, dev }).length === 0) return;
  try {
    await withSetupLock(
      async () => {
        // Asked again after every step: an install makes everything behind it stale. Each runs once, also when a source
        // is saved meanwhile; the next command then does it again.
        const ran = new Set();
        const next = () => pendingSteps({ level, dev }).find((step) => !ran.has(step.name));
        for (let step = next(); step; step = next()) {
          if (ran.size === 0) stream.write('Threshold is setting up; what is done is skipped next time.\n');
          ran.add(step.name);
          await showStep(stream, step.label, step.execute);
        }
      },
      () => stream.write('Another command is setting up; waiting for it.\n'),
    );
  } catch (error) {
    if (error instanceof CommandFailed) process.stderr.write(`${error.output.trimEnd()}\n${error.message}\n`);
    else process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const packages = process.argv.includes('--packages');
  await setUp({
    level: packages ? 'packages' : 'build',
    dev: true,
    stream: packages ? process.stderr : process.stdout,
  });
  if (!packages) process.stdout.write('Everything is built.\n');
}
