/**
 * npm runs a script through a shell, and a signal sent to npm ends the shell but often not what it runs: a `kill` of
 * `npm start` would leave the server behind with the port and the database. So the server ends with the npm that started
 * it. Without npm in between nothing is watched.
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

/** npm's pid when a shell stands in between (Linux); null elsewhere, where only the parent is watched. */
function npmBehindShell(shell) {
  if (!read(`/proc/${shell}/cmdline`).includes('scripts/start.mjs')) return null;
  return parentOf(shell);
}

const parentOf = (pid) => /^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? null;

/** Sends this process SIGTERM when the npm that runs it as a script is gone. */
export function endWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = npmBehindShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || parentOf(parent) === npm)) return;
    clearInterval(timer);
    // Nobody may be reading what is printed from here on.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
