/**
 * Prints one line per step. On a terminal the line contains a running clock. Otherwise a line is
 * printed at the start, and again at intervals while the step runs.
 */
const SIGN_OF_LIFE_MS = 20_000;

/** Formats a duration: `1.2 s`, `34 s`, `2 min 05 s`. */
export function formatDuration(ms) {
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Runs a step and prints its progress on `stream`. Rethrows its error. */
export async function runStepWithProgress(stream, label, work) {
  const began = Date.now();
  const elapsed = () => formatDuration(Date.now() - began);
  const live = stream.isTTY && !process.env.CI;
  const draw = (mark, end) => stream.write(`\r\x1b[2K  ${mark} ${label} ${elapsed()}${end}`);
  if (live) draw('…', '');
  else stream.write(`  … ${label}\n`);
  const timer = live
    ? setInterval(() => draw('…', ''), 200)
    : setInterval(() => stream.write(`  … ${label}, ${elapsed()} so far\n`), SIGN_OF_LIFE_MS);
  const finish = (mark) => {
    clearInterval(timer);
    if (live) draw(mark, '\n');
    else stream.write(`  ${mark} ${label} (${elapsed()})\n`);
  };
  try {
    const result = await work();
    finish('✓');
    return result;
  } catch (error) {
    finish('✗');
    throw error;
  }
}
