/** A PostgreSQL of its own for the tests, where one is installed: a new cluster in a temporary folder, gone afterwards. */
import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where packages put the programs that are not on the path: Debian's, Red Hat's, Homebrew's. */
const FOLDERS = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt', '/usr/local/opt'];
/** PostgreSQL does not run as root: the user that packages make for it, else nobody. */
const NOBODY = 65_534;

function programs() {
  const versions = FOLDERS.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^(postgresql(@\d+)?|\d+)$/.test(name))
      .sort((a, b) => Number(/\d+/.exec(b)?.[0] ?? 0) - Number(/\d+/.exec(a)?.[0] ?? 0))
      .map((name) => join(folder, name, 'bin')),
  );
  const paths = [...(process.env.PATH ?? '').split(delimiter), ...versions];
  return paths.find((path) => path && existsSync(join(path, 'initdb')) && existsSync(join(path, 'pg_ctl')));
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(0, '127.0.0.1', () => {
        const { port } = server.address();
        server.close(() => resolve(port));
      });
  });
}

/** Starts one and gives its URL and how to end it; null when none is installed or it does not start. */
export async function startPostgres() {
  const bin = programs();
  if (!bin) return null;
  const folder = mkdtempSync(join(tmpdir(), 'threshold-postgres-'));
  const root = process.getuid?.() === 0;
  const id = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout) || NOBODY;
  const as = root ? { uid: id('-u'), gid: id('-g') } : {};
  if (root) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const run = (program, ...args) =>
    spawnSync(join(bin, program), args, { ...as, cwd: folder, stdio: 'ignore' }).status === 0;
  const stop = () => {
    run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true, force: true });
  };
  const port = await freePort();
  // Nothing of it is kept: it need not wait for the disk.
  const options = `-p ${port} -k ${folder} -h 127.0.0.1 -c fsync=off -c max_connections=300`;
  const made = run('initdb', '-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  if (!made || !run('pg_ctl', '-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start')) {
    stop();
    return null;
  }
  process.once('exit', stop);
  return { url: `postgres://test@127.0.0.1:${port}/postgres`, stop };
}
