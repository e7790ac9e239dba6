/** Queries for the daily mail about failed deliveries, over all teams. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

/** An endpoint, and the number of events that it has not accepted. */
export interface EndpointWithUndeliveredEvents {
  team_id: string;
  endpoint_id: string;
  url: string;
  status: string;
  events: number;
  last_error: string | null;
}

/** This time is longer than an attempt can wait in the queue, which is at most 26.4 hours. */
const LONGEST_WAIT_MS = 27 * 60 * 60 * 1000;

/**
 * Returns live endpoints with undelivered events: their first attempt was due before `begun`, and
 * an attempt failed after `since`. Omits endpoints with the daily mail disabled, and teams that
 * were mailed after `since`.
 */
export function findEndpointsWithUndeliveredEvents(since: Date, begun: Date): Promise<EndpointWithUndeliveredEvents[]> {
  const queued = new Date(since.getTime() - LONGEST_WAIT_MS).toISOString();
  return systemDb().$queryRaw<EndpointWithUndeliveredEvents[]>(Prisma.sql`
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

/** Records that a mail is sent. Returns false when a mail was already recorded after `since`. */
export async function claimFailureDigestMail(
  endpoint_ids: readonly string[],
  since: Date,
  now: Date,
): Promise<boolean> {
  const { count } = await systemDb().webhookEndpoint.updateMany({
    where: { id: { in: [...endpoint_ids] }, OR: [{ digest_at: null }, { digest_at: { lte: since } }] },
    data: { digest_at: now },
  });
  return count > 0;
}
