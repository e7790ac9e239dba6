/**
 * The processes that work on this database. Each has a row while it lives, and marks what it takes in hand with a token
 * that begins with its id. Whoever finds one dead removes its row, and from then on nobody holds what it held: a
 * predecessor's is free at once, another machine's after half a minute. Life is judged by rows that change and by this
 * process's own stopwatch, never by comparing the clocks of two machines.
 */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { config } from '@/config';
import { Prisma } from '@/generated/prisma/client';
import { clock } from '@/shared/clock';
import { systemDb } from '../db/client';
import { logger } from '../logger';
import { isRunning, ownIdentity, type ProcessIdentity, sameMachine } from './process-identity';

const BEAT_MS = 5_000;
/** With the look every five seconds, what a dead process held is free after thirty. */
const DEAD_AFTER_MS = 25_000;

const slot = globalThis as typeof globalThis & { __thresholdProcess?: string };

/** This process, for both module copies. */
export function processId(): string {
  slot.__thresholdProcess ??= randomUUID();
  return slot.__thresholdProcess;
}

/** A token for what is taken in hand. */
export const holderToken = (): string => `${processId()}:${randomUUID()}`;

/** A condition on a column of tokens: somebody held it who is dead. */
export const heldByTheDead = (column: string): Prisma.Sql => {
  const token = Prisma.raw(column);
  return Prisma.sql`${token} IS NOT NULL AND NOT EXISTS (SELECT 1 FROM processes WHERE processes.id = split_part(${token}, ':', 1))`;
};

export interface JoinOptions {
  /** No other process can have this database open. */
  exclusive: boolean;
  /** Frees what dead processes held (heldByTheDead). Called once at the start, and for each death found. */
  free(dead: readonly string[]): Promise<void>;
  beat_ms?: number;
  dead_after_ms?: number;
}

export interface Membership {
  /** Those found dead at the start. */
  readonly buried: readonly string[];
  leave(): Promise<void>;
}

interface Row extends ProcessIdentity {
  id: string;
  place: string;
  beat: number;
}

/** Enters this process and frees what its predecessors held. Until `leave`, it watches the others. */
export async function joinProcesses(options: JoinOptions): Promise<Membership> {
  const { exclusive, free, beat_ms = BEAT_MS, dead_after_ms = DEAD_AFTER_MS } = options;
  const me = { ...ownIdentity(), place: config().port === 0 ? '' : `${hostname()}:${config().port}` };
  const seen = new Map<string, { beat: number; at: number }>();
  let looked_at = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let watching: Promise<void> | null = null;

  async function beat(): Promise<void> {
    // One that was taken for dead while it hung is entered again; what it held has other owners by now.
    await systemDb().$executeRaw(Prisma.sql`
      INSERT INTO processes (id, pid, start, place, beat, started_at)
      VALUES (${processId()}, ${me.pid}::int, ${me.start}::text, ${me.place}, 0, ${clock().now().toISOString()}::timestamptz)
      ON CONFLICT (id) DO UPDATE SET beat = processes.beat + 1`);
  }

  async function findDead(): Promise<string[]> {
    const rows = await systemDb().$queryRaw<Row[]>(
      Prisma.sql`SELECT id, pid, start, place, beat FROM processes WHERE id <> ${processId()}`,
    );
    const now = performance.now();
    // After a gap (no database, a machine asleep) nobody's silence means anything yet.
    if (now - looked_at > dead_after_ms / 2) seen.clear();
    looked_at = now;
    return rows.filter((row) => exclusive || isGone(row, now)).map(({ id }) => id);
  }

  function isGone(row: Row, now: number): boolean {
    const running = isRunning(row);
    if (running === 'no') return true;
    // Its place on this machine is ours: a container that was started again.
    if (running !== 'yes' && me.place !== '' && row.place === me.place && sameMachine(row, me)) return true;
    const last = seen.get(row.id);
    if (last?.beat !== row.beat) seen.set(row.id, { beat: row.beat, at: now });
    return last?.beat === row.beat && now - last.at >= dead_after_ms;
  }

  async function watch(): Promise<void> {
    await beat();
    const dead = await findDead();
    if (dead.length === 0) return;
    await bury(dead);
    logger().warn({ processes: dead.length }, 'processes have died; what they held is free');
  }

  async function bury(dead: readonly string[]): Promise<void> {
    if (dead.length > 0) await systemDb().process.deleteMany({ where: { id: { in: [...dead] } } });
    for (const id of dead) seen.delete(id);
    await free(dead);
  }

  await beat();
  const buried = await findDead();
  await bury(buried);
  if (!exclusive) {
    timer = setInterval(() => {
      watching ??= watch()
        .catch((error) => logger().error({ err: error }, 'this process could not tell the others that it lives'))
        .finally(() => {
          watching = null;
        });
    }, beat_ms).unref();
  }
  return {
    buried,
    async leave() {
      clearInterval(timer);
      await watching;
      await systemDb().process.deleteMany({ where: { id: processId() } });
    },
  };
}

/** What a process knows of its dealings with a real Inngest server. */
export interface ServerContact {
  called_at: Date | null;
  call_refused_at: Date | null;
  send_failed_at: Date | null;
  send_error: string | null;
  durable_problem: string | null;
}

/** Stores it with this process's row, for the other processes and the operator's commands. */
export async function saveServerContact(contact: ServerContact): Promise<void> {
  const { send_error, durable_problem } = contact;
  await systemDb().process.updateMany({
    where: { id: processId() },
    data: {
      ...contact,
      send_error: send_error?.slice(0, 500) ?? null,
      durable_problem: durable_problem?.slice(0, 500) ?? null,
    },
  });
}

/** The newest of every moment over all processes, with what this or another process says is wrong. */
export async function readServerContact(): Promise<ServerContact> {
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
