/**
 * The runs of the embedded engine, for the operator's page. The engine lives in the server; Next's copy of the modules
 * reaches it through globalThis, as it does the database.
 */
export interface RunError {
  name: string;
  message: string;
  stack?: string;
}

export interface DurableStep {
  id: string;
  name: string;
  /** The SDK's opcode: StepRun, Sleep. */
  op: string;
  status: 'pending' | 'done' | 'failed' | 'cancelled';
  error: RunError | null;
  created_at: Date;
  ended_at: Date | null;
}

export interface DurableRun {
  id: string;
  function_id: string;
  status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  event: { name: string; [field: string]: unknown };
  output: unknown;
  /** The last failed attempt's, while it is retried; afterwards the one that ended it. */
  last_error: RunError | null;
  /** Failed attempts of the work that is next. */
  attempt: number;
  next_wake_at: Date | null;
  in_flight: boolean;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  steps: readonly DurableStep[];
}

export interface RunQuery {
  function_id?: string;
  status?: DurableRun['status'];
  limit: number;
  /** Only runs that the list has after this one. */
  before?: string;
  /** Only runs that the list has before this one: those next to it, in the same order. */
  after?: string;
}

/** What an operator can see and do. */
export interface RunControl {
  functions(): readonly { id: string }[];
  listRuns(query: RunQuery): Promise<DurableRun[]>;
  retrieveRun(id: string): Promise<DurableRun | null>;
  retryRun(id: string): Promise<boolean>;
  cancelRun(id: string): Promise<boolean>;
}

const slot = globalThis as typeof globalThis & { __thresholdRuns?: RunControl; __thresholdDurable?: string };

/** Called by the server when its engine starts, and with null when it stops. */
export function setRunControl(control: RunControl | null): void {
  slot.__thresholdRuns = control ?? undefined;
}

/** Null when a real Inngest server does the work: it has an interface of its own. */
export function runControl(): RunControl | null {
  return slot.__thresholdRuns ?? null;
}

/** Why durable work stands still, in a sentence for whoever operates the installation; null when it goes on. */
export function durableProblem(): string | null {
  return slot.__thresholdDurable ?? null;
}

/** Called by whoever keeps durable work going. */
export function setDurableProblem(problem: string | null): void {
  slot.__thresholdDurable = problem ?? undefined;
}
