/**
 * A task that many callers may start: calls during a run become one more run, and a run that failed is repeated by a timer
 * until one succeeds.
 */
import { logger } from '@/infra/logger';

/** The wait before the next try doubles up to here. */
const LONGEST_WAIT_MS = 10_000;
/** An outage is logged once, and then this often. */
const REMIND_MS = 60_000;

export interface RetriedTask {
  /** Runs it, or joins the run that begins next. Rejects when that run fails; the timer repeats it all the same. */
  run(): Promise<void>;
  /** Runs it, unless it failed and waits for its timer. Returns whether a run follows at once. */
  nudge(): boolean;
  /** Waits for the run under way and starts no other. */
  stop(): Promise<void>;
}

export function retriedTask(name: string, work: () => Promise<void>, first_wait_ms = 1_000): RetriedTask {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  let failures = 0;
  let logged_at = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  async function runAll(): Promise<void> {
    do {
      again = false;
      await work();
    } while (again && !stopped);
  }

  function run(): Promise<void> {
    again = true;
    running ??= runAll()
      .then(succeeded, failed)
      .finally(() => {
        running = null;
      });
    return running;
  }

  function succeeded(): void {
    clearTimeout(timer);
    timer = undefined;
    if (failures > 0) logger().info({ failures }, `${name} works again`);
    failures = 0;
    logged_at = Number.NEGATIVE_INFINITY;
  }

  function failed(error: unknown): never {
    failures += 1;
    if (performance.now() - logged_at >= REMIND_MS) {
      logged_at = performance.now();
      logger().error({ err: error, failures }, `${name} failed; it is tried again until it works`);
    }
    clearTimeout(timer);
    if (!stopped) {
      const wait_ms = Math.min(first_wait_ms * 2 ** Math.min(failures - 1, 10), LONGEST_WAIT_MS);
      timer = setTimeout(() => void run().catch(() => {}), wait_ms).unref();
    }
    throw error;
  }

  return {
    run,
    nudge() {
      // Commits must not hammer a service that is away.
      if (stopped || (timer && !running)) return false;
      run().catch(() => {});
      return true;
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running?.catch(() => {});
    },
  };
}

/** Waits for all, so that none is cut off by another's failure, and then throws the first error. */
export async function allSettledOrThrow<T extends readonly unknown[]>(
  work: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as unknown as T;
}
