/**
 * Connects operator commands with a running server on the embedded database, through a socket under
 * DATA_DIR that only the server's user can open. Each request and each answer is one line of JSON.
 * The file `operator-socket` in DATA_DIR contains the socket's path, because some systems limit the
 * path to 104 bytes and Windows uses named pipes.
 */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const MAX_PATH_BYTES = 100;
const MAX_MESSAGE_BYTES = 1024 * 1024;
const CONNECT_MS = 2000;

export type OperatorResponse = { ok: true; result: unknown } | { ok: false; error: string };

export interface OperatorSocket {
  close(): Promise<void>;
}

/** Thrown when no server listens. */
export class OperatorSocketUnavailableError extends Error {
  constructor() {
    super('No server answers on this data directory.');
    this.name = 'OperatorSocketUnavailableError';
  }
}

const recordFile = (data_dir: string) => join(resolve(data_dir), 'operator-socket');

async function choosePath(data_dir: string): Promise<string> {
  if (process.platform === 'win32') return `\\\\.\\pipe\\threshold-${randomBytes(16).toString('hex')}`;
  const path = join(resolve(data_dir), 'operator.sock');
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return path;
  // A directory with mode 0700 prevents other users from replacing the socket.
  return join(await mkdtemp(join(tmpdir(), 'threshold-')), 'operator.sock');
}

async function recordedPath(data_dir: string): Promise<string | null> {
  return readFile(recordFile(data_dir), 'utf8').then(
    (text) => text.trim() || null,
    () => null,
  );
}

/**
 * Removes an unused socket, and the directory created for it if it is empty. The caller holds the
 * instance lock.
 */
async function removeSocket(data_dir: string, path: string | null): Promise<void> {
  if (!path || process.platform === 'win32') return;
  await rm(path, { force: true });
  if (dirname(path) !== resolve(data_dir)) await rmdir(dirname(path)).catch(() => {});
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    // Restricts the socket's mode at its creation, because a later chmod would leave a moment with
    // a wider mode.
    const umask = process.platform === 'win32' ? null : process.umask(0o177);
    server.listen(path, done);
    if (umask !== null) process.umask(umask);
  });
}

/** Reads one line. Rejects when the other side closes before the line ends or sends too much. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = [];
    let size = 0;
    socket.on('data', (chunk: Buffer) => {
      const end = chunk.indexOf(10);
      chunks.push(end < 0 ? chunk : chunk.subarray(0, end));
      size += chunk.length;
      if (end >= 0) done(Buffer.concat(chunks).toString('utf8'));
      else if (size > MAX_MESSAGE_BYTES) fail(new Error('The message is too long.'));
    });
    socket.once('error', fail);
    socket.once('close', () => fail(new Error('The connection was closed before an answer came.')));
  });
}

async function serve<Command>(socket: Socket, execute: (command: Command) => Promise<unknown>): Promise<void> {
  let answer: OperatorResponse;
  try {
    const command = JSON.parse(await readLine(socket)) as Command;
    answer = { ok: true, result: (await execute(command)) ?? null };
  } catch (error) {
    answer = { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
  socket.end(`${JSON.stringify(answer)}\n`);
}

/**
 * Listens for operator commands and passes each to `execute`. `close` waits for running commands.
 * The caller holds the instance lock of `data_dir`.
 */
export async function startOperatorSocket<Command>(
  data_dir: string,
  execute: (command: Command) => Promise<unknown>,
): Promise<OperatorSocket> {
  await removeSocket(data_dir, await recordedPath(data_dir));
  await rm(join(resolve(data_dir), 'operator.sock'), { force: true });
  const path = await choosePath(data_dir);
  const waiting = new Set<Socket>();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('close', () => waiting.delete(socket));
    waiting.add(socket);
    void serve(socket, (command: Command) => {
      waiting.delete(socket);
      return execute(command);
    });
  });
  await listen(server, path);
  if (process.platform !== 'win32') await chmod(path, 0o600);
  await writeFile(recordFile(data_dir), `${path}\n`, { mode: 0o600 });
  return {
    async close() {
      await new Promise<void>((done) => {
        server.close(() => done());
        for (const socket of waiting) socket.destroy();
      });
      await rm(recordFile(data_dir), { force: true });
      await removeSocket(data_dir, path);
    },
  };
}

async function openSocket(data_dir: string): Promise<Socket> {
  const path = await recordedPath(data_dir);
  if (!path) throw new OperatorSocketUnavailableError();
  return new Promise((done, fail) => {
    const socket = connect(path);
    const refuse = () => {
      socket.destroy();
      fail(new OperatorSocketUnavailableError());
    };
    socket.setTimeout(CONNECT_MS, refuse);
    socket.once('error', refuse);
    socket.once('connect', () => {
      socket.off('error', refuse);
      socket.setTimeout(0);
      done(socket);
    });
  });
}

/**
 * Returns whether a server listens. A busy server counts too, because the operating system accepts
 * the connection.
 */
export async function canReachOperatorSocket(data_dir: string): Promise<boolean> {
  try {
    (await openSocket(data_dir)).destroy();
    return true;
  } catch {
    return false;
  }
}

/**
 * Executes a command in the running server. Throws OperatorSocketUnavailableError when none
 * listens, or an error with the server's message.
 */
export async function callOperatorSocket(data_dir: string, command: unknown): Promise<unknown> {
  const socket = await openSocket(data_dir);
  try {
    const line = readLine(socket);
    socket.write(`${JSON.stringify(command)}\n`);
    const answer = JSON.parse(await line) as OperatorResponse;
    if (!answer.ok) throw new Error(answer.error);
    return answer.result;
  } finally {
    socket.destroy();
  }
}
