/**
 * Decides when a delivery is retried and when its endpoint is disabled (specification, "Retries and
 * auto-disable"; design, "Webhooks").
 */
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The delays after each failure, in ms. Nine retries follow the first attempt. */
export const WEBHOOK_RETRY_DELAYS_MS: readonly number[] = [
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
 * An endpoint is disabled after this many failures of a delivery. With a shorter retry schedule, it
 * is disabled at the second-to-last failure.
 */
export const ENDPOINT_DISABLING_FAILURE_COUNT = 9;
/** The owner is warned after this many failures of a delivery. */
const WARN_AT_FAILURE = 3;
/**
 * The maximum jitter, as a part of the delay. It only lengthens delays. Jitter prevents all
 * deliveries that failed in an outage from being retried at the same time.
 */
const JITTER = 0.1;

/**
 * Returns whether a response accepts the delivery, as any 2xx does. A redirect or a missing
 * response is a failure.
 */
export function isAcceptedStatusCode(status_code: number | null): boolean {
  return status_code !== null && status_code >= 200 && status_code <= 299;
}

export interface DeliveryAttempt {
  accepted: boolean;
  /** The number of failed attempts of this delivery before this one. */
  failures_before: number;
  /** When the delivery's first attempt was due. */
  delivery_began_at: Date;
  endpoint: {
    status: string;
    /** When the endpoint last accepted any delivery. */
    last_success_at: Date | null;
    /** When the owner was warned about the current series of failures. Null without a warning. */
    warned_at: Date | null;
  };
}

export type DeliveryAttemptConsequence =
  | { kind: 'succeeded' }
  | {
      kind: 'retry' | 'exhausted';
      /** The number of failed attempts of this delivery, including this one. */
      failures: number;
      /**
       * When to retry. Null when no retries are left. While the endpoint is disabled, the retry
       * waits.
       */
      retry_at: Date | null;
      /** Whether to set the endpoint to `auto_disabled` and notify its owner. */
      disable_endpoint: boolean;
      /** Whether to send the warning mail. Never true together with `disable_endpoint`. */
      warn_owner: boolean;
    };

/**
 * Returns the consequences of an attempt that ended at `now`. `random` is in [0, 1). If `delays_ms`
 * is shorter than the default, the second-to-last failure disables the endpoint.
 */
export function decideDeliveryAttemptConsequence(
  attempt: DeliveryAttempt,
  now: Date,
  random: number,
  delays_ms: readonly number[] = WEBHOOK_RETRY_DELAYS_MS,
): DeliveryAttemptConsequence {
  if (attempt.accepted) return { kind: 'succeeded' };
  const { endpoint } = attempt;
  const failures = attempt.failures_before + 1;
  const delay = delays_ms[failures - 1];
  const disable_endpoint =
    failures === Math.min(ENDPOINT_DISABLING_FAILURE_COUNT, delays_ms.length) &&
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
 * Returns whether the endpoint has accepted any delivery since this delivery began. In that case
 * the failures concern only this event, and the endpoint is not disabled.
 */
function hasAcceptedSince(last_success_at: Date | null, began_at: Date): boolean {
  return last_success_at !== null && last_success_at >= began_at;
}

/** Returns the time after the delay and its jitter. */
function retryAt(failed_at: Date, delay_ms: number, random: number): Date {
  return new Date(failed_at.getTime() + delay_ms + Math.floor(delay_ms * JITTER * random));
}
