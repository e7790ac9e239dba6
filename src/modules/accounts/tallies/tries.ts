/** For what could be done too often: a limit that all instances share. */

import { AppError } from '@/shared/errors';
import type { Refusal } from '@/shared/refusals/refusal';
import { clearCount, countUp } from './tally.repository';

/** Counts one more try of `subject`. Throws rate_limit_exceeded beyond `limit` in the window that began with the first. */
export async function countTry(subject: string, limit: number, window_ms: number, message?: Refusal): Promise<void> {
  if ((await countUp(subject, window_ms)) <= limit) return;
  throw new AppError('rate_limit_exceeded', { ...(message && { message }), retryAfter: Math.ceil(window_ms / 1000) });
}

/** Starts the count of `subject` again, after a right one. */
export async function clearTries(subject: string): Promise<void> {
  await clearCount(subject);
}
