/**
 * Checks, before a user's sign-in methods change, that the session was not stolen. The proof is the
 * password, or a sign-in within the last ten minutes with a passkey or through the company's
 * provider. If the account has a second factor, the session must have used one.
 */
import { clock } from '@/shared/clock';
import { findPendingNewEmailAddress } from '../email-change/email-change.repository';
import { findPasswordHash, hasAnySecondFactor } from '../repository';
import type { UserPasskeysAndRequiredProof } from '../schemas';
import { findPasskeys } from './passkeys.repository';
import { getRequirementsMetBySignInMethod } from './team-rules.rules';

export { findPasswordHash };

const RECENT_MS = 10 * 60_000;

export interface SessionIdentityProofFields {
  userId: string;
  createdAt: Date;
  signedInWith?: string | null;
}

const isRecent = ({ createdAt, signedInWith }: SessionIdentityProofFields): boolean =>
  (signedInWith === 'passkey' || signedInWith === 'company_account') &&
  clock().now().getTime() - createdAt.getTime() < RECENT_MS;

/** Returns whether the account has a second factor that this session did not use. */
export const hasSessionSkippedSecondFactor = async ({
  userId,
  signedInWith,
}: SessionIdentityProofFields): Promise<boolean> =>
  !getRequirementsMetBySignInMethod(signedInWith).second_factor && (await hasAnySecondFactor(userId));

/** Returns a user's sign-in methods, for the security page. */
export async function readUserSignInMethods({
  id,
  opened,
}: {
  id: string;
  opened: SessionIdentityProofFields;
}): Promise<UserPasskeysAndRequiredProof> {
  const passkeys = (await findPasskeys(id)).map(({ createdAt, ...passkey }) => ({
    ...passkey,
    created_at: createdAt?.toISOString() ?? null,
  }));
  return { passkeys, proof: await proofNeeded(opened), pending_email: await findPendingNewEmailAddress(id) };
}

/** Returns the proof that is required from the session's user. */
async function proofNeeded(session: SessionIdentityProofFields): Promise<UserPasskeysAndRequiredProof['proof']> {
  if (await hasSessionSkippedSecondFactor(session)) return 'sign_in';
  if (isRecent(session)) return 'nothing';
  return (await findPasswordHash(session.userId)) === null ? 'sign_in' : 'password';
}

/**
 * Checks the proof. Returns `missing` when the user must submit a password or sign in again. A
 * wrong password fails even after a recent sign-in.
 */
export async function checkIdentityProof(
  session: SessionIdentityProofFields,
  password: unknown,
  checkPassword: (hash: string, password: string) => Promise<boolean>,
): Promise<'right' | 'wrong' | 'missing'> {
  if (await hasSessionSkippedSecondFactor(session)) return 'missing';
  if (typeof password !== 'string') return isRecent(session) ? 'right' : 'missing';
  const hash = await findPasswordHash(session.userId);
  return hash !== null && (await checkPassword(hash, password)) ? 'right' : 'wrong';
}
