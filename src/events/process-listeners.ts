/**
 * Notifies the relay, the test clocks and the runs of endpoints without importing their modules.
 * The notifications only reduce latency: `createMissedWorkRecoveryFunction` finds work whose
 * notification was lost.
 */
import { AsyncResource } from 'node:async_hooks';

const slot = globalThis as typeof globalThis & {
  __thresholdNudge?: () => void;
  __thresholdStopped?: (endpoint_id: string) => void;
  __thresholdClocks?: () => void;
};

/**
 * Registers the relay's listener. It runs in the async context of the registration and not of the
 * request that calls it, because the workers' timers outlive that request.
 */
export function setEventRelayListener(listener: (() => void) | null): void {
  slot.__thresholdNudge = listener ? AsyncResource.bind(listener) : undefined;
}

/** Notifies this process's relay, if any, that the outbox or a queue has work. */
export function notifyEventRelay(): void {
  slot.__thresholdNudge?.();
}

/** Registers the listener that advances test clocks. */
export function setTestClockListener(listener: (() => void) | null): void {
  slot.__thresholdClocks = listener ? AsyncResource.bind(listener) : undefined;
}

/** Announces that a test clock has to advance. */
export function notifyTestClockListener(): void {
  slot.__thresholdClocks?.();
}

/** Registers the listener that cancels the runs of an endpoint. */
export function setEndpointStoppedListener(listener: ((endpoint_id: string) => void) | null): void {
  slot.__thresholdStopped = listener ? AsyncResource.bind(listener) : undefined;
}

/**
 * Announces that an endpoint was disabled or deleted. Not called by a run that disables its own
 * endpoint.
 */
export function announceEndpointStopped(endpoint_id: string): void {
  slot.__thresholdStopped?.(endpoint_id);
}
