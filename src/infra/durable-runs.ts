/**
 * Gives the operator's page access to the runs of the embedded engine. The engine runs in the
 * server's copy of the modules. Next's copy reaches it through globalThis, like the database.
 */
export interface DurableRunError {
  name: string;
  message: string;
  stack?: string;
}

export interface DurableStep {
  id: string;
  name: string;
  /** The SDK's opcode, such as StepRun or Sleep. */
  op: string;
  status: 'pending' | 'done' | 'failed' | 'cancelled';
  error: DurableRunError | null;
  created_at: Date;
  ended_at: Date | null;
}

export interface DurableRun {
  id: string;
  function_id: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  event: { name: string; data: Record<string, unknown>; [field: string]: unknown };
  output: unknown;
  error: DurableRunError | null;
  /**
   * The error of the last failed attempt while the run is retried. After the run has failed, the
   * error that ended it.
   */
  last_error: DurableRunError | null;
  /** Failed attempts of the current step. */
  attempt: number;
  /** The time at which the run continues. Null when it has ended. */
  next_wake_at: Date | null;
  /** Whether a process is working on the run now. */
  in_flight: boolean;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  steps: readonly DurableStep[];
}

export interface DurableRunQuery {
  function_id?: string;
  status?: DurableRun['status'];
  /** Maximum number of runs, from 1 to 200. */
  limit: number;
  /** The id of a run. Only the runs below it in the list are returned. */
  before?: string;
  /** The id of a run. Only the runs immediately above it in the list are returned. */
  after?: string;
}

/** The operator's view of the runs, and actions on them. */
export interface DurableRunController {
  functions(): readonly { id: string }[];
  listRuns(query: DurableRunQuery): Promise<DurableRun[]>;
  retrieveRun(id: string): Promise<DurableRun | null>;
  retryRun(id: string): Promise<boolean>;
  cancelRun(id: string): Promise<boolean>;
}

const slot = globalThis as typeof globalThis & { __thresholdRuns?: DurableRunController; __thresholdDurable?: string };

/**
 * Sets the controller of durable runs when the server's embedded engine starts, or null when the
 * engine stops.
 */
export function setDurableRunController(control: DurableRunController | null): void {
  slot.__thresholdRuns = control ?? undefined;
}

/** Returns the control, or null with a real Inngest server, which has its own interface. */
export function getDurableRunController(): DurableRunController | null {
  return slot.__thresholdRuns ?? null;
}

/** Returns why durable work has stopped, as a sentence for the operator. Null while it runs. */
export function getDurableRunsStoppedReason(): string | null {
  return slot.__thresholdDurable ?? null;
}

export function setDurableRunsStoppedReason(problem: string | null): void {
  slot.__thresholdDurable = problem ?? undefined;
}
