/** The delay of an attempt after earlier failed ones. Pure. */

/** A few typing errors cause no delay. */
const FREE_ATTEMPTS_OF_ACCOUNT = 3;
/** Many people may share a client's address. */
const FREE_ATTEMPTS_OF_CLIENT = 20;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

const backoff = (over: number) =>
  over <= 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(over - 1, 10));

/** The number of failures after which the account's owner is notified. */
export const NOTIFY_OWNER_AT_FAILURES = 10;

/** Counts of the last hour. */
export interface FailureCounts {
  /** Attempts on the account since the last correct one, including this one. */
  account: number;
  /** Failures from the client's address. */
  client: number;
}

/**
 * Returns the delay in milliseconds before the attempt is checked. Attempts are never refused, so
 * that a stranger cannot lock the owner out.
 */
export function computeAttemptDelay({ account, client }: FailureCounts): number {
  return Math.max(backoff(account - FREE_ATTEMPTS_OF_ACCOUNT), backoff(client - FREE_ATTEMPTS_OF_CLIENT));
}
