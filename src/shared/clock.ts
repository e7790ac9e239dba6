/** Time as a dependency: production uses the system's clock, and tests set a fake one. */
export interface Clock {
  now(): Date;
}

/**
 * Maximum difference between the clocks of several machines. Times further in the future are from a
 * wrong clock.
 */
export const MAX_CLOCK_SKEW_MS = 60_000;

export const systemClock: Clock = { now: () => new Date() };

const slot = globalThis as typeof globalThis & { __thresholdClock?: Clock };

/** Returns the process's clock, which the server's and Next's copy of this module share. */
export function clock(): Clock {
  return slot.__thresholdClock ?? systemClock;
}

/** Replaces the process's clock in tests. Null restores the system's clock. */
export function setClock(next: Clock | null): void {
  slot.__thresholdClock = next ?? undefined;
}
