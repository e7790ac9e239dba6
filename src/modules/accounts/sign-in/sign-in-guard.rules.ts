/** How long a try waits for those that failed before it. Pure. */

/** Slips of the hand cost nothing. */
const FREE_OF_ACCOUNT = 3;
/** Many people may share a client's address. */
const FREE_OF_CLIENT = 20;
const FIRST_MS = 250;
const LONGEST_MS = 5_000;

const grown = (over: number) => (over <= 0 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(over - 1, 10)));

/** After how many failures the account's owner is told. */
export const TELL_OWNER_AT = 10;

/** What was counted within the last hour. */
export interface Failures {
  /** Tries of the account, with this one, since the last that was right. */
  account: number;
  /** Failures from the client's address. */
  client: number;
}

/** Milliseconds to wait before the try is looked at; never a refusal, so that no stranger can keep the owner out. */
export function delayBefore({ account, client }: Failures): number {
  return Math.max(grown(account - FREE_OF_ACCOUNT), grown(client - FREE_OF_CLIENT));
}
