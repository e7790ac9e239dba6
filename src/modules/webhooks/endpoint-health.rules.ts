/**
 * Computes how attempts change an endpoint's health: the counters in the API, the circuit breaker,
 * and the maximum number of attempts in flight. retry.rules.ts decides about retries and disabling.
 * Pure.
 */
import { WEBHOOK_RETRY_DELAYS_MS } from './delivery/retry.rules';

/** The maximum number of parallel attempts at an endpoint. */
export const MAX_PARALLEL_ATTEMPTS_PER_ENDPOINT = {
  healthy: 64,
  /** The maximum number of parallel attempts at an endpoint that has never accepted a delivery. */
  unproven: 8,
  /**
   * The maximum number of parallel attempts at an endpoint whose last attempt failed. Four attempts
   * are enough to detect a recovery.
   */
  failing: 4,
} as const;

/** The circuit opens after this many consecutive failures without any response. */
const OPEN_AFTER = 5;
/**
 * After a warning, no second warning is sent for a day, even if the endpoint has recovered and
 * failed again.
 */
const WARNING_PAUSE_MS = 24 * 60 * 60 * 1000;

/** The columns of an endpoint that an attempt changes. */
export interface EndpointHealth {
  consecutive_failures: number;
  failing_since: Date | null;
  warned_at: Date | null;
  circuit_open_until: Date | null;
  last_delivery_at: Date | null;
  last_success_at: Date | null;
}

export interface DeliveryAttemptResult {
  accepted: boolean;
  /** Whether the endpoint responded, with any status. */
  answered: boolean;
  at: Date;
}

/**
 * Returns the endpoint's health after an attempt. A success closes the circuit and ends the series
 * of failures.
 */
export function computeEndpointHealthAfterAttempt(
  health: EndpointHealth,
  attempt: DeliveryAttemptResult,
  delays_ms: readonly number[] = WEBHOOK_RETRY_DELAYS_MS,
): EndpointHealth {
  const { at } = attempt;
  const last_delivery_at = latest(health.last_delivery_at, at);
  if (attempt.accepted) {
    const warned_lately = health.warned_at !== null && at.getTime() - health.warned_at.getTime() < WARNING_PAUSE_MS;
    return {
      consecutive_failures: 0,
      failing_since: null,
      warned_at: warned_lately ? health.warned_at : null,
      circuit_open_until: null,
      last_delivery_at,
      last_success_at: latest(health.last_success_at, at),
    };
  }
  const consecutive_failures = health.consecutive_failures + 1;
  return {
    ...health,
    consecutive_failures,
    failing_since: health.failing_since ?? at,
    circuit_open_until: attempt.answered ? null : circuitUntil(consecutive_failures, at, delays_ms),
    last_delivery_at,
  };
}

/**
 * Returns the time of the next probe, or null while the circuit is closed. The delay starts at a
 * quarter of the first retry's delay and doubles with each failed probe, up to twice the first
 * retry's delay (15 s to 2 min).
 */
function circuitUntil(consecutive_failures: number, at: Date, delays_ms: readonly number[]): Date | null {
  const beyond = consecutive_failures - OPEN_AFTER;
  if (beyond < 0) return null;
  const first_wait = delays_ms[0] ?? 60_000;
  return new Date(at.getTime() + Math.round((first_wait / 4) * 2 ** Math.min(beyond, 3)));
}

const latest = (known: Date | null, at: Date): Date => (known !== null && known > at ? known : at);
