/** The shapes that cross the engine's edges: what it is given, what it stores, what it shows to operators. */

/**
 * PostgreSQL as the engine uses it: `$1` parameters, each cast in the SQL, and only strings, numbers and null as values.
 * A transaction is READ COMMITTED and is never held during anything but SQL.
 */
export interface SqlDb {
  query<T>(sql: string, params: unknown[]): Promise<T[]>;
  /** Returns the number of rows that were changed. */
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
  /** The URL the handler believes it is served at, for example `http://localhost:3000/api/inngest`. */
  serve_url: string;
  /** The client's own: hex, optionally with the SDK's `signkey-…-` prefix. */
  signing_key: string;
  event_key: string;
  clock: { now(): Date };
  logger: EngineLogger;
  /** Calls of functions in flight at once in this process. Default 16. */
  concurrency?: number;
  /** How often work of other processes is looked for. Default 1000. */
  poll_ms?: number;
  /** How long a job stays claimed by a process that stopped renewing. Default 30000. */
  lease_ms?: number;
  /** How long one call may take before it counts as a failed attempt. Default 900000. */
  call_timeout_ms?: number;
  /** How long stop() waits for calls in flight. Default 10000. */
  drain_ms?: number;
  /**
   * Whether no other process works on this database, as on the embedded one. What a killed process left leased is then
   * taken up at start() instead of when the leases run out. Default false.
   */
  exclusive?: boolean;
  /** The process's id among those of the database, for `endLeasesOf`. */
  holder?: string;
  /** Milliseconds to wait after the given number of failed attempts (1 or more). Default: backoffMs. */
  backoff?: (failed_attempts: number) => number;
}

/** An event as a sender gives it. `ts` is in unix milliseconds; in the future it delays the functions it triggers. */
export interface EventInput {
  id?: string;
  name: string;
  data?: Record<string, unknown>;
  ts?: number;
  v?: string;
  [field: string]: unknown;
}

/** An event as functions see it. */
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

export type RunStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
export type StepStatus = 'pending' | 'done' | 'failed' | 'cancelled';

/** One step of a run, for operators. */
export interface StepView {
  id: string;
  name: string;
  op: string;
  status: StepStatus;
  error: JsonError | null;
  created_at: Date;
  ended_at: Date | null;
}

/** One run, for operators. */
export interface RunView {
  id: string;
  function_id: string;
  status: RunStatus;
  event: EngineEvent;
  output: unknown;
  error: JsonError | null;
  /** The last failed attempt's error while the run is still being retried, afterwards the error that ended it. */
  last_error: JsonError | null;
  /** Failed attempts of the work that is next. */
  attempt: number;
  /** When the run does something by itself next; null when it has ended. */
  next_wake_at: Date | null;
  /** Whether a process is working on the run now. */
  in_flight: boolean;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  steps: StepView[];
}

export interface ListRunsInput {
  function_id?: string;
  status?: RunStatus;
  /** 1 to 200. */
  limit: number;
  /** Only runs that the list has after the run with this id. */
  before?: string;
  /** Only runs that the list has before the run with this id: those next to it, in the same order. */
  after?: string;
}
