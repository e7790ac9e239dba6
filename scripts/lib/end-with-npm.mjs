/**
 * Ends the server together with the npm that started it. npm runs scripts through a shell. A signal
 * to npm ends the shell but often not the script, so `kill` of `npm start` would leave the server
 * running with the port and the database. Without npm this file does nothing.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 400;

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Returns npm's pid behind an intermediate shell (Linux). Null on other systems, where only the
 * parent is watched.
 */
function npmBehindShell(shell) {
  if (!read(`/proc/${shell}/cmdline`).includes('scripts/start.mjs')) return null;
  return parentOf(shell);
}

const parentOf = (pid) => /^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? null;

/** Sends SIGTERM to this process when the npm that runs it has ended. */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = npmBehindShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || parentOf(parent) === npm)) return;
    clearInterval(timer);
    // From now on nothing may read the output.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
