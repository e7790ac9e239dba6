/**
 * Guessing passwords and codes. Tries are counted by account and by the client's address, in the database, so that all
 * instances count together. A counted try waits, longer each time; it is never refused for what others did, and its owner
 * is told once per burst. A client may let only a few of its tries wait at once, which is what makes the wait bite.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@/shared/errors';
import { addressBucket } from '@/shared/ip';
import { sendAccountMail } from './mailer';
import { findUserByEmail } from './repository';
import { delayBefore, TELL_OWNER_AT } from './sign-in-guard.rules';
import { clearCount, countUp, readCount } from './tally.repository';

const WINDOW_MS = 3_600_000;
/** Tries of one client that wait at the same time. */
const WAITING_PER_CLIENT = 4;
/** Past it a try does not wait: a stranger who fills this instance's room must not shut others out. */
const WAITING_HERE = 500;

const waiting = new Map<string, number>();
let waiting_here = 0;

export interface Try {
  kind: 'password' | 'code';
  /** The account's address of mail, known to us or not: an answer's time must not tell. */
  email: string;
  ip: string | null;
}

/**
 * Looks at a password or a code when its wait is over. `attempt` says what came of it, and whether what was given was wrong.
 * Throws rate_limit_exceeded when the client has too many tries waiting.
 */
export async function guarded<Result>(
  { kind, email, ip }: Try,
  attempt: () => Promise<{ result: Result; wrong: boolean }>,
): Promise<Result> {
  const address = email.trim().toLowerCase();
  const account = `${kind}:${address}`;
  const client = addressBucket(ip);
  // Counted before it is looked at: tries at the same time do not see each other as none.
  const [tries, failures] = await Promise.all([countUp(account, WINDOW_MS), readCount(`client:${client}`, WINDOW_MS)]);
  await wait(client, delayBefore({ account: tries, client: failures }));
  const { result, wrong } = await attempt();
  if (!wrong) {
    await clearCount(account);
    return result;
  }
  await countUp(`client:${client}`, WINDOW_MS);
  if (tries === TELL_OWNER_AT && (await findUserByEmail(address))) {
    await sendAccountMail({ template: 'sign_in_failures', to: address, kind });
  }
  return result;
}

async function wait(client: string, milliseconds: number): Promise<void> {
  if (milliseconds === 0 || waiting_here >= WAITING_HERE) return;
  const already = waiting.get(client) ?? 0;
  if (already >= WAITING_PER_CLIENT) {
    throw new AppError('rate_limit_exceeded', {
      message: 'Too many tries at once. Wait a few seconds and try again.',
      retryAfter: Math.ceil(milliseconds / 1000),
    });
  }
  waiting.set(client, already + 1);
  waiting_here += 1;
  try {
    await sleep(milliseconds);
  } finally {
    waiting_here -= 1;
    const left = (waiting.get(client) ?? 1) - 1;
    if (left > 0) waiting.set(client, left);
    else waiting.delete(client);
  }
}
