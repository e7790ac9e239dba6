/**
 * Runs the real server as a child process, for tests over HTTP. It has a free port, its own data
 * directory, and none of the test's environment. This file uses only Node's own modules, so that
 * any test runner can load it.
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
const OPERATOR = 'build/server/operator.mjs';

/** Returns whether there is a build to serve pages from. */
export const hasNextJsBuild = () => existsSync(join(ROOT, '.next/BUILD_ID'));

export interface TestServerOptions {
  /**
   * Whether to serve the dashboard and Next's other pages too, from the build of `npm run build`.
   */
  with_pages?: boolean;
  /**
   * Whether to run the bundle of `npm run build`, like `npm start`, instead of the sources. The
   * bundle starts faster.
   */
  built?: boolean;
  /** Arguments for node, instead of the server's own file. */
  program?: string[];
  /** Additional environment variables. */
  env?: Record<string, string>;
  /** An existing data directory, which is kept when the server stops. */
  data_dir?: string;
  /** A free port. Default: chosen automatically. */
  port?: number;
}

/** A team to create, on the Pro plan. */
export interface NewTeamDetails {
  name: string;
  email: string;
  password: string;
}

export interface CreatedTeam {
  team: { id: string };
}

export interface TestServer {
  /** `http://localhost:<port>`. The API root is `url` plus `/v1`. */
  readonly url: string;
  readonly data_dir: string;
  /** The server's output since its last start. */
  output(): string;
  /** Runs an operator command and parses its JSON. Rejects with its output on stderr. */
  admin<Result = unknown>(...args: string[]): Promise<Result>;
  /** Runs `admin team create`, with the password on stdin. */
  createTeam(team: NewTeamDetails): Promise<CreatedTeam>;
  /**
   * Sends SIGTERM and resolves to the exit code. Keeps the data directory, so that `restart` can
   * start again.
   */
  stopProcess(): Promise<number | null>;
  /** Sends SIGTERM and resolves to the exit code. Removes the data directory. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL, like a power failure. Keeps the data directory. */
  kill(): Promise<void>;
  /** Starts again on the same port and data directory, after stopping a running process. */
  restart(changes?: Record<string, string>): Promise<void>;
}

/** Returns a TCP port of the loopback interface that is currently free. */
export async function findFreePort(): Promise<number> {
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
    // Tests must not read the operator's own settings.
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

/**
 * Runs an operator command with this text on stdin and parses its JSON. Rejects with its output on
 * stderr.
 */
export function runOperatorCommand<Result>(
  program: string,
  env: NodeJS.ProcessEnv,
  args: readonly string[],
  input = '',
): Promise<Result> {
  return new Promise((done, fail) => {
    const child = execFile(
      process.execPath,
      [join(ROOT, program), ...args],
      { env, cwd: ROOT },
      (error, stdout, stderr) => {
        if (error) fail(new Error(stderr.trim() || error.message));
        else done(JSON.parse(stdout) as Result);
      },
    );
    child.stdin?.end(input);
  });
}

/** Starts a server and waits until it responds. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  if ((options.with_pages && !hasNextJsBuild()) || (options.built && !existsSync(join(ROOT, BUNDLE)))) {
    throw new Error('The product is not built: run `npm run build` first.');
  }
  const data_dir = options.data_dir ?? (await mkdtemp(join(tmpdir(), 'threshold-test-')));
  const port = options.port ?? (await findFreePort());
  const url = `http://localhost:${port}`;
  let env = testEnvironment(port, data_dir, options);
  let output = '';
  let child: ChildProcess;

  const operator = options.built ? OPERATOR : 'scripts/admin.mjs';

  async function start(): Promise<void> {
    output = '';
    const run = options.program ?? (options.built ? [BUNDLE] : ['--import', 'tsx', 'src/server.ts']);
    child = spawn(process.execPath, run, {
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

  // An interrupted test runner must not leave a server running.
  const onExit = () => child?.kill('SIGKILL');
  process.once('exit', onExit);
  await start();

  return {
    url,
    data_dir,
    output: () => output,
    admin: (...args) => runOperatorCommand(operator, env, args),
    createTeam: ({ name, email, password }) =>
      runOperatorCommand(operator, env, ['team', 'create', '--name', name, '--owner-email', email], password),
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
