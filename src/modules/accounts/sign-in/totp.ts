/** Codes of authenticator apps (RFC 6238: SHA-1, 30 seconds), each of which works once. */
import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import { insertUsedTotpStep } from '../repository';

const STEP_MS = 30_000;

/** The six digits that an authenticator app shows in a step. */
function totp(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/** Returns the step whose code this is, at most `off` steps from now. Returns null for none. */
export function findTotpStep(secret: string, code: string, off: number): number | null {
  const now = Math.floor(clock().now().getTime() / STEP_MS);
  const steps = Array.from({ length: 2 * off + 1 }, (_, index) => now - off + index);
  return steps.find((step) => equalInConstantTime(code, totp(secret, step))) ?? null;
}

/**
 * Marks the code of a step as used. Returns false when it was used before. Of concurrent calls only
 * one gets true.
 */
export const claimTotpStep = (user_id: string, step: number): Promise<boolean> =>
  // A code is accepted at most two steps later.
  insertUsedTotpStep(user_id, step, new Date((step + 4) * STEP_MS));
