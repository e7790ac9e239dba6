/**
 * How a commit wakes the relay without knowing it. Purely for latency: the sweep finds whatever a missed nudge left.
 */
const slot = globalThis as typeof globalThis & { __thresholdNudge?: () => void };

/** The relay registers itself here when it starts. */
export function onNudge(listener: (() => void) | null): void {
  slot.__thresholdNudge = listener ?? undefined;
}

/** Tells the relay of this process, if there is one, that the outbox or a queue has work. */
export function nudgeRelay(): void {
  slot.__thresholdNudge?.();
}
