/** The types of the engine's interface: its options, its events and what it shows to operators. */

/**
 * PostgreSQL access: `$1` parameters, each cast in the SQL, and only strings, numbers and null as
 * values. A transaction is READ COMMITTED and contains nothing but SQL.
 */
export interface SqlDb {
  query<T>(sql: string, params: unknown[]): Promise<T[]>;
  /** Returns the number of changed rows. */
  execute(sql: string, params: unknown[]): Promise<number>;
  transaction<T>(fn: (tx: SqlDb) => Promise<T>): Promise<T>;
}

export interface EngineLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EngineOptions {
  db: SqlDb;
  /** The SDK's serve handler, called in process. */
  handler: (request: Request) => Promise<Response>;
  /**
   * The URL at which the handler assumes to be served, for example
   * `http://localhost:3000/api/inngest`.
   */
  serve_url: string;
  /** The client's signing key: hex, optionally with the SDK's `signkey-…-` prefix. */
  signing_key: string;
  event_key: string;
  clock: { now(): Date };
  logger: EngineLogger;
  /** Maximum function calls in flight in this process. Default 16. */
  concurrency?: number;
  /** Interval of the search for other processes' work. Default 1000. */
  poll_ms?: number;
  /** How long a process that stopped renewing keeps its jobs. Default 30000. */
  lease_ms?: number;
  /** A call that takes longer counts as a failed attempt. Default 900000. */
  call_timeout_ms?: number;
  /** How long stop() waits for calls in flight. Default 10000. */
  drain_ms?: number;
  /**
   * No other process uses this database, as with the embedded one. Leases of a killed process are
   * then released at start() instead of when they expire. Default false.
   */
  exclusive?: boolean;
  /** The id of this process in the database, for `endLeasesOf`. */
  holder?: string;
  /**
   * Milliseconds to wait after the given number of failed attempts (1 or more). Default: backoffMs.
   */
  backoff?: (failed_attempts: number) => number;
}

/**
 * An event as sent. `ts` is in Unix milliseconds. A time in the future delays the functions that it
 * triggers.
 */
export interface EventInput {
  id?: string;
  name: string;
  data?: Record<string, unknown>;
  ts?: number;
  v?: string;
  [field: string]: unknown;
}

/** An event as functions receive it. */
export interface EngineEvent extends EventInput {
  id: string;
  data: Record<string, unknown>;
  ts: number;
}

export interface JsonError {
  name: string;
  message: string;
  stack?: string;
  [field: string]: unknown;
}
