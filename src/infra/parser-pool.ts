/**
 * Worker threads that parse input from strangers (calendars, mails, passwords) and certificates.
 * Each job has a budget of time and memory. A job that exceeds it fails alone. The jobs themselves
 * are in src/parser-worker.
 */
import { resolveWorkerEntryFile, WorkerJobStoppedError, WorkerPool, type WorkerPoolOptions } from './worker-pool';

const OPTIONS: WorkerPoolOptions = {
  name: 'reader',
  entry: () => resolveWorkerEntryFile('build/parser-worker/worker.mjs', 'src/parser-worker/worker.dev.mjs'),
  // The largest allowed calendar takes less than a second, and less than a tenth of the memory
  // limit.
  job_timeout_ms: 10_000,
  memory_mb: 256,
};

// The server's and Next's copy of this module share this slot.
const slot = globalThis as typeof globalThis & { __thresholdReader?: WorkerPool };

/**
 * Returns the pool of threads. Only tests pass options, which take effect when there is no pool
 * yet.
 */
export function getParserPool(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  slot.__thresholdReader ??= new WorkerPool({ ...OPTIONS, ...options });
  return slot.__thresholdReader;
}

/** Ends the threads at shutdown. A later job starts new threads. */
export async function closeParserPool(): Promise<void> {
  const pool = slot.__thresholdReader;
  slot.__thresholdReader = undefined;
  await pool?.close();
}

/**
 * Runs a job in a thread. `bytes` is transferred to the thread without copying.
 * `getParserStopReason` classifies the errors.
 */
export async function runParserJob<Result>(job: object, bytes?: Uint8Array): Promise<Result> {
  const moved = bytes ? [bytes.buffer as ArrayBuffer] : [];
  return (await getParserPool().run<{ result: Result }>(job, moved)).result;
}

/**
 * Returns why a job was stopped, or null for other errors. If its thread died, the job counts as
 * having taken too long.
 */
export function getParserStopReason(error: unknown): 'took_too_long' | 'too_much_memory' | null {
  if (!(error instanceof WorkerJobStoppedError) || error.reason === 'closed') return null;
  return error.reason === 'memory' ? 'too_much_memory' : 'took_too_long';
}
