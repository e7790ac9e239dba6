/**
 * Lets a commit wake the relay without importing it, and announces that an endpoint needs no runs.
 * These calls only reduce latency: `recoveryFunction` processes work whose nudge was lost, and
 * unneeded runs end at once.
 */
import { AsyncResource } from 'node:async_hooks';

const slot = globalThis as typeof globalThis & {
  __thresholdNudge?: () => void;
  __thresholdStopped?: (endpoint_id: string) => void;
  __thresholdClocks?: () => void;
};

/**
 * Registers the relay's listener. The listener runs in the context of its registration, because the
 * workers' timers outlive the request that wakes them and must not retain its context.
 */
export function setRelayListener(listener: (() => void) | null): void {
  slot.__thresholdNudge = listener ? AsyncResource.bind(listener) : undefined;
}

/** Notifies this process's relay, if any, that the outbox or a queue has work. */
export function notifyRelay(): void {
  slot.__thresholdNudge?.();
}

/** Registers the code that requests runs to advance test clocks. */
export function setClockListener(listener: (() => void) | null): void {
  slot.__thresholdClocks = listener ? AsyncResource.bind(listener) : undefined;
}

/** Announces that a test clock has to advance. */
export function notifyClockListener(): void {
  slot.__thresholdClocks?.();
}

/** Registers the code that cancels an endpoint's runs. */
export function setEndpointStoppedListener(listener: ((endpoint_id: string) => void) | null): void {
  slot.__thresholdStopped = listener ? AsyncResource.bind(listener) : undefined;
}

/**
 * Announces that an endpoint was disabled or deleted. A run that disables its own endpoint
 * announces nothing.
 */
export function announceEndpointStopped(endpoint_id: string): void {
  slot.__thresholdStopped?.(endpoint_id);
}
