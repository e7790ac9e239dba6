/**
 * How attempts change an endpoint's health: the counters of the API, the circuit breaker, and how
 * many may be in flight. Pure. retry.rules.ts decides on retries and on disabling.
 */
import { RETRY_DELAYS_MS } from './delivery/retry.rules';

/** Attempts of an endpoint side by side. */
export const IN_FLIGHT = {
  healthy: 64,
  /** It has never accepted anything. */
  unproven: 8,
  /** Its last attempt failed. This is enough to notice when it works again. */
  failing: 4,
} as const;

/**
 * Failures in a row without any answer (no connection, no status line in time) that open the
 * circuit.
 */
const OPEN_AFTER = 5;
/** A warning is not repeated within a day, however often the endpoint recovers and fails. */
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

export interface AttemptEnd {
  accepted: boolean;
  /** Whether a status line came, whatever it said: an endpoint that answers is not dead. */
  answered: boolean;
  at: Date;
}

/** The endpoint after an attempt. A success closes the circuit and ends the run of failures. */
export function healthAfter(
  health: EndpointHealth,
  attempt: AttemptEnd,
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
 * Until when only a probe is sent: a quarter of the first retry's wait, doubling with each failed
 * probe to twice that wait (15 s to 2 min). Null while the circuit is closed.
 */
function circuitUntil(consecutive_failures: number, at: Date, delays_ms: readonly number[]): Date | null {
  const beyond = consecutive_failures - OPEN_AFTER;
  if (beyond < 0) return null;
  const first_wait = delays_ms[0] ?? 60_000;
  return new Date(at.getTime() + Math.round((first_wait / 4) * 2 ** Math.min(beyond, 3)));
}

const latest = (known: Date | null, at: Date): Date => (known !== null && known > at ? known : at);
