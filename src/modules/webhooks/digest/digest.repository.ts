/** Queries of the daily mail about failures, over all teams. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

/** An endpoint with events that it has not accepted. */
export interface UndeliveredEndpoint {
  team_id: string;
  endpoint_id: string;
  url: string;
  status: string;
  events: number;
  last_error: string | null;
}

/**
 * Longer than the maximum time between queueing an attempt and making it, which is a day and a
 * tenth.
 */
const LONGEST_WAIT_MS = 27 * 60 * 60 * 1000;

/**
 * Returns live endpoints with events that failed since `since`, began before `begun` and are still
 * not accepted. Omits teams that got the mail after `since`, and owners who disabled it.
 */
export function findUndeliveredEndpoints(since: Date, begun: Date): Promise<UndeliveredEndpoint[]> {
  const queued = new Date(since.getTime() - LONGEST_WAIT_MS).toISOString();
  return systemDb().$queryRaw<UndeliveredEndpoint[]>(Prisma.sql`
    SELECT e.team_id, e.id AS endpoint_id, e.url, e.status, count(DISTINCT d.event_id)::int AS events,
      (array_agg(coalesce(d.error_message, 'HTTP ' || d.status_code) ORDER BY d.attempted_at DESC))[1] AS last_error
    FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
    WHERE d.mode = 'live' AND d.status = 'failed' AND d.trigger <> 'test' AND d.created_at >= ${queued}::timestamptz
      AND d.attempted_at >= ${since.toISOString()}::timestamptz AND d.delivery_began_at <= ${begun.toISOString()}::timestamptz
      AND e.digest
      AND NOT EXISTS (SELECT 1 FROM webhook_deliveries s
        WHERE s.endpoint_id = d.endpoint_id AND s.event_id = d.event_id AND s.status = 'succeeded')
      AND NOT EXISTS (SELECT 1 FROM webhook_endpoints o
        WHERE o.team_id = e.team_id AND o.mode = 'live' AND o.digest_at > ${since.toISOString()}::timestamptz)
    GROUP BY e.team_id, e.id ORDER BY e.team_id, e.created_at, e.id`);
}

/**
 * Records on the endpoints that a mail is sent. Returns false when another mail was recorded since
 * `since`.
 */
export async function recordDigest(endpoint_ids: readonly string[], since: Date, now: Date): Promise<boolean> {
  const { count } = await systemDb().webhookEndpoint.updateMany({
    where: { id: { in: [...endpoint_ids] }, OR: [{ digest_at: null }, { digest_at: { lte: since } }] },
    data: { digest_at: now },
  });
  return count > 0;
}
