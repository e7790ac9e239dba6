/**
 * Ends the server together with the npm process that started it. npm runs scripts through a shell.
 * A signal to npm ends the shell but often not the script. Without this file, a `kill` of `npm
 * start` would leave a server that occupies the port and the database. Does nothing when the server
 * was started without npm.
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
 * Returns npm's pid if a shell runs between npm and this process (Linux). Returns null on other
 * systems, where only the parent process is watched.
 */
function npmBehindShell(shell) {
  if (!read(`/proc/${shell}/cmdline`).includes('scripts/start.mjs')) return null;
  return parentOf(shell);
}

const parentOf = (pid) => /^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? null;

/** Sends SIGTERM to this process when its npm process has ended. */
export function exitWhenNpmExits() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const npm = npmBehindShell(parent);
  const timer = setInterval(() => {
    if (process.ppid === parent && (npm === null || parentOf(parent) === npm)) return;
    clearInterval(timer);
    // Once nothing reads the output, writing to it causes an error, which is ignored.
    process.stdout.on('error', () => {});
    process.stderr.on('error', () => {});
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  timer.unref();
}
