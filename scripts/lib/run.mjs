/**
 * Runs child processes, either in this terminal or quietly. The output of a quiet process is shown
 * only on failure.
 */
import { spawn } from 'node:child_process';
import { PROJECT_ROOT } from './project.mjs';

const KEPT_OUTPUT = 200_000;

/** Environment variables of every child process. They disable telemetry and prompts. */
export const quietEnvironment = {
  NEXT_TELEMETRY_DISABLED: '1',
  CHECKPOINT_DISABLE: '1',
  PRISMA_HIDE_UPDATE_MESSAGE: '1',
  NPM_CONFIG_UPDATE_NOTIFIER: 'false',
};

/** Thrown when a command fails. Contains the command's output. */
export class CommandFailed extends Error {
  constructor(command, code, output) {
    super(`${command} failed (${code}).`);
    this.output = output;
  }
}

/**
 * Runs a command and passes its output only to `onOutput`. Rejects with CommandFailed, which
 * contains the output. A signal to this process ends the command and then this process, unless
 * `exitOnSignal` is false.
 */
export function runQuietly(command, args, { env = {}, shell = false, onOutput, exitOnSignal = true } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: PROJECT_ROOT,
      env: { ...process.env, ...quietEnvironment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell,
    });
    let output = '';
    const keep = (chunk) => {
      output = (output + chunk).slice(-KEPT_OUTPUT);
      onOutput?.(String(chunk));
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    // Ends the command on a signal. An install that keeps running would block the next one.
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
      if (interrupted && exitOnSignal) process.exit(interrupted === 'SIGINT' ? 130 : 143);
      if (code === 0) resolve(output);
      else reject(new CommandFailed([command, ...args].join(' '), code ?? signal, output));
    });
  });
}

/**
 * Runs a command in this terminal and resolves to its exit code. Passes the first SIGINT and
 * SIGTERM on to the command.
 */
export function runInTerminal(command, args, { env = {} } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: PROJECT_ROOT,
      env: { ...process.env, ...quietEnvironment, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    // A terminal sends Ctrl-C to the whole process group. Only signals that reach this process
    // alone are passed on.
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

/**
 * Returns the npm that runs this process, or the npm on the PATH: `[command, leading arguments,
 * needs a shell]`.
 */
export function findNpmCommand() {
  const script = process.env.npm_execpath;
  if (script && /\.[cm]?js$/.test(script)) return { command: process.execPath, leading: [script], shell: false };
  return { command: 'npm', leading: [], shell: process.platform === 'win32' };
}
