/** Checks TOTP codes and recovery codes for actions other than signing in. */
import { symmetricDecrypt } from 'better-auth/crypto';
import { isEqualInConstantTime } from '@/infra/encryption';
import { findSecondFactor } from '../repository';
import { getBetterAuth } from './auth';
import { claimTotpTimeStep, findTotpTimeStep } from './totp';

/** Returns whether the user has a second factor. */
export const hasSecondFactor = async (user_id: string): Promise<boolean> => (await findSecondFactor(user_id)) !== null;

/**
 * Returns whether the code is valid for the user and was not used before. A TOTP code may be one
 * time step off. A recovery code is not used up by this check.
 */
export async function verifySecondFactorCode(user_id: string, given: string): Promise<boolean> {
  const row = await findSecondFactor(user_id);
  if (!row) return false;
  const code = given.replace(/\s/g, '');
  const { secretConfig: key } = await getBetterAuth().$context;
  const step = findTotpTimeStep(await symmetricDecrypt({ key, data: row.secret }), code, 1);
  if (step !== null) return claimTotpTimeStep(user_id, step);
  const recovery = JSON.parse(await symmetricDecrypt({ key, data: row.backupCodes })) as string[];
  return recovery.some((right) => isEqualInConstantTime(code, right));
}
