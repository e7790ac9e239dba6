/** Child processes: quiet ones whose output is shown only when they fail, and ones that share the terminal. */
import { spawn } from 'node:child_process';
import { ROOT } from './project.mjs';

const KEPT_OUTPUT = 200_000;

/** Environment of every child: nothing phones home, nothing waits for an answer. */
export const quietEnvironment = {
  NEXT_TELEMETRY_DISABLED: '1',
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false',
};

/** A command that failed, with what it printed. */
export class CommandFailed extends Error {
  constructor(command, code, output) {
    super(`${command} failed (${code}).`);
    this.output = output;
  }
}

/** Runs a command without showing its output. Rejects with CommandFailed, which carries the output. */
export function runQuietly(command, args, { env = {}, shell = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...quietEnvironment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_OUTPUT);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    // An install that went on alone would be in the way of the next one.
    let interrupted = null;
    const onSignal = (signal) => {
      interrupted = signal;
      child.kill('SIGTERM');
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
      if (interrupted) process.exit(interrupted === 'SIGINT' ? 130 : 143);
      if (code === 0) resolve(output);
      else reject(new CommandFailed([command, ...args].join(' '), code ?? signal, output));
    });
  });
}

/** Runs a command in this terminal and resolves to its exit code. The first SIGINT and SIGTERM are passed on. */
export function runHere(command, args, { env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...quietEnvironment, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    // A Ctrl-C already reaches the whole process group of a terminal: only what came to us alone is passed on.
    const onInterrupt = () => {};
    const onTerminate = () => child.kill('SIGTERM');
    process.on('SIGINT', onInterrupt);
    process.on('SIGTERM', onTerminate);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', onInterrupt);
      process.off('SIGTERM', onTerminate);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

/** The npm that runs us, or the one on the path: `[command, leading arguments, needs a shell]`. */
export function npmCommand() {
  const script = process.env.npm_execpath;
  if (script && /\.[cm]?js$/.test(script)) return { command: process.execPath, leading: [script], shell: false };
  return { command: 'npm', leading: [], shell: process.platform === 'win32' };
}
