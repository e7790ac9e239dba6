/**
 * Slows down guessing of passwords and codes. Attempts are counted by account and by the client's
 * address, in the database, so that all instances count together. Each counted attempt is delayed
 * longer. No attempt is refused because of other people's attempts, and the owner is notified once
 * per burst. A client may have only a few attempts waiting at once, which makes the delay
 * effective.
 */

import { AppError } from '@/shared/errors';
import { getAddressBucket } from '@/shared/ip';
import { createRefusal } from '@/shared/refusals/refusal';
import { sendAccountMail } from '../mailer';
import { findUserByEmail } from '../repository';
import { clearCount, countUpInWindow, readCount } from '../tallies/tally.repository';
import { computeAttemptDelay, NOTIFY_OWNER_AT_FAILURES } from './sign-in-guard.rules';
import { AttemptQueue } from './waiting-room';

const WINDOW_MS = 3_600_000;
const room = new AttemptQueue({ per_client: 4, seats: 500 });

export interface SignInAttempt {
  kind: 'password' | 'code';
  /** The account's mail address, known or not: a response's duration must not reveal that. */
  email: string;
  ip: string | null;
}

/** What an attempt proved. `nothing` when it was refused before the comparison. */
export type AttemptResult = 'right' | 'wrong' | 'nothing';

/**
 * Checks a password or a code after its delay. `attempt` returns the result and what it proved.
 * Throws rate_limit_exceeded when the client has too many attempts waiting.
 */
export async function withGuessingDelay<Result>(
  { kind, email, ip }: SignInAttempt,
  attempt: () => Promise<{ result: Result; proof: AttemptResult }>,
): Promise<Result> {
  const address = email.trim().toLowerCase();
  const account = `${kind}:${address}`;
  const client = getAddressBucket(ip);
  // Attempts are counted before the check, so that concurrent attempts see each other.
  const [attempts, failures] = await Promise.all([
    countUpInWindow(account, WINDOW_MS),
    readCount(`client:${client}`, WINDOW_MS),
  ]);
  const delay = computeAttemptDelay({ account: attempts, client: failures });
  if (!(await room.wait(client, delay))) {
    throw new AppError('rate_limit_exceeded', {
      message: createRefusal('too_many_tries'),
      retryAfter: Math.ceil(delay / 1000),
    });
  }
  const { result, proof } = await attempt();
  // Only a correct attempt resets the count. A guesser could produce anything else.
  if (proof === 'right') {
    await clearCount(account);
    return result;
  }
  if (proof === 'wrong') await countUpInWindow(`client:${client}`, WINDOW_MS);
  if (attempts === NOTIFY_OWNER_AT_FAILURES && (await findUserByEmail(address))) {
    await sendAccountMail({ template: 'sign_in_failures', to: address, kind });
  }
  return result;
}
