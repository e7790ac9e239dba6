/**
 * Which process is meant, beyond its pid: pids are given out again, so a lock or a record that names only a pid would
 * one day name a stranger.
 */
import { readFileSync, readlinkSync } from 'node:fs';

/** Identifies one run of one process. `start` is null where the platform gives no cheap way to read it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Linux: this boot, the pid namespace and the process's start time in clock ticks. */
  readonly start: string | null;
}

function read(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}

/** This boot of this machine and the namespace its pids are counted in (a container has its own); null off Linux. */
function pidSpace(): string | null {
  const boot = read('/proc/sys/kernel/random/boot_id');
  try {
    return boot && `${boot}/${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return null;
  }
}

/** The start time of a process in clock ticks since boot (`/proc/<pid>/stat`, field 22); null when there is none. */
function startTicks(pid: number): string | null {
  // The second field is the command in brackets and may hold spaces and brackets itself: count from the last one.
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\)\s*/s, '')
    .split(' ');
  // A zombie has ended; only its exit status waits to be read.
  if (!fields || fields[0] === 'Z' || fields[0] === 'X') return null;
  return fields[19] ?? null;
}

/** This process. */
export function ownIdentity(): ProcessIdentity {
  const space = pidSpace();
  const ticks = startTicks(process.pid);
  return { pid: process.pid, start: space && ticks ? `${space}/${ticks}` : null };
}

/**
 * Whether that very process still runs. `unknown` when this machine cannot tell: off Linux a living pid may be
 * another process, and a pid of another container or another boot's lock on shared storage means nothing here.
 */
export function isRunning(identity: ProcessIdentity): 'yes' | 'no' | 'unknown' {
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

/** Whether two processes belong to the same boot of the same machine; false where nothing tells. */
export function sameMachine(a: ProcessIdentity, b: ProcessIdentity): boolean {
  const boot = (one: ProcessIdentity) => one.start?.split('/')[0];
  return boot(a) !== undefined && boot(a) === boot(b);
}
