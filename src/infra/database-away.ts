/** Whether an error means that there is no database to ask now, rather than that it refused what was asked. */

/** Prisma's: not reached, timed out, closed, no connection or no transaction in time. */
const PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH']);
/** PostgreSQL's own: connection exceptions, insufficient resources, shutting down or starting up. */
const SQLSTATE = /^(08|53|57P)[0-9A-Z]*$/;
/** Of the drivers, which give them no code. PGlite's own is of a transaction that took longer than it may. */
const MESSAGE =
  /^Transaction is closed$|Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

/** PostgreSQL's and the operating system's: the disk is full. */
const DISK_CODES = new Set(['53100', 'ENOSPC']);
const DISK_MESSAGE = /No space left on device|could not extend file|ENOSPC/;
/** A write that failed for it says so for this long. */
const DISK_NOTED_MS = 60_000;

const slot = globalThis as typeof globalThis & { __thresholdDiskFullAt?: number };

/** Whether an error says that the database's disk is full. Remembers it for `sawFullDisk`. */
export function isDiskFull(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error && depth < 6; error = causeOf(error), depth++) {
    const { code, message, originalCode } = error as { code?: unknown; message?: unknown; originalCode?: unknown };
    const coded = [code, originalCode].some((one) => typeof one === 'string' && DISK_CODES.has(one));
    if (coded || (typeof message === 'string' && DISK_MESSAGE.test(message))) {
      slot.__thresholdDiskFullAt = performance.now();
      return true;
    }
  }
  return false;
}

/** Whether a write has failed within the last minute because the database's disk is full. */
export function sawFullDisk(): boolean {
  return performance.now() - (slot.__thresholdDiskFullAt ?? Number.NEGATIVE_INFINITY) < DISK_NOTED_MS;
}

export function isDatabaseAway(thrown: unknown): boolean {
  if (isDiskFull(thrown)) return true;
  for (let error = thrown, depth = 0; error && depth < 6; error = causeOf(error), depth++) {
    const { code, message, originalCode } = error as { code?: unknown; message?: unknown; originalCode?: unknown };
    for (const one of [code, originalCode]) {
      if (typeof one === 'string' && (PRISMA.has(one) || SOCKET.has(one) || SQLSTATE.test(one))) return true;
    }
    if (typeof message === 'string' && MESSAGE.test(message)) return true;
  }
  return false;
}

/** What an error was made of: its cause, or what Prisma's driver adapter said. */
function causeOf(error: unknown): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return cause ?? meta?.driverAdapterError;
}
