/**
 * Maintains a row for each live process that uses this database. A process that detects a dead
 * process removes the dead process's row. This releases the leases of the dead process, because the
 * token of a lease begins with the id of its process.
 *
 * A process counts as dead when this machine reports that it has ended, or when its row has not
 * changed for a while. The observer measures this time with its own stopwatch, so that the clocks
 * of two machines are never compared.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { config } from '@/config';
import { Prisma, type Process } from '@/generated/prisma/client';
import { clock } from '@/shared/clock';
import { systemDb } from '../db/client';
import { logger } from '../logger';
import { getOwnProcessIdentity, getProcessLiveness, isSameMachine } from './process-identity';

const BEAT_MS = 5_000;
/**
 * A process whose row has not changed for this long is dead. Rows are checked every five seconds,
 * so its leases are released after thirty seconds.
 */
const DEAD_AFTER_MS = 25_000;

const slot = globalThis as typeof globalThis & { __thresholdProcess?: string };

/** Returns this process's id. The server's and Next's copy of this module share it. */
export function getRegisteredProcessId(): string {
  slot.__thresholdProcess ??= randomUUID();
  return slot.__thresholdProcess;
}

/** Returns a new token for a lease. */
export const createLeaseToken = (): string => `${getRegisteredProcessId()}:${randomUUID()}`;

/**
 * Builds an SQL condition that matches leases of dead processes. `column` is the column of tokens.
 */
export const leasedByDeadProcess = (column: string): Prisma.Sql => {
  const token = Prisma.raw(column);
  return Prisma.sql`${token} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM processes WHERE processes.id = split_part(${token}, ':', 1))`;
};

export interface ProcessRegistrationOptions {
  /** Whether no other process can have this database open. */
  exclusive: boolean;
  /**
   * Releases the leases of dead processes (leasedByDeadProcess). Called at start, and whenever dead
   * processes were found.
   */
  free(dead: readonly string[]): Promise<void>;
  beat_ms?: number;
  dead_after_ms?: number;
}

export interface ProcessRegistration {
  /** Processes that were found dead at the start. */
  readonly deadAtStart: readonly string[];
  leave(): Promise<void>;
}

/**
 * Registers this process and releases the leases of its predecessors. Watches other processes until
 * `leave` is called.
 */
export async function registerThisProcess(options: ProcessRegistrationOptions): Promise<ProcessRegistration> {
  const { exclusive, free, beat_ms = BEAT_MS, dead_after_ms = DEAD_AFTER_MS } = options;
  const me = { ...getOwnProcessIdentity(), place: config().port === 0 ? '' : `${hostname()}:${config().port}` };
  const seen = new Map<string, { beat: number; at: number }>();
  let looked_at = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let watching: Promise<void> | null = null;

  async function beat(): Promise<void> {
    // This process may have been declared dead while it hung. It is then registered again, and its
    // leases may already belong to other processes.
    const id = getRegisteredProcessId();
    await systemDb().process.upsert({
      where: { id },
      create: { ...me, id, started_at: clock().now() },
      update: { beat: { increment: 1 } },
    });
  }

  async function findDead(): Promise<string[]> {
    const rows = await systemDb().process.findMany({ where: { id: { not: getRegisteredProcessId() } } });
    const now = performance.now();
    // If this process itself was paused (no database, a sleeping machine), the elapsed time says
    // nothing about other processes. Their observation starts again.
    if (now - looked_at > dead_after_ms / 2) seen.clear();
    looked_at = now;
    return rows.filter((row) => exclusive || isGone(row, now)).map(({ id }) => id);
  }

  function isGone(row: Process, now: number): boolean {
    const running = getProcessLiveness(row);
    if (running === 'no') return true;
    // A row with the same host name and port on the same machine was written by this container
    // before it restarted.
    if (running !== 'yes' && me.place !== '' && row.place === me.place && isSameMachine(row, me)) return true;
    const last = seen.get(row.id);
    if (last?.beat !== row.beat) seen.set(row.id, { beat: row.beat, at: now });
    return last?.beat === row.beat && now - last.at >= dead_after_ms;
  }

  async function watch(): Promise<void> {
    await beat();
    const dead = await findDead();
    if (dead.length === 0) return;
    await removeProcess(dead);
    logger().warn({ processes: dead.length }, 'processes have died; their leases are released');
  }

  async function removeProcess(dead: readonly string[]): Promise<void> {
    if (dead.length > 0) await systemDb().process.deleteMany({ where: { id: { in: [...dead] } } });
    for (const id of dead) seen.delete(id);
    await free(dead);
  }

  await beat();
  const deadAtStart = await findDead();
  await removeProcess(deadAtStart);
  if (!exclusive) {
    timer = setInterval(() => {
      watching ??= watch()
        .catch((error) => logger().error({ err: error }, 'this process could not record its heartbeat'))
        .finally(() => {
          watching = null;
        });
    }, beat_ms).unref();
  }
  return {
    deadAtStart,
    async leave() {
      clearInterval(timer);
      await watching;
      await systemDb().process.deleteMany({ where: { id: getRegisteredProcessId() } });
    },
  };
}

/** Data about a process's contact with a real Inngest server. */
export interface InngestConnectionStatus {
  called_at: Date | null;
  call_refused_at: Date | null;
  send_failed_at: Date | null;
  send_error: string | null;
  durable_problem: string | null;
}

/**
 * Stores the data about this process's contact with the Inngest server in the process's row, for
 * other processes and the operator's commands.
 */
export async function saveInngestConnectionStatus(contact: InngestConnectionStatus): Promise<void> {
  const { send_error, durable_problem } = contact;
  await systemDb().process.updateMany({
    where: { id: getRegisteredProcessId() },
    data: {
      ...contact,
      send_error: send_error?.slice(0, 500) ?? null,
      durable_problem: durable_problem?.slice(0, 500) ?? null,
    },
  });
}

/**
 * Returns the latest contact times over all processes, and a problem if any process reports one.
 */
export async function readInngestConnectionStatus(): Promise<InngestConnectionStatus> {
  const rows = await systemDb().process.findMany({
    select: { called_at: true, call_refused_at: true, send_failed_at: true, send_error: true, durable_problem: true },
  });
  const newest = (times: (Date | null)[]) =>
    times.reduce((latest, time) => (time && (!latest || time > latest) ? time : latest), null);
  const send_failed_at = newest(rows.map((row) => row.send_failed_at));
  return {
    called_at: newest(rows.map((row) => row.called_at)),
    call_refused_at: newest(rows.map((row) => row.call_refused_at)),
    send_failed_at,
    send_error: rows.find((row) => row.send_failed_at && row.send_failed_at === send_failed_at)?.send_error ?? null,
    durable_problem: rows.find((row) => row.durable_problem)?.durable_problem ?? null,
  };
}
