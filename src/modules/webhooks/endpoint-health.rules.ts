/**
 * Computes how attempts change an endpoint's health: the counters of the API, the circuit breaker,
 * and the maximum number of attempts in flight. retry.rules.ts decides about retries and disabling.
 * Pure.
 */
import { RETRY_DELAYS_MS } from './delivery/retry.rules';

/** The maximum number of parallel attempts at an endpoint. */
export const IN_FLIGHT_LIMITS = {
  healthy: 64,
  /** The endpoint has never accepted a delivery. */
  unproven: 8,
  /** The endpoint's last attempt failed. These are enough to detect when it works again. */
  failing: 4,
} as const;

/**
 * The number of consecutive failures without any response (no connection, no status line in time)
 * that opens the circuit.
 */
const OPEN_AFTER = 5;
/**
 * A warning is not repeated within a day, regardless of how often the endpoint recovers and fails.
 */
const WARNING_PAUSE_MS = 24 * 60 * 60 * 1000;

/** The columns that an attempt changes. */
export interface EndpointHealth {
  consecutive_failures: number;
  failing_since: Date | null;
  warned_at: Date | null;
  circuit_open_until: Date | null;
  last_delivery_at: Date | null;
  last_success_at: Date | null;
}

export interface AttemptResult {
  accepted: boolean;
  /** Whether a status line was received, with any status. An endpoint that responds is not dead. */
  answered: boolean;
  at: Date;
}

/**
 * Returns the endpoint's health after an attempt. A success closes the circuit and ends the series
 * of failures.
 */
export function updateHealth(
  health: EndpointHealth,
  attempt: AttemptResult,
  delays_ms: readonly number[] = RETRY_DELAYS_MS,
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
 * Returns the time until which only a probe is sent: a quarter of the first retry's delay, doubling
 * with each failed probe to twice that delay (15 s to 2 min). Returns null while the circuit is
 * closed.
 */
function circuitUntil(consecutive_failures: number, at: Date, delays_ms: readonly number[]): Date | null {
  const beyond = consecutive_failures - OPEN_AFTER;
  if (beyond < 0) return null;
  const first_wait = delays_ms[0] ?? 60_000;
  return new Date(at.getTime() + Math.round((first_wait / 4) * 2 ** Math.min(beyond, 3)));
}

const latest = (known: Date | null, at: Date): Date => (known !== null && known > at ? known : at);
