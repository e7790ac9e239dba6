/**
 * Counters that all instances share: how often something happened since the first time in a window. What is counted (an
 * address of mail, one of the network, a user) is hashed, so that the table names nobody.
 */
import { createHmac } from 'node:crypto';
import { appSecret } from '@/config';
import { systemDb } from '@/infra/db/client';
import { clock } from '@/shared/clock';

/** No window is longer; what is older has been forgotten by every reader. */
const LONGEST_WINDOW_MS = 24 * 3_600_000;

const keyOf = (subject: string) => createHmac('sha256', appSecret()).update(`tally:${subject}`).digest('hex');

/** Counts one more and answers how many there are in the window that began with the first. In one statement: none is lost. */
export async function countUp(subject: string, window_ms: number): Promise<number> {
  const now = clock().now();
  const begun = new Date(now.getTime() - window_ms);
  const [row] = await systemDb().$queryRaw<{ count: number }[]>`
    INSERT INTO tallies (key, count, since) VALUES (${keyOf(subject)}, 1, ${now})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN tallies.since <= ${begun} THEN 1 ELSE tallies.count + 1 END,
      since = CASE WHEN tallies.since <= ${begun} THEN ${now} ELSE tallies.since END
    RETURNING count`;
  if (row?.count === 1) {
    await systemDb().tally.deleteMany({ where: { since: { lt: new Date(now.getTime() - LONGEST_WINDOW_MS) } } });
  }
  return row?.count ?? 1;
}

/** How many were counted in the window. */
export async function readCount(subject: string, window_ms: number): Promise<number> {
  const begun = new Date(clock().now().getTime() - window_ms);
  const row = await systemDb().tally.findFirst({ where: { key: keyOf(subject), since: { gt: begun } } });
  return row?.count ?? 0;
}

/** Begins anew. */
export const clearCount = (subject: string) => systemDb().tally.deleteMany({ where: { key: keyOf(subject) } });
