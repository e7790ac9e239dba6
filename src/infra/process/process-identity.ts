/**
 * Identifies a process by more than its pid. Pids are reused, so a lock or record with only a pid
 * could later match an unrelated process.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Identifies one run of a process. `start` is null where the platform offers no cheap way to read
 * it.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * On Linux: the machine's current boot, the pid namespace, and the process's start time in clock
   * ticks.
   */
  readonly start: string | null;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Returns the current boot of this machine and the pid namespace (each container has its own). Null
 * on systems other than Linux.
 */
function pidSpace(): string | null {
  const boot = read('/proc/sys/kernel/random/boot_id');
  try {
    return boot && `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

/**
 * Returns the start time of a process in clock ticks since boot (`/proc/<pid>/stat`, field 22).
 * Null when there is no such process.
 */
function startTicks(pid: number): string | null {
  // The second field is the command in brackets, which may contain spaces and brackets: fields are
  // counted from the last bracket.
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\)\s*/s, '')
    .split(' ');
  // A zombie has ended. Only its exit status remains.
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return null;
  return fields[19] ?? null;
}

export function getOwnProcessIdentity(): ProcessIdentity {
  const space = pidSpace();
  const ticks = startTicks(process.pid);
  return { pid: process.pid, start: space && ticks ? `${space}/${ticks}` : null };
}

/**
 * Returns whether exactly that process is still running. Returns `unknown` when this machine cannot
 * decide: outside Linux a living pid may be another process, and a pid from another container or
 * boot, read from shared storage, has no meaning here.
 */
export function getProcessLiveness(identity: ProcessIdentity): 'yes' | 'no' | 'unknown' {
  if (identity.start) {
    const space = pidSpace();
    if (!space || !identity.start.startsWith(`${space}/`)) return 'unknown';
    return identity.start === `${space}/${startTicks(identity.pid)}` ? 'yes' : 'no';
  }
  try {
    process.kill(identity.pid, 0);
    return 'unknown';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? 'no' : 'unknown';
  }
}

/**
 * Returns whether two processes belong to the same boot of the same machine. False when unknown.
 */
export function isSameMachine(a: ProcessIdentity, b: ProcessIdentity): boolean {
  const boot = (one: ProcessIdentity) => one.start?.split('/')[0];
  return boot(a) !== undefined && boot(a) === boot(b);
}
