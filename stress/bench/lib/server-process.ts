/** Starts a server as a separate process and waits until it responds. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../../../src/testing/server';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const READY_MS = 120_000;

export interface BenchServer {
  readonly name: 'product' | 'baseline' | 'usual';
  readonly url: string;
  /**
   * Processor time in milliseconds of all the server's threads so far. Null on systems other than
   * Linux, which do not report it.
   */
  cpu_ms(): number | null;
  stop(): Promise<void>;
}

/**
 * Starts a server. `script` is a TypeScript file, or a folder that Next has built. `profile_dir` is
 * the folder for CPU profiles of the whole run. One profile per thread is written when the server
 * stops.
 */
export async function startServer(
  name: BenchServer['name'],
  script: string,
  environment: Record<string, string>,
  profile_dir?: string,
): Promise<BenchServer> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const profile = profile_dir ? ['--cpu-prof', '--cpu-prof-dir', profile_dir] : [];
  const program = script.endsWith('.ts')
    ? ['--import', 'tsx', script]
    : ['node_modules/next/dist/bin/next', 'start', script, '--port', String(port)];
  const child = spawn(process.execPath, [...profile, ...program], {
    cwd: ROOT,
    // The caller's environment is not passed on, so that all servers run as in production.
    env: { PATH: process.env.PATH, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-8_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const onExit = () => child.kill('SIGKILL');
  process.once('exit', onExit);
  await untilReady(`${url}/healthz`, child, () => output);
  return {
    name,
    url,
    cpu_ms: () => cpuTimeOf(child.pid),
    async stop() {
      process.off('exit', onExit);
      if (child.exitCode !== null) throw new Error(`The ${name} ended by itself:\n${output}`);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * Returns the sum of user and system time. Linux reports them in hundredths of a second, in fields
 * 14 and 15.
 */
function cpuTimeOf(pid: number | undefined): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended at once:\n${output()}`);
    if ((await fetch(url).catch(() => null))?.ok) return;
    if (Date.now() > deadline) throw new Error(`The server did not become ready:\n${output()}`);
    await sleep(100);
  }
}
