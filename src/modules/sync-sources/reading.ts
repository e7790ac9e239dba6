/**
 * Reads calendars and mails off the event loop, each with a budget: what is too much for it costs its owner this one
 * reading, and nobody else anything. The rest of the product reads foreign bytes through this and nothing else.
 */
import { JobStopped, WorkerPool, type WorkerPoolOptions, workerEntry } from '@/infra/worker-pool';
import { sha256Hex } from '@/shared/canonical-json';
import type { ReadFeed } from './feed-reader';
import { type FeedFailure, feedStopped } from './feed-text';
import { MAX_TEXT } from './mail/parse-forwarded';
import type { CalendarJob, MailJob, OpenedCalendar, ReadingJob, ReadMail } from './reading-jobs';

const OPTIONS: WorkerPoolOptions = {
  name: 'reader',
  entry: () => workerEntry('build/sync-sources/reading-worker.mjs', 'src/modules/sync-sources/reading-worker.dev.mjs'),
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

async function readInThread<Result>(job: ReadingJob, bytes: Uint8Array): Promise<Result> {
  return (await openReader().run<{ result: Result }>(job, [bytes.buffer as ArrayBuffer])).result;
}

/** Why a reading was given up, and null when the error is something else: a thread that died was too much for it too. */
function stoppedBy(error: unknown): 'took_too_long' | 'too_much_memory' | null {
  if (!(error instanceof JobStopped) || error.reason === 'closed') return null;
  return error.reason === 'memory' ? 'too_much_memory' : 'took_too_long';
}

/** Opens a calendar and, unless its fingerprint is the known one, reads it. Never throws for what is in the bytes. */
export async function readCalendar(
  job: CalendarJob & { readonly known_fingerprint?: undefined },
): Promise<OpenedCalendar<ReadFeed> | FeedFailure>;
export async function readCalendar(job: CalendarJob): Promise<OpenedCalendar | FeedFailure>;
export async function readCalendar(job: CalendarJob): Promise<OpenedCalendar | FeedFailure> {
  // A copy that owns its memory, so that it moves to the thread.
  const bytes = new Uint8Array(job.bytes);
  try {
    return await readInThread({ ...job, type: 'calendar', bytes }, bytes);
  } catch (error) {
    const reason = stoppedBy(error);
    if (reason === null) throw error;
    return feedStopped(reason);
  }
}

/** Takes a mail apart and reads what it tells. A mail that is too much keeps its beginning, for the host to look at. */
export async function readMail(job: MailJob): Promise<ReadMail> {
  const raw = new Uint8Array(job.raw);
  try {
    return await readInThread({ ...job, type: 'mail', raw }, raw);
  } catch (error) {
    const reason = stoppedBy(error);
    if (reason === null) throw error;
    return { ok: false, reason, message_id: `sha256:${sha256Hex(job.raw)}`, kept: job.raw.slice(0, MAX_TEXT) };
  }
}
