/**
 * How a commit wakes the relay without knowing it. Purely for latency: the sweep finds whatever a missed nudge left.
 */
import { AsyncResource } from 'node:async_hooks';

const slot = globalThis as typeof globalThis & { __thresholdNudge?: () => void };

/**
 * The relay registers itself here when it starts. It is called in the context it registered in: the timers of the
 * workers it wakes live on, and must not carry along what belongs to the request that happened to wake them.
 */
export function onNudge(listener: (() => void) | null): void {
  slot.__thresholdNudge = listener ? AsyncResource.bind(listener) : undefined;
}

/** Tells the relay of this process, if there is one, that the outbox or a queue has work. */
export function nudgeRelay(): void {
  slot.__thresholdNudge?.();
}
