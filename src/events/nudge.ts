/**
 * How a commit wakes the relay without knowing it, and tells that an endpoint needs no run any more. Purely for latency:
 * the sweep finds whatever a missed nudge left, and a run that nobody needs finds nothing to do.
 */
import { AsyncResource } from 'node:async_hooks';

const slot = globalThis as typeof globalThis & {
  __thresholdNudge?: () => void;
  __thresholdStopped?: (endpoint_id: string) => void;
  __thresholdClocks?: () => void;
};

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

/** Whoever can ask for the run of an advancing test clock registers here. */
export function onClocks(listener: (() => void) | null): void {
  slot.__thresholdClocks = listener ? AsyncResource.bind(listener) : undefined;
}

/** Tells that a test clock is to advance. */
export function nudgeClocks(): void {
  slot.__thresholdClocks?.();
}

/** Whoever can cancel an endpoint's runs registers here. */
export function onEndpointStopped(listener: ((endpoint_id: string) => void) | null): void {
  slot.__thresholdStopped = listener ? AsyncResource.bind(listener) : undefined;
}

/** Tells that an endpoint was disabled or deleted. One that disables itself does so in its own run, which ends by itself. */
export function endpointStopped(endpoint_id: string): void {
  slot.__thresholdStopped?.(endpoint_id);
}
