import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startOperatorSocket } from '../operator-socket';
import { acquireInstanceLock, DataDirInUseError } from './instance-lock';

const HOLDER = `
  import { acquireInstanceLock } from '@/infra/process/instance-lock';
  const lock = await acquireInstanceLock(process.argv.at(-2), { purpose: process.argv.at(-1) }).catch((error) => {
    console.log('refused ' + error.message);
    process.exit(3);
  });
  console.log('held');
  process.stdin.on('data', async () => { await lock.release(); console.log('released'); process.exit(0); });
`;

let data_dir: string;
let children: ChildProcess[] = [];

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'lock-test-'));
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
  await rm(data_dir, { recursive: true, force: true });
});

function spawnHolder(purpose = 'server') {
  const args = ['--import', 'tsx', '--input-type=module', '-e', HOLDER, data_dir, purpose];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const says = async () => String((await lines.next()).value);
  return { child, says };
}

async function kill(child: ChildProcess) {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const lockFiles = async () => (await readdir(data_dir)).filter((name) => name.startsWith('instance-')).sort();

test('a second server is rejected with a message that names the directory and the process', async () => {
  const holder = spawnHolder();
  expect(await holder.says()).toBe('held');
  const refusal = await acquireInstanceLock(data_dir).catch((error) => error);
  expect(refusal).toBeInstanceOf(DataDirInUseError);
  expect(refusal.message).toContain(data_dir);
  expect(refusal.message).toContain(`process ${holder.child.pid}`);
});

test('a released lock can be acquired again, by any process', async () => {
  await (await acquireInstanceLock(data_dir)).release();
  const holder = spawnHolder();
  expect(await holder.says()).toBe('held');
  holder.child.stdin.write('x');
  expect(await holder.says()).toBe('released');
  await (await acquireInstanceLock(data_dir)).release();
});

test('of many processes that find the same dead lock exactly one acquires it', async () => {
  const dead = spawnHolder();
  await dead.says();
  await kill(dead.child);
  const said = await Promise.all(Array.from({ length: 6 }, () => spawnHolder().says()));
  expect(said.filter((line) => line === 'held')).toHaveLength(1);
  expect(said.filter((line) => line.startsWith('refused '))).toHaveLength(5);
}, 60_000);

test('a server waits for a running operator command', async () => {
  const command = spawnHolder('command');
  expect(await command.says()).toBe('held');
  const taken = acquireInstanceLock(data_dir);
  setTimeout(() => command.child.stdin.write('x'), 300);
  expect(await command.says()).toBe('released');
  await (await taken).release();
});

test('a server does not wait forever', async () => {
  const command = spawnHolder('command');
  await command.says();
  await expect(acquireInstanceLock(data_dir, { wait_ms: 200 })).rejects.toThrow('an operator command');
});

test('a lock whose pid now belongs to another process does not count', async () => {
  const lock = await acquireInstanceLock(data_dir);
  const file = join(data_dir, 'instance-1.lock');
  const record = JSON.parse(await readFile(file, 'utf8'));
  if (record.start === null) return lock.release();
  await writeFile(file, JSON.stringify({ ...record, start: `${record.start}0` }));
  await expect(acquireInstanceLock(data_dir)).resolves.toBeDefined();
});

test('a holder on another machine counts while its socket responds, and shortly after', async () => {
  const elsewhere = { pid: 1, start: 'another-boot/pid:[1]/5', purpose: 'server', released: false };
  const file = join(data_dir, 'instance-1.lock');
  await writeFile(file, JSON.stringify(elsewhere));
  const old = new Date(Date.now() - 60_000);

  await expect(acquireInstanceLock(data_dir)).rejects.toThrow(DataDirInUseError);
  await utimes(file, old, old);
  const socket = await startOperatorSocket(data_dir, async () => null);
  await expect(acquireInstanceLock(data_dir)).rejects.toThrow(DataDirInUseError);
  await socket.close();
  await (await acquireInstanceLock(data_dir)).release();
});

test('a lock file truncated by a power failure does not block a new server', async () => {
  const file = join(data_dir, 'instance-7.lock');
  await writeFile(file, '{"pid":');
  const old = new Date(Date.now() - 60_000);
  await utimes(file, old, old);
  await (await acquireInstanceLock(data_dir)).release();
  expect(await lockFiles()).toEqual(['instance-8.lock']);
});

test('a data directory that is not writable is rejected with the name of its variable', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'threshold-lock-')), 'a-file');
  await writeFile(file, '');
  await expect(acquireInstanceLock(join(file, 'data'))).rejects.toThrow(
    `DATA_DIR: has to be a folder that this process may write; it is “${join(file, 'data')}” (ENOTDIR)`,
  );
});
