/**
 * Decides when a delivery is retried and when its endpoint is disabled (specification, "Retries and
 * auto-disable"; DESIGN, "Webhooks"). The schedule is data, and the decision after an attempt is
 * one pure function.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Delays after the first, second, … failure, in ms. There are nine retries, so at most ten
 * attempts.
 */
export const RETRY_DELAYS_MS: readonly number[] = [
  1 * MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/**
 * An endpoint is disabled after this many failures of a delivery. With a shorter schedule, it is
 * disabled after the last retry fails.
 */
export const DISABLE_AT_FAILURE_COUNT = 9;
/** The number of failures of a delivery after which the owner is warned. */
const WARN_AT_FAILURE = 3;
/**
 * Retries are delayed by up to a tenth of their delay, and are never early, so that an outage's
 * deliveries are not all retried at once.
 */
const JITTER = 0.1;

/**
 * Returns whether a response accepts the delivery. Any 2xx does. Redirects are not followed and
 * count as failures, as do missing responses.
 */
export function isAccepted(status_code: number | null): boolean {
  return status_code !== null && status_code >= 200 && status_code <= 299;
}

export interface DeliveryAttempt {
  accepted: boolean;
  /** Failed attempts of this delivery before this one. */
  failures_before: number;
  /** The due time of the delivery's first attempt. */
  delivery_began_at: Date;
  endpoint: {
    status: string;
    /** The last time at which the endpoint accepted any delivery. */
    last_success_at: Date | null;
    /** When the owner was warned during the current series of failures, if at all. */
    warned_at: Date | null;
  };
}

export type AttemptConsequence =
  | { kind: 'succeeded' }
  | {
      kind: 'retry' | 'exhausted';
      /** Failed attempts of this delivery, including this one. */
      failures: number;
      /**
       * When to retry. Null when no retries are left. On a disabled endpoint the retry waits until
       * the endpoint is enabled.
       */
      retry_at: Date | null;
      /** Whether the endpoint becomes `auto_disabled` and its owner is notified. */
      disable_endpoint: boolean;
      /** Whether the owner gets the warning mail. Never together with `disable_endpoint`. */
      warn_owner: boolean;
    };

/**
 * Returns the consequences of an attempt that ended at `now`. `random` is in [0, 1). Tests and
 * trials may give a shorter schedule, in which the failure after the last delay disables the
 * endpoint.
 */
export function decideAfterAttempt(
  attempt: DeliveryAttempt,
  now: Date,
  random: number,
  delays_ms: readonly number[] = RETRY_DELAYS_MS,
): AttemptConsequence {
  if (attempt.accepted) return { kind: 'succeeded' };
  const { endpoint } = attempt;
  const failures = attempt.failures_before + 1;
  const delay = delays_ms[failures - 1];
  const disable_endpoint =
    failures === Math.min(DISABLE_AT_FAILURE_COUNT, delays_ms.length) &&
    endpoint.status === 'enabled' &&
    !hasAcceptedSince(endpoint.last_success_at, attempt.delivery_began_at);
  return {
    kind: delay === undefined ? 'exhausted' : 'retry',
    failures,
    retry_at: delay === undefined ? null : retryAt(now, delay, random),
    disable_endpoint,
    warn_owner: failures === WARN_AT_FAILURE && endpoint.warned_at === null && !disable_endpoint,
  };
}

/**
 * Returns whether the endpoint has accepted another delivery meanwhile. An event that an endpoint
 * cannot process must not disable it for the events that it accepts.
 */
function hasAcceptedSince(last_success_at: Date | null, began_at: Date): boolean {
  return last_success_at !== null && last_success_at >= began_at;
}

/** Returns the time after the delay and up to a tenth of it more. */
function retryAt(failed_at: Date, delay_ms: number, random: number): Date {
  return new Date(failed_at.getTime() + delay_ms + Math.floor(delay_ms * JITTER * random));
}
