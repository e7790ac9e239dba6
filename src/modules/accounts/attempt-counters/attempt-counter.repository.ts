/**
 * Counters that all instances share. A counter counts events of one subject in a time window that
 * begins with the first event. Subjects (e-mail addresses, IP addresses, users) are hashed, so that
 * the table identifies nobody.
 */
import { createHmac } from 'node:crypto';
import { getAppSecret } from '@/config';
import { systemDb } from '@/infra/db/client';
import { clock } from '@/shared/clock';

/** The longest window that any caller uses. Rows older than this are deleted. */
const MAX_WINDOW_MS = 24 * 3_600_000;

const keyOf = (subject: string) => createHmac('sha256', getAppSecret()).update(`tally:${subject}`).digest('hex');

/**
 * Increments the count of the current window and returns it. A single statement, so that concurrent
 * calls do not lose counts.
 */
export async function countAttemptAndGetWindowTotal(subject: string, window_ms: number): Promise<number> {
  const now = clock().now();
  const window_start = new Date(now.getTime() - window_ms);
  const [row] = await systemDb().$queryRaw<{ count: number }[]>`
    INSERT INTO tallies (key, count, since) VALUES (${keyOf(subject)}, 1, ${now})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN tallies.since <= ${window_start} THEN 1 ELSE tallies.count + 1 END,
      since = CASE WHEN tallies.since <= ${window_start} THEN ${now} ELSE tallies.since END
    RETURNING count`;
  if (row?.count === 1) {
    await systemDb().tally.deleteMany({ where: { since: { lt: new Date(now.getTime() - MAX_WINDOW_MS) } } });
  }
  return row?.count ?? 1;
}

/** Returns the count of the current window. */
export async function readAttemptCountInWindow(subject: string, window_ms: number): Promise<number> {
  const window_start = new Date(clock().now().getTime() - window_ms);
  const row = await systemDb().tally.findFirst({ where: { key: keyOf(subject), since: { gt: window_start } } });
  return row?.count ?? 0;
}

export const deleteAttemptCount = (subject: string) => systemDb().tally.deleteMany({ where: { key: keyOf(subject) } });
