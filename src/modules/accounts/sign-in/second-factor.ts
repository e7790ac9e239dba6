/** Checks a code of the authenticator app, or a recovery code, outside of signing in. */
import { createHmac } from 'node:crypto';
import { symmetricDecrypt } from 'better-auth/crypto';
import { equalInConstantTime } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import { findSecondFactor } from '../repository';
import { auth } from './auth';

const STEP_MS = 30_000;

/**
 * Returns the six digits that an authenticator app shows in a step of 30 seconds (RFC 6238, SHA-1).
 */
function totp(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Returns whether the user has a second factor. */
export const hasSecondFactor = async (user_id: string): Promise<boolean> => (await findSecondFactor(user_id)) !== null;

/**
 * Returns whether the code is the user's code of this time step, the one before or the one after.
 * Does not use up a recovery code.
 */
export async function checkSecondFactor(user_id: string, given: string): Promise<boolean> {
  const row = await findSecondFactor(user_id);
  if (!row) return false;
  const code = given.replace(/\s/g, '');
  const { secretConfig: key } = await auth().$context;
  const secret = await symmetricDecrypt({ key, data: row.secret });
  const recovery = JSON.parse(await symmetricDecrypt({ key, data: row.backupCodes })) as string[];
  const now = Math.floor(clock().now().getTime() / STEP_MS);
  return [now - 1, now, now + 1]
    .map((step) => totp(secret, step))
    .concat(recovery)
    .some((right) => equalInConstantTime(code, right));
}
