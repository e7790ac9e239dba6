/**
 * A small pool of worker threads for work that would block the event loop: rendering, and parsing
 * input from strangers. Each job has a budget of time and memory. A job that exceeds it fails
 * alone, and its thread is replaced. Threads start with the first job, end when they have been idle
 * for a while, and never keep the process alive.
 */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { type TransferListItem, Worker } from 'node:worker_threads';

/**
 * Messages of a worker thread. `done` and `failed` end the job. All other messages are questions
 * that the running job asks outside the thread.
 */
export type WorkerMessage<Result, Question = never> =
  | { type: 'ready' }
  | ({ type: 'done' } & Result)
  | { type: 'failed'; error: string }
  | Question;

/** Why the pool stopped a job. */
export type JobStopReason = 'time' | 'memory' | 'died' | 'closed';

export class WorkerJobStoppedError extends Error {
  constructor(
    readonly reason: JobStopReason,
    message: string,
  ) {
    super(message);
  }
}

export interface WorkerPoolOptions {
  /** The thread's name, also used in error messages. */
  name: string;
  /** Returns the path of the worker's file. */
  entry: () => string;
  /** Maximum number of threads. By default one core is left to the event loop. */
  size?: number;
  /** An idle thread ends after this time. */
  idle_ms?: number;
  /** Time limit of a job. A job that exceeds it fails, and its thread ends. */
  job_timeout_ms: number;
  /** Memory limit of a job. A job whose thread needs more fails, and the thread ends. */
  memory_mb: number;
}

interface Task {
  message: object;
  transfer: readonly TransferListItem[];
  onQuestion: ((question: { type: string }, answer: (message: object) => void) => void) | undefined;
  resolve: (result: object) => void;
  reject: (error: Error) => void;
}

interface Thread {
  worker: Worker;
  /**
   * Whether the thread has started. The time that a busy machine needs for the start does not count
   * as job time.
   */
  online: boolean;
  task: Task | null;
  /** Ends an idle thread, or a job that takes too long. */
  timer: NodeJS.Timeout | null;
}

/**
 * Returns the built file of a worker, or its sources when it was not built. `import.meta.url` does
 * not work inside Next's bundle.
 */
export function resolveWorkerEntryFile(built: string, sources: string): string {
  const file = path.join(process.cwd(), built);
  // In development the sources may be newer than the built file.
  return process.env.NODE_ENV !== 'development' && existsSync(file) ? file : path.join(process.cwd(), sources);
}

export class WorkerPool {
  private readonly queue: Task[] = [];
  private readonly threads = new Set<Thread>();
  private readonly size: number;
  private readonly idle_ms: number;

  constructor(private readonly options: WorkerPoolOptions) {
    this.size = options.size ?? Math.max(1, Math.min(2, availableParallelism() - 1));
    this.idle_ms = options.idle_ms ?? 60_000;
  }

  /**
   * Passes a message to the next free thread and resolves with its `done` message. Rejects with the
   * worker's error, or with WorkerJobStoppedError when its thread dies or exceeds its budget.
   */
  run<Result>(
    message: object,
    transfer: readonly TransferListItem[] = [],
    asked?: Task['onQuestion'],
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const task: Task = { message, transfer, onQuestion: asked, resolve: resolve as (result: object) => void, reject };
      this.queue.push(task);
      this.dispatch();
    });
  }

  /** Ends every thread. Unfinished jobs are rejected. */
  async close(): Promise<void> {
    const closed = new WorkerJobStoppedError('closed', `${this.options.name} was closed.`);
    for (const task of this.queue.splice(0)) task.reject(closed);
    await Promise.all([...this.threads].map((thread) => this.end(thread, closed)));
  }

  get thread_count(): number {
    return this.threads.size;
  }

  private dispatch(): void {
    while (this.queue.length > 0) {
      const thread = [...this.threads].find(({ task }) => task === null) ?? this.start();
      if (!thread) return;
      const task = this.queue.shift() as Task;
      thread.task = task;
      thread.worker.ref();
      if (thread.online) this.armJob(thread);
      thread.worker.postMessage(task.message, task.transfer);
    }
  }

  private start(): Thread | null {
    if (this.threads.size >= this.size) return null;
    const { name, entry, memory_mb } = this.options;
    const resourceLimits = { maxOldGenerationSizeMb: memory_mb };
    const worker = new Worker(entry(), { name, execArgv: [], resourceLimits });
    const thread: Thread = { worker, online: false, task: null, timer: null };
    worker.once('online', () => {
      thread.online = true;
      if (thread.task) this.armJob(thread);
    });
    worker.on('message', (message: WorkerMessage<object, { type: string }>) => this.onMessage(thread, message));
    worker.on('error', (error) => void this.end(thread, stopped(error, name)));
    worker.on('exit', () => void this.end(thread, new WorkerJobStoppedError('died', `The thread of ${name} ended.`)));
    this.threads.add(thread);
    return thread;
  }

  private onMessage(thread: Thread, message: WorkerMessage<object, { type: string }>): void {
    const { task } = thread;
    if (!task || message.type === 'ready') return;
    if (message.type !== 'done' && message.type !== 'failed') {
      // The answer is dropped if the job has ended in the meantime.
      task.onQuestion?.(message, (answer) => thread.task === task && thread.worker.postMessage(answer));
      return;
    }
    thread.task = null;
    if (message.type === 'done') task.resolve(message);
    else task.reject(new Error((message as { error: string }).error));
    thread.worker.unref();
    this.arm(thread, this.idle_ms, new WorkerJobStoppedError('died', 'Idle.'));
    this.dispatch();
  }

  private armJob(thread: Thread): void {
    const { name, job_timeout_ms } = this.options;
    this.arm(thread, job_timeout_ms, new WorkerJobStoppedError('time', `${name} took too long.`));
  }

  private arm(thread: Thread, delay_ms: number, error: Error): void {
    if (thread.timer) clearTimeout(thread.timer);
    thread.timer = setTimeout(() => void this.end(thread, error), delay_ms);
    thread.timer.unref();
  }

  /** Removes a thread, fails its job, and starts another thread for the waiting jobs. */
  private async end(thread: Thread, error: Error): Promise<void> {
    if (!this.threads.delete(thread)) return;
    if (thread.timer) clearTimeout(thread.timer);
    thread.task?.reject(error);
    thread.task = null;
    this.dispatch();
    await thread.worker.terminate();
  }
}

function stopped(error: unknown, name: string): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const no_memory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
  return no_memory ? new WorkerJobStoppedError('memory', `${name} needed more memory than it may.`) : error;
}
