/**
 * Provides a PostgreSQL server for one run of a benchmark: the system's programs on a temporary
 * directory, or a separate database on the server in DATABASE_URL. It has default settings with
 * fsync on, so that commits are as expensive as in production.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '../../../src/testing/server';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql';
const READY_MS = 30_000;

export interface BenchDatabase {
  readonly url: string;
  readonly version: string;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server or uses the given one. Throws an error with instructions when neither
 * is possible.
 */
export async function startOrConnectBenchPostgres(): Promise<BenchDatabase> {
  const given = process.env.DATABASE_URL;
  if (given) return borrow(given);
  const bin = systemBinaries();
  if (!bin) {
    throw new Error('No PostgreSQL: install the server (Debian: postgresql) or name one in DATABASE_URL.');
  }
  return startOwn(bin);
}

/** Returns the folder with the programs of the newest installed server. */
function systemBinaries(): string | null {
  if (!existsSync(INSTALLED)) return null;
  const versions = readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a));
  return (
    versions.map((version) => join(INSTALLED, version, 'bin')).find((dir) => existsSync(join(dir, 'initdb'))) ?? null
  );
}

/** Returns the user of PostgreSQL's package, because PostgreSQL refuses to run as root. */
function serverUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function startOwn(bin: string): Promise<BenchDatabase> {
  const user = serverUser();
  const directory = await mkdtemp(join(tmpdir(), 'threshold-bench-pg-'));
  await chmod(directory, 0o700);
  if (user.uid !== undefined && user.gid !== undefined) await chown(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'bench', '-A', 'trust', '-E', 'UTF8', '--locale=C'], {
    ...user,
    cwd: directory,
  });
  const port = await findFreePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', directory];
  const child = spawn(join(bin, 'postgres'), args, { ...user, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-4_000);
  });
  const onExit = () => child.kill('SIGQUIT');
  process.once('exit', onExit);
  const url = `postgresql://bench@127.0.0.1:${port}/postgres`;
  const version = await untilReady(url, child, () => log);
  return {
    url,
    version,
    async stop() {
      process.off('exit', onExit);
      const ended = once(child, 'exit');
      child.kill('SIGINT');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, child: ChildProcess, log: () => string): Promise<string> {
  const deadline = Date.now() + READY_MS;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended at once:\n${log()}`);
    const version = await versionOf(url).catch(() => null);
    if (version) return version;
    if (Date.now() > deadline) throw new Error(`PostgreSQL did not become ready:\n${log()}`);
    await sleep(100);
  }
}

async function versionOf(url: string): Promise<string> {
  return withConnectedPostgresClient(
    url,
    async (client) => (await client.query('show server_version')).rows[0].server_version,
  );
}

/** Creates a separate database on a given server. It is dropped at the end. */
async function borrow(given: string): Promise<BenchDatabase> {
  const name = `threshold_bench_${process.pid}`;
  await withConnectedPostgresClient(given, (client) => client.query(`create database ${name}`));
  const url = new URL(given);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    version: await versionOf(given),
    async stop() {
      await withConnectedPostgresClient(given, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** Opens a connection while `work` runs. */
export async function withConnectedPostgresClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
