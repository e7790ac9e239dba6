/**
 * Prepares a checkout: installs, generates and builds everything that is out of date. `npm start`,
 * `test`, `demo`, `image` and `admin` call `setUp` first. Developers run this file with `--build`
 * (also `npm run build`) for everything, or with `--packages` for the packages.
 */
import { pathToFileURL } from 'node:url';
import { runAndRecordInputs } from './lib/fingerprint.mjs';
import { runStepWithProgress } from './lib/progress.mjs';
import { CommandFailed } from './lib/run.mjs';
import { withSetupLock } from './lib/setup-lock.mjs';
import { listPendingBuildSteps } from './lib/steps.mjs';

/**
 * Runs the pending steps of `level` (lib/steps.mjs) and shows them on `stream`. If a step fails,
 * shows its output and exits with 1.
 */
export async function setUp({ level, dev = false, stream = process.stdout }) {
  if (listPendingBuildSteps({ level, dev }).length === 0) return;
  try {
    await withSetupLock(
      async () => {
        // The pending steps are determined again after every group, because an install makes later
        // steps out of date. Each step runs only once per command, even if a source is saved in the
        // meantime. The next command then runs the step again.
        const ran = new Set();
        const next = () =>
          listPendingBuildSteps({ level, dev })
            .map((group) => group.filter(({ name }) => !ran.has(name)))
            .find(({ length }) => length > 0);
        for (let group = next(); group; group = next()) {
          if (ran.size === 0) stream.write('Setting up Threshold. The next start skips what is done now.\n');
          for (const { name } of group) ran.add(name);
          const label = group.map((step) => step.label).join('; ');
          await runStepWithProgress(stream, label, () => Promise.all(group.map((step) => runAndRecordInputs(step))));
        }
      },
      () => stream.write('Another command is setting up. Waiting for it.\n'),
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
