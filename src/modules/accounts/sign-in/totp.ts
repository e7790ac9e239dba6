/** TOTP codes of authenticator apps (RFC 6238: SHA-1, 30 seconds). Each code works once. */
import { createHmac } from 'node:crypto';
import { isEqualInConstantTime } from '@/infra/encryption';
import { clock } from '@/shared/clock';
import { insertUsedTotpTimeStep } from '../repository';

const STEP_MS = 30_000;

/** Returns the six digits of a 30-second time step. */
function totp(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/**
 * Returns the time step of a code, at most `off` steps before or after now. Returns null when no
 * step matches.
 */
export function findTotpTimeStep(secret: string, code: string, off: number): number | null {
  const now = Math.floor(clock().now().getTime() / STEP_MS);
  const steps = Array.from({ length: 2 * off + 1 }, (_, index) => now - off + index);
  return steps.find((step) => isEqualInConstantTime(code, totp(secret, step))) ?? null;
}

/**
 * Marks the code of a time step as used. Returns false when it was used before. Only one of several
 * concurrent calls returns true.
 */
export const claimTotpTimeStep = (user_id: string, step: number): Promise<boolean> =>
  // Storing the row for four steps is enough, because a code is accepted at most two steps after
  // its own.
  insertUsedTotpTimeStep(user_id, step, new Date((step + 4) * STEP_MS));
