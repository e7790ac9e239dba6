/** Checks in dashboard procedures that the user may change sign-in methods. */
import { AppError } from '@/shared/errors';
import { createRefusal } from '@/shared/refusals/refusal';
import type { SignedInUser } from '../session';
import { verifyPassword } from './password';
import { checkIdentityProof } from './proof';
import { runWithBruteForceDelay } from './sign-in-guard';

/**
 * Throws invalid_field unless the password or a recent sign-in proves the user's identity. Throws
 * rate_limit_exceeded after too many wrong passwords.
 */
export async function assertIdentityProven(
  { opened, email }: SignedInUser,
  password: string | undefined,
  ip: string | null,
): Promise<void> {
  const check = async () => {
    const result = await checkIdentityProof(opened, password, verifyPassword);
    return { result, proof: result === 'missing' ? ('nothing' as const) : result };
  };
  const proof =
    password === undefined
      ? (await check()).result
      : await runWithBruteForceDelay({ kind: 'password', email, ip }, check);
  if (proof === 'right') return;
  const message = createRefusal(proof === 'wrong' ? 'password_is_wrong' : 'prove_it_is_you');
  throw new AppError('invalid_field', { param: 'password', message });
}
