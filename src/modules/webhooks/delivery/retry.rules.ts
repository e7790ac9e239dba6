/**
 * When a delivery is tried again and when its endpoint is given up (specification, "Retries and
 * auto-disable"; DESIGN, "Webhooks"). The schedule is data; the decision after an attempt is one
 * pure function.
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, … failure, in ms. Nine retries, so ten attempts at most. */
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
 * This many failures of a delivery disable its endpoint, or the last wait's failure when the
 * schedule is shorter.
 */
export const DISABLE_AT_FAILURE = 9;
/** After this many failures of a delivery the owner is warned. */
const WARN_AT_FAILURE = 3;
/**
 * Retries are late by up to a tenth of their wait, never early, so that an outage's deliveries do
 * not return at once.
 */
const JITTER = 0.1;

/**
 * Any 2xx is acceptance; redirects are not followed and count as failures, as does no answer at
 * all.
 */
export function isAccepted(status_code: number | null): boolean {
  return status_code !== null && status_code >= 200 && status_code <= 299;
}

export interface Attempt {
  accepted: boolean;
  /** Failed attempts of this delivery before this one. */
  failures_before: number;
  /** When the delivery's first attempt was made due. */
  delivery_began_at: Date;
  endpoint: {
    status: string;
    /** The last time the endpoint accepted anything. */
    last_success_at: Date | null;
    /** When its owner was warned in the present run of failures, if at all. */
    warned_at: Date | null;
  };
}

export type AfterAttempt =
  | { kind: 'succeeded' }
  | {
      kind: 'retry' | 'exhausted';
      /** Failed attempts of this delivery, this one included. */
      failures: number;
      /** Null when exhausted. On a disabled endpoint it waits until the endpoint is enabled. */
      retry_at: Date | null;
      /** The endpoint becomes `auto_disabled`, and its owner is notified. */
      disable_endpoint: boolean;
      /** The owner gets the warning mail. Never together with `disable_endpoint`. */
      warn_owner: boolean;
    };

/**
 * What follows an attempt that ended at `now`. `random` is in [0, 1). Tests and trials may give a
 * shorter schedule. Then the failure after its last wait disables the endpoint.
 */
export function afterAttempt(
  attempt: Attempt,
  now: Date,
  random: number,
  delays_ms: readonly number[] = RETRY_DELAYS_MS,
): AfterAttempt {
  if (attempt.accepted) return { kind: 'succeeded' };
  const { endpoint } = attempt;
  const failures = attempt.failures_before + 1;
  const delay = delays_ms[failures - 1];
  const disable_endpoint =
    failures === Math.min(DISABLE_AT_FAILURE, delays_ms.length) &&
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

/** An event that one endpoint cannot process must not disable it for the events that it accepts. */
function hasAcceptedSince(last_success_at: Date | null, began_at: Date): boolean {
  return last_success_at !== null && last_success_at >= began_at;
}

/** The wait and up to a tenth of it more. */
function retryAt(failed_at: Date, delay_ms: number, random: number): Date {
  return new Date(failed_at.getTime() + delay_ms + Math.floor(delay_ms * JITTER * random));
}
