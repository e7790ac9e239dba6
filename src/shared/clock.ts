/** Time as a dependency: production uses the system's clock, tests a fake one that they move by hand. */
export interface Clock {
  now(): Date;
}

/** Clocks of several machines may differ by so much; what lies further ahead was planned by a clock that was wrong. */
export const CLOCK_SKEW_MS = 60_000;

export const systemClock: Clock = { now: () => new Date() };

const slot = globalThis as typeof globalThis & { __thresholdClock?: Clock };

/** The process's clock, shared by both module copies (the server's and Next's bundle). */
export function clock(): Clock {
  return slot.__thresholdClock ?? systemClock;
}

/** Replaces the process's clock; for tests. Pass null to go back to the system's. */
export function setClock(next: Clock | null): void {
  slot.__thresholdClock = next ?? undefined;
}
