/** Detects errors that mean that the database is unavailable, as opposed to errors of a query. */

/** Prisma's codes for an unreachable or closed database, and for timeouts. */
const PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
const SOCKET = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE', 'EHOSTUNREACH']);
/**
 * PostgreSQL's codes for connection errors, insufficient resources, and a server that is starting
 * or stopping.
 */
const SQLSTATE = /^(08|53|57P)[0-9A-Z]*$/;
/**
 * Matches the messages of driver errors without a code. The first alternative is PGlite's message
 * for a transaction that exceeded its time limit.
 */
const MESSAGE =
  /^Transaction is closed$|Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error/;

/** Codes of PostgreSQL and the operating system for a full disk. */
const DISK_CODES = new Set(['53100', 'ENOSPC']);
const DISK_MESSAGE = /No space left on device|could not extend file|ENOSPC/;
/** The time for which `hasRecentDiskFullError` reports a failed write. */
const DISK_NOTED_MS = 60_000;

const slot = globalThis as typeof globalThis & { __thresholdDiskFullAt?: number };

/**
 * Returns whether an error means that the database's disk is full. Records the time for
 * `hasRecentDiskFullError`.
 */
export function isDiskFullError(thrown: unknown): boolean {
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

/**
 * Returns whether a write has failed within the last minute because the database's disk is full.
 */
export function hasRecentDiskFullError(): boolean {
  return performance.now() - (slot.__thresholdDiskFullAt ?? Number.NEGATIVE_INFINITY) < DISK_NOTED_MS;
}

export function isDatabaseUnavailableError(thrown: unknown): boolean {
  if (isDiskFullError(thrown)) return true;
  for (let error = thrown, depth = 0; error && depth < 6; error = causeOf(error), depth++) {
    const { code, message, originalCode } = error as { code?: unknown; message?: unknown; originalCode?: unknown };
    for (const one of [code, originalCode]) {
      if (typeof one === 'string' && (PRISMA.has(one) || SOCKET.has(one) || SQLSTATE.test(one))) return true;
    }
    if (typeof message === 'string' && MESSAGE.test(message)) return true;
  }
  return false;
}

/** Returns the error's cause, or the driver adapter's error that a Prisma error contains. */
function causeOf(error: unknown): unknown {
  const { cause, meta } = error as { cause?: unknown; meta?: { driverAdapterError?: unknown } };
  return cause ?? meta?.driverAdapterError;
}
