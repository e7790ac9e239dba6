/** For what could be done too often: a limit that all instances share. */
import { AppError } from '@/shared/errors';
import { countUp } from './tally.repository';

/** Counts one more try of `subject`. Throws rate_limit_exceeded beyond `limit` in the window that began with the first. */
export async function countTry(subject: string, limit: number, window_ms: number): Promise<void> {
  if ((await countUp(subject, window_ms)) > limit)
    throw new AppError('rate_limit_exceeded', { retryAfter: Math.ceil(window_ms / 1000) });
}
