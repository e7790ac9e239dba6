/**
 * The types of the engine's interface: its options, its events, and the runs that it shows to
 * operators.
 */

/**
 * Access to PostgreSQL. Parameters are `$1`, each with a cast in the SQL, and values are only
 * strings, numbers and null. A transaction is READ COMMITTED and contains only SQL.
 */
export interface SqlDb {
  query<T>(sql: string, params: unknown[]): Promise<T[]>;
  /** Executes a statement and returns the number of changed rows. */
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
  /** Interval at which the engine polls for work of other processes. Default 1000. */
  poll_ms?: number;
  /** Time for which a process that no longer renews its leases keeps its jobs. Default 30000. */
  lease_ms?: number;
  /** Time limit of a call. A longer call counts as a failed attempt. Default 900000. */
  call_timeout_ms?: number;
  /** Time for which stop() waits for calls in flight. Default 10000. */
  drain_ms?: number;
  /**
   * Whether no other process uses this database, as with the embedded one. start() then releases
   * the leases of a killed process at once, and does not wait until they expire. Default false.
   */
  exclusive?: boolean;
  /** The id of this process in the database, for `endLeasesOf`. */
  holder?: string;
  /**
   * Milliseconds to wait after the given number of failed attempts (1 or more). Default:
   * computeBackoffMs.
   */
  backoff?: (failed_attempts: number) => number;
}

/**
 * An event as it is sent. `ts` is in Unix milliseconds. A time in the future delays the functions
 * that it triggers.
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
