import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  callOperatorSocket,
  canReachOperatorSocket,
  OperatorSocketUnavailableError,
  startOperatorSocket,
} from './operator-socket';

let data_dir: string;

beforeEach(async () => {
  data_dir = await mkdtemp(join(tmpdir(), 'threshold-'));
});
afterEach(() => rm(data_dir, { recursive: true, force: true }));

const recordedPath = async (directory = data_dir) =>
  (await readFile(join(directory, 'operator-socket'), 'utf8')).trim();

test('a command is executed and its result returned', async () => {
  const socket = await startOperatorSocket<{ n: number }>(data_dir, async ({ n }) => ({ twice: n * 2, text: 'ä\n' }));
  expect(await callOperatorSocket(data_dir, { n: 21 })).toEqual({ twice: 42, text: 'ä\n' });
  await socket.close();
});

test('an error is returned as its message', async () => {
  const socket = await startOperatorSocket(data_dir, async () => {
    throw new Error('There is no team x.');
  });
  await expect(callOperatorSocket(data_dir, {})).rejects.toThrow('There is no team x.');
  await socket.close();
});

test('responses larger than a packet arrive whole', async () => {
  const text = 'x'.repeat(700_000);
  const socket = await startOperatorSocket<string>(data_dir, async (command) => command);
  expect(await callOperatorSocket(data_dir, text)).toBe(text);
  await socket.close();
});

test('only the owner can open the socket', async () => {
  const socket = await startOperatorSocket(data_dir, async () => null);
  expect((await stat(await recordedPath())).mode & 0o777).toBe(0o600);
  await socket.close();
});

test('without a server the call fails with a clear message', async () => {
  await expect(callOperatorSocket(data_dir, {})).rejects.toThrow(OperatorSocketUnavailableError);
  await writeFile(join(data_dir, 'operator-socket'), join(data_dir, 'operator.sock'));
  await expect(callOperatorSocket(data_dir, {})).rejects.toThrow(OperatorSocketUnavailableError);
  expect(await canReachOperatorSocket(data_dir)).toBe(false);
});

test('leftovers of a killed server are replaced, and no other file in the data directory is touched', async () => {
  await writeFile(join(data_dir, 'operator.sock'), 'left behind');
  await writeFile(join(data_dir, 'operator-socket'), join(data_dir, 'operator.sock'));
  await writeFile(join(data_dir, 'app-secret'), 'kept');
  const socket = await startOperatorSocket(data_dir, async () => 'ok');
  expect(await callOperatorSocket(data_dir, {})).toBe('ok');
  await socket.close();
  expect(await readFile(join(data_dir, 'app-secret'), 'utf8')).toBe('kept');
  expect(await canReachOperatorSocket(data_dir)).toBe(false);
});

test('a data directory whose path is too long for a socket works, and closing removes the socket’s folder', async () => {
  const deep = join(data_dir, 'd'.repeat(120));
  await mkdir(deep);
  const socket = await startOperatorSocket(deep, async () => 'ok');
  const path = await recordedPath(deep);
  expect(Buffer.byteLength(path)).toBeLessThan(104);
  expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  expect(await callOperatorSocket(deep, {})).toBe('ok');
  await socket.close();
  await expect(stat(dirname(path))).rejects.toThrow('ENOENT');
});

test('closing waits for a running command, but not for a silent client', async () => {
  let finish = () => {};
  const started = new Promise<void>((begun) => {
    void startOperatorSocket(data_dir, async () => {
      begun();
      await new Promise<void>((done) => {
        finish = done;
      });
      return 'done';
    }).then(async (socket) => {
      closeIt = socket.close;
      ready();
    });
  });
  let closeIt = async () => {};
  let ready = () => {};
  await new Promise<void>((done) => {
    ready = done;
  });
  const silent = connect(await recordedPath());
  silent.on('error', () => {});
  const answer = callOperatorSocket(data_dir, {});
  await started;
  let closed = false;
  const closing = closeIt().then(() => {
    closed = true;
  });
  await new Promise((done) => setTimeout(done, 50));
  expect(closed).toBe(false);
  finish();
  expect(await answer).toBe('done');
  await closing;
});
