/**
 * A task that many callers may start. Calls during a run cause one more run. A failed run is
 * repeated by a timer until it succeeds.
 */
import { logger } from '@/infra/logger';

/** The longest delay before a retry. The delay doubles with each failure. */
const LONGEST_WAIT_MS = 10_000;
/** How often a lasting outage is logged after its start. */
const REMIND_MS = 60_000;

export interface SelfRetryingTask {
  /**
   * Runs the task. During a run, joins the next run. Rejects when that run fails, although a timer
   * then retries the task.
   */
  run(): Promise<void>;
  /** Runs the task, unless it failed and a timer is going to retry it. Returns whether it runs. */
  notify(): boolean;
  /** Waits for the current run and prevents further runs. */
  stop(): Promise<void>;
}

export function createSelfRetryingTask(
  name: string,
  work: () => Promise<void>,
  first_wait_ms = 1_000,
): SelfRetryingTask {
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
    notify() {
      // Every commit notifies the task. This does not shorten the wait after a failure, because
      // frequent commits would flood the unavailable service.
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

/** Waits for all promises, even if some fail. Then throws the first error. */
export async function settleAllOrThrowFirstError<T extends readonly unknown[]>(
  work: readonly [...{ [K in keyof T]: Promise<T[K]> }],
): Promise<T> {
  await Promise.allSettled(work);
  return (await Promise.all(work)) as unknown as T;
}
