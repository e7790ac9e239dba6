/**
 * A small pool of worker threads that render and seal. A certificate costs hundreds of milliseconds of CPU, which on
 * the event loop would hold up every request. Threads start with the first job and end after a while without one.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ToParent, ToWorker } from './render-messages';
import type { CertificateInput, RenderedCertificate, TimestampAuthority } from './types';

interface Job {
  input: CertificateInput;
  tsa: TimestampAuthority | undefined;
  resolve: (rendered: RenderedCertificate) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  job: Job | null;
  /** Ends a thread that has been idle too long, or a job that takes too long. */
  timer: NodeJS.Timeout | null;
}

export interface RenderPoolOptions {
  /** Threads at most; by default one core is left to the event loop. */
  size?: number;
  /** A thread without work ends after this time. */
  idle_ms?: number;
  /** A job that takes longer fails, and its thread with it. */
  job_timeout_ms?: number;
  /** The worker's file; by default the built one, or the sources when it was not built. */
  entry?: string;
}

/** An absolute path made from the project's root: `import.meta.url` means nothing inside Next's bundle. */
function defaultEntry(): string {
  const built = path.join(process.cwd(), 'build/certificates/render-worker.mjs');
  return existsSync(built) ? built : path.join(process.cwd(), 'src/modules/certificates/render-worker.dev.mjs');
}

export class RenderPool {
  private readonly queue: Job[] = [];
  private readonly threads = new Set<Thread>();
  private readonly size: number;
  private readonly idle_ms: number;
  private readonly job_timeout_ms: number;
  private readonly entry: string | undefined;

  constructor(options: RenderPoolOptions = {}) {
    this.size = options.size ?? Math.max(1, Math.min(2, availableParallelism() - 1));
    this.idle_ms = options.idle_ms ?? 60_000;
    this.job_timeout_ms = options.job_timeout_ms ?? 120_000;
    this.entry = options.entry;
  }

  /** Renders in the next free thread. Rejects with the worker's error, when its thread dies, or when it takes too long. */
  render(input: CertificateInput, tsa?: TimestampAuthority): Promise<RenderedCertificate> {
    return new Promise((resolve, reject) => {
      this.queue.push({ input, tsa, resolve, reject });
      this.dispatch();
    });
  }

  /** Ends every thread; jobs that have not ended are rejected. */
  async close(): Promise<void> {
    for (const job of this.queue.splice(0)) job.reject(new Error('The renderer was closed.'));
    await Promise.all([...this.threads].map((thread) => this.end(thread, new Error('The renderer was closed.'))));
  }

  /** How many threads there are. */
  get thread_count(): number {
    return this.threads.size;
  }

  private dispatch(): void {
    while (this.queue.length > 0) {
      const thread = [...this.threads].find(({ job }) => job === null) ?? this.start();
      if (!thread) return;
      const job = this.queue.shift() as Job;
      thread.job = job;
      thread.worker.ref();
      this.arm(thread, this.job_timeout_ms, new Error('Rendering the certificate took too long.'));
      this.tell(thread, { type: 'render', input: job.input, with_timestamp: job.tsa !== undefined });
    }
  }

  private start(): Thread | null {
    if (this.threads.size >= this.size) return null;
    // A certificate that needs more memory than this fails alone, not with the whole process.
    const worker = new Worker(this.entry ?? defaultEntry(), {
      name: 'certificate-renderer',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    const thread: Thread = { worker, job: null, timer: null };
    worker.on('message', (message: ToParent) => this.heard(thread, message));
    worker.on('error', (error) => void this.end(thread, error instanceof Error ? error : new Error(String(error))));
    worker.on('exit', () => void this.end(thread, new Error('The rendering thread ended.')));
    this.threads.add(thread);
    return thread;
  }

  private heard(thread: Thread, message: ToParent): void {
    if (message.type === 'timestamp_wanted') {
      void this.answerTimestamp(thread, message.digest);
      return;
    }
    const { job } = thread;
    if (!job || message.type === 'ready') return;
    thread.job = null;
    if (message.type === 'done') job.resolve({ pdf: message.pdf, sha256: message.sha256 });
    else job.reject(new Error(`The certificate could not be rendered: ${message.error}`));
    // An idle thread must not keep the process alive.
    thread.worker.unref();
    this.arm(thread, this.idle_ms, new Error('Idle.'));
    this.dispatch();
  }

  private async answerTimestamp(thread: Thread, digest: Uint8Array): Promise<void> {
    const { job } = thread;
    if (!job?.tsa) return;
    try {
      const token = await job.tsa(digest);
      if (thread.job === job) this.tell(thread, { type: 'timestamp', token });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (thread.job === job) this.tell(thread, { type: 'timestamp', error: reason });
    }
  }

  private tell(thread: Thread, message: ToWorker): void {
    thread.worker.postMessage(message);
  }

  private arm(thread: Thread, delay_ms: number, error: Error): void {
    if (thread.timer) clearTimeout(thread.timer);
    thread.timer = setTimeout(() => void this.end(thread, error), delay_ms);
    thread.timer.unref();
  }

  /** Takes a thread out, fails its job, and lets the queue go on with another. */
  private async end(thread: Thread, error: Error): Promise<void> {
    if (!this.threads.delete(thread)) return;
    if (thread.timer) clearTimeout(thread.timer);
    thread.job?.reject(error);
    thread.job = null;
    this.dispatch();
    await thread.worker.terminate();
  }
}
