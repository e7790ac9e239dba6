/**
 * Makes a checkout ready: installs, generates, builds; skips what is done. `npm run build` is this file with --build.
 * start, test, demo and admin call `setUp` first.
 */
import { pathToFileURL } from 'node:url';
import { showStep } from './lib/progress.mjs';
import { CommandFailed } from './lib/run.mjs';
import { withSetupLock } from './lib/setup-lock.mjs';
import { pendingSteps } from './lib/steps.mjs';

/**
 * Does what is still to be done for `level` (`client`, `dev` or `build`; see lib/steps.mjs) and shows it on `stream`.
 * Exits the process with 1, after showing the output of the step that failed.
 */
export async function setUp({ level, dev = false, stream = process.stdout }) {
  if (pendingSteps({ level, dev }).length === 0) return;
  try {
    await withSetupLock(
      async () => {
        // Asked again after every step: an install makes everything behind it stale.
        let announced = false;
        const failedTwice = new Set();
        for (let step = pendingSteps({ level, dev })[0]; step; step = pendingSteps({ level, dev })[0]) {
          if (!announced) stream.write('Threshold is setting up; what is done is skipped next time.\n');
          announced = true;
          if (failedTwice.has(step.name))
            throw new Error(`"${step.label}" ran, and its inputs changed meanwhile. Run the command again.`);
          failedTwice.add(step.name);
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
  await setUp({ level: 'build' });
  process.stdout.write('Everything is built.\n');
}
