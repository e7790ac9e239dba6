/** Calculates the delay of an attempt after earlier failed ones. Pure. */

/** The number of attempts on an account before delays begin, because people mistype. */
const FREE_ATTEMPTS_OF_ACCOUNT = 3;
/**
 * The number of failures from one IP address before delays begin. Many people may share an address.
 */
const FREE_ATTEMPTS_OF_CLIENT = 20;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 5_000;

const backoff = (over: number) =>
  over <= 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(over - 1, 10));

/** The number of attempts after which the account's owner is notified. */
export const FAILED_ATTEMPTS_BEFORE_NOTICE = 10;

/** The counts of the last hour, from which the delay is calculated. */
export interface SignInFailureCounts {
  /** Attempts on the account since the last correct one, including the current attempt. */
  account: number;
  /** Failures from the client's IP address. */
  client: number;
}

/**
 * Returns the delay in milliseconds before an attempt is checked. Attempts are delayed but never
 * refused, so that a stranger cannot lock the owner out.
 */
export function computeSignInAttemptDelayMs({ account, client }: SignInFailureCounts): number {
  return Math.max(backoff(account - FREE_ATTEMPTS_OF_ACCOUNT), backoff(client - FREE_ATTEMPTS_OF_CLIENT));
}
