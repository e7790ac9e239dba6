/** Rate limits that all instances share. */

import { AppError } from '@/shared/errors';
import type { Refusal } from '@/shared/refusals/refusal';
import { countAttemptAndGetWindowTotal, deleteAttemptCount } from './attempt-counter.repository';

/**
 * Counts an attempt of `subject`. Throws rate_limit_exceeded after `limit` attempts in a window.
 */
export async function countAttemptOrThrowOverLimit(
  subject: string,
  limit: number,
  window_ms: number,
  message?: Refusal,
): Promise<void> {
  if ((await countAttemptAndGetWindowTotal(subject, window_ms)) <= limit) return;
  throw new AppError('rate_limit_exceeded', { ...(message && { message }), retryAfter: Math.ceil(window_ms / 1000) });
}

/** Resets the subject's count, after a correct attempt. */
export const resetAttemptCount = deleteAttemptCount;
