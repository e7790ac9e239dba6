/**
 * Lets a commit wake the relay without depending on it, and announces that an endpoint needs no
 * runs. This only reduces latency: `recover` finds what a missed nudge left, and unneeded runs find
 * nothing to do.
 */
import { AsyncResource } from 'node:async_hooks';

const slot = globalThis as typeof globalThis & {
  __thresholdNudge?: () => void;
  __thresholdStopped?: (endpoint_id: string) => void;
  __thresholdClocks?: () => void;
};

/**
 * The relay registers its listener when it starts. The listener is called in the context of its
 * registration, because the timers of the workers outlive the request that happens to wake them and
 * must not keep its context.
 */
export function onNudge(listener: (() => void) | null): void {
  slot.__thresholdNudge = listener ? AsyncResource.bind(listener) : undefined;
}

/** Tells this process's relay, if any, that the outbox or a queue has work. */
export function nudgeRelay(): void {
  slot.__thresholdNudge?.();
}

/** Registers the code that requests runs of advancing test clocks. */
export function onClocks(listener: (() => void) | null): void {
  slot.__thresholdClocks = listener ? AsyncResource.bind(listener) : undefined;
}

/** Announces that a test clock has to advance. */
export function nudgeClocks(): void {
  slot.__thresholdClocks?.();
}

/** Registers the code that cancels an endpoint's runs. */
export function onEndpointStopped(listener: ((endpoint_id: string) => void) | null): void {
  slot.__thresholdStopped = listener ? AsyncResource.bind(listener) : undefined;
}

/**
 * Announces that an endpoint was disabled or deleted. An endpoint that is disabled by its own run
 * needs no announcement.
 */
export function endpointStopped(endpoint_id: string): void {
  slot.__thresholdStopped?.(endpoint_id);
}
