/** Checks a code of the authenticator app, or a recovery code, outside of signing in. */
import { symmetricDecrypt } from 'better-auth/crypto';
import { equalInConstantTime } from '@/infra/encryption';
import { findSecondFactor } from '../repository';
import { getAuth } from './auth';
import { claimTotpStep, findTotpStep } from './totp';

/** Returns whether the user has a second factor. */
export const hasSecondFactor = async (user_id: string): Promise<boolean> => (await findSecondFactor(user_id)) !== null;

/**
 * Returns whether the code is the user's, now or one step off, and was not used before. Does not
 * use up a recovery code.
 */
export async function checkSecondFactor(user_id: string, given: string): Promise<boolean> {
  const row = await findSecondFactor(user_id);
  if (!row) return false;
  const code = given.replace(/\s/g, '');
  const { secretConfig: key } = await getAuth().$context;
  const step = findTotpStep(await symmetricDecrypt({ key, data: row.secret }), code, 1);
  if (step !== null) return claimTotpStep(user_id, step);
  const recovery = JSON.parse(await symmetricDecrypt({ key, data: row.backupCodes })) as string[];
  return recovery.some((right) => equalInConstantTime(code, right));
}
