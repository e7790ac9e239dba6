/**
 * Ensures that exactly one process has the embedded database open. A lock is a file
 * `instance-<n>.lock` in DATA_DIR that names the process holding it. Only the file with the highest
 * number counts. To take over the lock of an ended process, a process creates the next number,
 * which the file system grants to only one process. If processes deleted and recreated the old file
 * instead, two of them could both succeed.
 */
import { link, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { canReachOperatorSocket } from '../operator-socket';
import { getOwnProcessIdentity, getProcessLiveness, type ProcessIdentity } from './process-identity';

export interface InstanceLock {
  release(): Promise<void>;
}

/** A `server` holds the lock while it runs, a `command` during one operator command. */
export type InstanceLockPurpose = 'server' | 'command';

interface LockRecord extends ProcessIdentity {
  readonly purpose: InstanceLockPurpose;
  readonly released: boolean;
}

/** Thrown when another process has the data directory open. */
export class DataDirInUseError extends Error {
  constructor(
    readonly data_dir: string,
    readonly pid: number,
    readonly purpose: InstanceLockPurpose,
  ) {
    const who = purpose === 'server' ? 'another Threshold server' : 'an operator command';
    super(
      `${data_dir} is in use by ${who} (process ${pid}). ` +
        'Only one process can have the embedded database open: stop that one first, or set another DATA_DIR (and PORT).',
    );
    this.name = 'DataDirInUseError';
  }
}

/**
 * How long a new lock is valid before its socket answers. Only used where the system cannot report
 * whether the lock's process is alive.
 */
const STARTING_MS = 20_000;
const NAME = /^instance-(\d+)\.lock$/;

const fileOf = (data_dir: string, number: number) => join(data_dir, `instance-${number}.lock`);

async function lockNumbers(data_dir: string): Promise<number[]> {
  const names = await readdir(data_dir);
  return names.flatMap((name) => NAME.exec(name)?.slice(1).map(Number) ?? []).sort((a, b) => b - a);
}

async function readRecord(file: string): Promise<LockRecord | 'gone' | 'unreadable'> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as LockRecord;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : 'unreadable';
  }
}

/**
 * Creates the file with its content in one step, so that no process reads a partial lock. Returns
 * false when it exists.
 */
async function createWhole(file: string, record: LockRecord): Promise<boolean> {
  const scratch = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  await writeFile(scratch, JSON.stringify(record), { mode: 0o600 });
  try {
    await link(scratch, file);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EEXIST') return false;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EACCES') throw error;
    return createWithoutLinks(file, record);
  } finally {
    await rm(scratch, { force: true });
  }
}

/** Creates the file on file systems without hard links. */
async function createWithoutLinks(file: string, record: LockRecord): Promise<boolean> {
  try {
    await writeFile(file, JSON.stringify(record), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeld(data_dir: string, file: string, record: LockRecord): Promise<boolean> {
  if (record.released) return false;
  const running = getProcessLiveness(record);
  if (running !== 'unknown') return running === 'yes';
  if (await canReachOperatorSocket(data_dir)) return true;
  const age_ms = Date.now() - (await stat(file)).mtimeMs;
  return age_ms < STARTING_MS;
}

/**
 * Tries once to take the lock. Returns the number of the new lock, or the record of the current
 * holder. Returns null when another process interfered, and the caller should try again.
 */
async function tryTake(data_dir: string, purpose: InstanceLockPurpose): Promise<number | LockRecord | null> {
  const highest = (await lockNumbers(data_dir))[0] ?? 0;
  if (highest > 0) {
    const file = fileOf(data_dir, highest);
    const record = await readRecord(file);
    if (record === 'gone') return null;
    if (record === 'unreadable') {
      // The file is being written on a file system without links, or is incomplete after a power
      // failure.
      const age_ms = Date.now() - (await stat(file)).mtimeMs;
      if (age_ms < 2000) return null;
    } else if (await isHeld(data_dir, file, record)) {
      return record;
    }
  }
  const mine = highest + 1;
  if (!(await createWhole(fileOf(data_dir, mine), { ...getOwnProcessIdentity(), purpose, released: false })))
    return null;
  const numbers = await lockNumbers(data_dir);
  if (numbers[0] !== mine) {
    // Another process has created a lock file with a higher number in the meantime. Only the lock
    // with the highest number counts.
    await rm(fileOf(data_dir, mine), { force: true });
    return null;
  }
  for (const number of numbers.slice(1)) await rm(fileOf(data_dir, number), { force: true });
  return mine;
}

/**
 * Locks the data directory for this process, and creates the directory when needed. Takes over the
 * lock of a killed process. Waits up to `wait_ms` for an operator's command to end. Throws
 * DataDirInUseError when the directory stays locked.
 */
export async function acquireInstanceLock(
  directory: string,
  { purpose = 'server', wait_ms = 20_000 }: { purpose?: InstanceLockPurpose; wait_ms?: number } = {},
): Promise<InstanceLock> {
  const data_dir = resolve(directory);
  await assertWritable(data_dir);
  const deadline = Date.now() + wait_ms;
  for (;;) {
    const outcome = await tryTake(data_dir, purpose);
    if (typeof outcome === 'number') return { release: () => release(data_dir, outcome, purpose) };
    if (outcome && (outcome.purpose === 'server' || Date.now() > deadline)) {
      throw new DataDirInUseError(data_dir, outcome.pid, outcome.purpose);
    }
    await sleep(outcome ? 100 : 20);
  }
}

/**
 * Creates the folder when it is missing. Throws a message for the operator when it is not writable.
 */
async function assertWritable(data_dir: string): Promise<void> {
  try {
    await mkdir(data_dir, { recursive: true, mode: 0o700 });
    const probe = join(data_dir, `probe-${process.pid}`);
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `DATA_DIR: has to be a folder that this process may write; it is “${data_dir}” (${code ?? message})`,
    );
  }
}

/** Releases the lock. Its file is kept, because the next lock continues from its number. */
async function release(data_dir: string, number: number, purpose: InstanceLockPurpose): Promise<void> {
  const record: LockRecord = { ...getOwnProcessIdentity(), purpose, released: true };
  await writeFile(fileOf(data_dir, number), JSON.stringify(record), { mode: 0o600 });
}
