/**
 * The real server as a child process, for tests over HTTP: a free port, a data directory of its own, nothing taken from
 * the environment of whoever runs the tests. Uses Node's own modules only, so that any test runner can load it.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const READY_MS = 120_000;
const STOP_MS = 20_000;
const BUNDLE = 'build/server/server.mjs';

/** Whether there is a build to serve pages from. */
export const pagesAreBuilt = () => existsSync(join(ROOT, '.next/BUILD_ID'));

export interface TestServerOptions {
  /** Also serve the dashboard and the other pages of Next, from the build that `npm run build` made. */
  with_pages?: boolean;
  /** Run what `npm run build` made, as `npm start` does, and not the sources: it starts faster. */
  built?: boolean;
  /** Variables on top of those below. */
  env?: Record<string, string>;
  /** An existing data directory; it is then kept when the server stops. */
  data_dir?: string;
  /** A port that is free; one is chosen by default. */
  port?: number;
}

export interface TestServer {
  /** `http://localhost:<port>`; the API root is `url` + `/v1`. */
  readonly url: string;
  readonly data_dir: string;
  /** Everything the server printed since the last start. */
  output(): string;
  /** Runs an operator command and gives its JSON. Rejects with what the command printed on stderr. */
  admin<Result = unknown>(...args: string[]): Promise<Result>;
  /** SIGTERM; resolves to the exit code. The data directory stays, and `restart` starts again. */
  stopProcess(): Promise<number | null>;
  /** SIGTERM; resolves to the exit code. Removes the data directory. */
  stop(): Promise<number | null>;
  /** SIGKILL, as a power failure would. The data directory stays. */
  kill(): Promise<void>;
  /** Starts again on the same port and data directory; stops the running process first. */
  restart(changes?: Record<string, string>): Promise<void>;
}

/** A TCP port of the loopback that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  await new Promise((closed) => probe.close(closed));
  if (!address || typeof address === 'string') throw new Error('No port.');
  return address.port;
}

function testEnvironment(port: number, data_dir: string, options: TestServerOptions): NodeJS.ProcessEnv {
  const inherited = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LANG', 'TZ', 'TEST_DATABASE_URL'];
  const kept = inherited.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    // The operator's own settings have no place in a test.
    ENV_FILE: '',
    PORT: String(port),
    HOST: '127.0.0.1',
    APP_URL: `http://localhost:${port}`,
    DATA_DIR: data_dir,
    OUTBOUND_ALLOW_LOOPBACK: '1',
    LOG_LEVEL: 'warn',
    RATE_LIMIT_READ_PER_MINUTE: '100000',
    RATE_LIMIT_WRITE_PER_MINUTE: '100000',
    WEBHOOK_RETRY_DELAYS_S: '1,1,2,2,3,3,4,4,5',
    ...(options.with_pages ? {} : { THRESHOLD_WITHOUT_NEXT: '1' }),
    ...options.env,
  };
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended at once:\n${output()}`);
    const response = await fetch(`${url}/healthz`).catch(() => null);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error(`The server did not become ready:\n${output()}`);
    await sleep(50);
  }
}

function runAdmin<Result>(env: NodeJS.ProcessEnv, args: string[]): Promise<Result> {
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      [join(ROOT, 'scripts/admin.mjs'), ...args],
      { env, cwd: ROOT },
      (error, stdout, stderr) => {
        if (error) fail(new Error(stderr.trim() || error.message));
        else done(JSON.parse(stdout) as Result);
      },
    );
  });
}

/** Starts a server and waits until it answers. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  if ((options.with_pages && !pagesAreBuilt()) || (options.built && !existsSync(join(ROOT, BUNDLE)))) {
    throw new Error('The product is not built: run `npm run build` first.');
  }
  const data_dir = options.data_dir ?? (await mkdtemp(join(tmpdir(), 'threshold-test-')));
  const port = options.port ?? (await freePort());
  const url = `http://localhost:${port}`;
  let env = testEnvironment(port, data_dir, options);
  let output = '';
  let child: ChildProcess;

  async function start(): Promise<void> {
    output = '';
    const program = options.built ? [BUNDLE] : ['--import', 'tsx', 'src/server.ts'];
    child = spawn(process.execPath, program, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    await untilReady(url, child, () => output);
  }

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      await ended;
      clearTimeout(timer);
    }
    return child.exitCode;
  }

  // A test runner that is stopped in the middle must not leave a server behind.
  const onExit = () => child?.kill('SIGKILL');
  process.once('exit', onExit);
  await start();

  return {
    url,
    data_dir,
    output: () => output,
    admin: (...args) => runAdmin(env, args),
    stopProcess: () => end('SIGTERM'),
    async stop() {
      const code = await end('SIGTERM');
      process.off('exit', onExit);
      if (!options.data_dir) await rm(data_dir, { recursive: true, force: true });
      return code;
    },
    async kill() {
      await end('SIGKILL');
    },
    async restart(changes = {}) {
      await end('SIGTERM');
      env = { ...env, ...changes };
      await start();
    },
  };
}
