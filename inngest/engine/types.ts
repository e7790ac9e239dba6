/**
 * Types of the engine's interface: its options, its events, and the runs that it reports to
 * operators.
 */

/**
 * Access to PostgreSQL. Parameters are `$1`, `$2` and so on, each with a cast in the SQL. Values
 * are strings, numbers or null. Transactions are READ COMMITTED and contain only SQL.
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
   * The URL that the handler considers its own, for example `http://localhost:3000/api/inngest`.
   */
  serve_url: string;
  /** The client's signing key: hex, optionally with the SDK's `signkey-…-` prefix. */
  signing_key: string;
  event_key: string;
  clock: { now(): Date };
  logger: EngineLogger;
  /** Maximum number of concurrent function calls in this process. Default 16. */
  concurrency?: number;
  /** Milliseconds between polls for work that other processes created. Default 1000. */
  poll_ms?: number;
  /**
   * Milliseconds after which a process loses its jobs unless it renews their leases. Default 30000.
   */
  lease_ms?: number;
  /**
   * Time limit of a call in milliseconds. A longer call counts as a failed attempt. Default 900000.
   */
  call_timeout_ms?: number;
  /** Milliseconds that stop() waits for running calls. Default 10000. */
  drain_ms?: number;
  /**
   * Set when no other process can use this database, as with the embedded database. start() then
   * releases all leases at once, because they belong to a killed process. Default false.
   */
  exclusive?: boolean;
  /** The id of this process in lease tokens, for `endLeasesOf`. */
  holder?: string;
  /**
   * Returns the milliseconds to wait after the given number of failed attempts (1 or more).
   * Default:
   * computeBackoffMs.
   */
  backoff?: (failed_attempts: number) => number;
}

/**
 * An event as the application sends it. `ts` is in Unix milliseconds. A `ts` in the future delays
 * the functions that the event triggers.
 */
export interface EngineEventInput {
  id?: string;
  name: string;
  data?: Record<string, unknown>;
  ts?: number;
  v?: string;
  [field: string]: unknown;
}

/** An event as functions receive it. */
export interface EngineEvent extends EngineEventInput {
  id: string;
  data: Record<string, unknown>;
  ts: number;
}

export interface SerializedError {
  name: string;
  message: string;
  stack?: string;
  [field: string]: unknown;
}
