/** Time as a dependency: production uses the system's clock, tests a fake one that they set. */
export interface Clock {
  now(): Date;
}

/**
 * Maximum difference between the clocks of several machines. Times further in the future come from
 * a wrong clock.
 */
export const CLOCK_SKEW_MS = 60_000;

export const systemClock: Clock = { now: () => new Date() };

const slot = globalThis as typeof globalThis & { __thresholdClock?: Clock };

/** The process's clock, shared by the server's and Next's copy of this module. */
export function clock(): Clock {
  return slot.__thresholdClock ?? systemClock;
}

/** Replaces the process's clock. For tests. Null restores the system's. */
export function setClock(next: Clock | null): void {
  slot.__thresholdClock = next ?? undefined;
}
