/**
 * The threads in which what strangers send (calendars, mails, passwords) and certificates are read, each job with a budget: what is too much for it costs its
 * owner this one reading, and nobody else anything. What the jobs are is in src/reading-thread.
 */
import { JobStopped, WorkerPool, type WorkerPoolOptions, workerEntry } from './worker-pool';

const OPTIONS: WorkerPoolOptions = {
  name: 'reader',
  entry: () => workerEntry('build/reading-thread/worker.mjs', 'src/reading-thread/worker.dev.mjs'),
  // The largest calendar that is allowed takes under a second and a tenth of the memory.
  job_timeout_ms: 10_000,
  memory_mb: 256,
};

// One pool for the server's and the Next bundle's copy of this module.
const slot = globalThis as typeof globalThis & { __thresholdReader?: WorkerPool };

/** The threads to read in; with other options only in tests. Takes effect when there are none. */
export function openReader(options: Partial<WorkerPoolOptions> = {}): WorkerPool {
  slot.__thresholdReader ??= new WorkerPool({ ...OPTIONS, ...options });
  return slot.__thresholdReader;
}

/** Ends the threads, for a clean shutdown. Reading again afterwards starts new ones. */
export async function closeReader(): Promise<void> {
  const pool = slot.__thresholdReader;
  slot.__thresholdReader = undefined;
  await pool?.close();
}

/** Has a job done; its bytes, if any, go over to the thread. Throws what `stoppedBy` tells apart. */
export async function readInThread<Result>(job: object, bytes?: Uint8Array): Promise<Result> {
  const moved = bytes ? [bytes.buffer as ArrayBuffer] : [];
  return (await openReader().run<{ result: Result }>(job, moved)).result;
}

/** Why a reading was given up, and null when the error is something else: a thread that died was too much for it too. */
export function stoppedBy(error: unknown): 'took_too_long' | 'too_much_memory' | null {
  if (!(error instanceof JobStopped) || error.reason === 'closed') return null;
  return error.reason === 'memory' ? 'too_much_memory' : 'took_too_long';
}
