/**
 * Slows down guessing of passwords and codes. The database counts attempts by account and by the
 * client's IP address, so that all instances share the counts. Each further attempt is delayed
 * longer. Attempts by one person never cause attempts by another person to be refused. The owner is
 * notified after ten attempts. A client may have only a few attempts waiting at once, so that
 * parallel attempts do not avoid the delay.
 */

import { AppError } from '@/shared/errors';
import { getIpAddressRateLimitKey } from '@/shared/ip';
import { createRefusal } from '@/shared/refusals/refusal';
import {
  countAttemptAndGetWindowTotal,
  deleteAttemptCount,
  readAttemptCountInWindow,
} from '../attempt-counters/attempt-counter.repository';
import { sendAccountMail } from '../mailer';
import { findUserByEmail } from '../repository';
import { SignInAttemptQueue } from './sign-in-attempt-queue';
import { computeSignInAttemptDelayMs, FAILED_ATTEMPTS_BEFORE_NOTICE } from './sign-in-guard.rules';

const WINDOW_MS = 3_600_000;
const room = new SignInAttemptQueue({ per_client: 4, seats: 500 });

export interface SignInAttempt {
  kind: 'password' | 'code';
  /**
   * The submitted e-mail address. Attempts on unknown addresses are counted too, so that the
   * response time does not reveal which addresses have an account.
   */
  email: string;
  ip: string | null;
}

/** The result of the comparison. `nothing` when the attempt was refused without a comparison. */
export type CredentialCheckResult = 'right' | 'wrong' | 'nothing';

/**
 * Runs `attempt`, which checks a password or a code, after the delay. Throws rate_limit_exceeded
 * when the client has too many attempts waiting.
 */
export async function runWithBruteForceDelay<Result>(
  { kind, email, ip }: SignInAttempt,
  attempt: () => Promise<{ result: Result; proof: CredentialCheckResult }>,
): Promise<Result> {
  const address = email.trim().toLowerCase();
  const account = `${kind}:${address}`;
  const client = getIpAddressRateLimitKey(ip);
  // Attempts are counted before they are checked, so that concurrent attempts count each other.
  const [attempts, failures] = await Promise.all([
    countAttemptAndGetWindowTotal(account, WINDOW_MS),
    readAttemptCountInWindow(`client:${client}`, WINDOW_MS),
  ]);
  const delay = computeSignInAttemptDelayMs({ account: attempts, client: failures });
  if (!(await room.wait(client, delay))) {
    throw new AppError('rate_limit_exceeded', {
      message: createRefusal('too_many_tries'),
      retryAfter: Math.ceil(delay / 1000),
    });
  }
  const { result, proof } = await attempt();
  // Only a correct attempt resets the count. An attacker could cause any other outcome on purpose.
  if (proof === 'right') {
    await deleteAttemptCount(account);
    return result;
  }
  if (proof === 'wrong') await countAttemptAndGetWindowTotal(`client:${client}`, WINDOW_MS);
  if (attempts === FAILED_ATTEMPTS_BEFORE_NOTICE && (await findUserByEmail(address))) {
    await sendAccountMail({ template: 'sign_in_failures', to: address, kind });
  }
  return result;
}
