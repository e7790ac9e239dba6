/**
 * Guessing passwords and codes. Tries are counted by account and by the client's address, in the database, so that all
 * instances count together. A counted try waits, longer each time; it is never refused for what others did, and its owner
 * is told once per burst. A client may let only a few of its tries wait at once, which is what makes the wait bite.
 */

import { AppError } from '@/shared/errors';
import { addressBucket } from '@/shared/ip';
import { refusal } from '@/shared/refusals/refusal';
import { sendAccountMail } from '../mailer';
import { findUserByEmail } from '../repository';
import { clearCount, countUp, readCount } from '../tallies/tally.repository';
import { delayBefore, TELL_OWNER_AT } from './sign-in-guard.rules';
import { WaitingRoom } from './waiting-room';

const WINDOW_MS = 3_600_000;
const room = new WaitingRoom({ per_client: 4, seats: 500 });

export interface Try {
  kind: 'password' | 'code';
  /** The account's address of mail, known to us or not: an answer's time must not tell. */
  email: string;
  ip: string | null;
}

/** What a try showed; `nothing` of one that was refused before it was compared. */
export type Proof = 'right' | 'wrong' | 'nothing';

/**
 * Looks at a password or a code when its wait is over. `attempt` says what came of it, and what that shows of what was given.
 * Throws rate_limit_exceeded when the client has too many tries waiting.
 */
export async function guarded<Result>(
  { kind, email, ip }: Try,
  attempt: () => Promise<{ result: Result; proof: Proof }>,
): Promise<Result> {
  const address = email.trim().toLowerCase();
  const account = `${kind}:${address}`;
  const client = addressBucket(ip);
  // Counted before it is looked at: tries at the same time do not see each other as none.
  const [tries, failures] = await Promise.all([countUp(account, WINDOW_MS), readCount(`client:${client}`, WINDOW_MS)]);
  const delay = delayBefore({ account: tries, client: failures });
  if (!(await room.wait(client, delay))) {
    throw new AppError('rate_limit_exceeded', {
      message: refusal('too_many_tries'),
      retryAfter: Math.ceil(delay / 1000),
    });
  }
  const { result, proof } = await attempt();
  // What is right alone begins the count anew: with anything else a guesser could.
  if (proof === 'right') {
    await clearCount(account);
    return result;
  }
  if (proof === 'wrong') await countUp(`client:${client}`, WINDOW_MS);
  if (tries === TELL_OWNER_AT && (await findUserByEmail(address))) {
    await sendAccountMail({ template: 'sign_in_failures', to: address, kind });
  }
  return result;
}
