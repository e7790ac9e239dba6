/**
 * Builds the dashboard while the server already runs, because `/v1` and the guest pages do not need
 * the build (src/next-pages.ts).
 */
import { isStepUpToDate, runAndRecordInputs } from './fingerprint.mjs';
import { formatDuration } from './progress.mjs';
import { withSetupLock } from './setup-lock.mjs';
import { listPendingBuildSteps } from './steps.mjs';

/** The global symbol under which src/next-pages.ts reads the build's state. */
const BUILD = Symbol.for('threshold.dashboard-build');
// Matches colour codes, which a page cannot show.
const COLOUR = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

/**
 * Starts the build if a step is out of date. The server can read the build's state. Prints the
 * outcome on `stream`.
 */
export function startDashboardBuild(stream, pending = listPendingBuildSteps({ level: 'build', dev: false })) {
  const [[step] = []] = pending;
  if (!step) return;
  let line = '';
  let stopped = false;
  const began = Date.now();
  const onOutput = (text) => {
    line =
      text
        .replace(COLOUR, '')
        .split('\n')
        .filter((each) => each.trim())
        .at(-1)
        ?.trim() ?? line;
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (stopped = true));
  stream.write(`  … ${step.label} meanwhile; the rest is served already\n`);
  // Another command may have built the dashboard while this one waited for the lock.
  const build = async () => isStepUpToDate(step) || runAndRecordInputs(step, { onOutput, exitOnSignal: false });
  const done = withSetupLock(build, () => {});
  done.then(
    () => stream.write(`  ✓ ${step.label} (${formatDuration(Date.now() - began)})\n`),
    (error) => {
      if (stopped) return;
      process.stderr.write(`${error.output?.trimEnd() ?? ''}\n${error.message}\n`);
      process.stderr.write('The dashboard could not be built. Everything else is served.\n');
    },
  );
  globalThis[BUILD] = { done, began, progress: () => line };
}
