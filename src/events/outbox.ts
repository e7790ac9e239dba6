/** The relay's queries on the outbox, over all teams. Repeating a query is safe. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { clock } from '@/shared/clock';
import { newId } from '@/shared/ids';
import type { Mode } from '@/shared/scope';
import type { EventType, WebhookDeliveryBody } from './catalogue';

/**
 * Tolerance for differences between clocks. An endpoint counts as older than an event even if it
 * appears to be this much newer.
 */
const CLOCK_SKEW_MS = 5_000;

/**
 * Number of failures after which an event is a dead letter, which the relay skips. A failure counts
 * only if other events succeeded in the meantime.
 */
export const DEAD_LETTER_FAILURE_COUNT = 10;

export interface PendingEvent {
  id: string;
  team_id: string;
  mode: Mode;
  type: EventType;
  object_id: string;
  sequence: number;
  /** Unix milliseconds. */
  created_ms: number;
}

export interface EventBatchWithEqualTeamSharesOptions {
  limit: number;
  /** The maximum number of events of one team in a batch. */
  quantum: number;
  /** Only teams whose id follows this id are read. */
  after_team: string;
  /** Events to skip. */
  skip: readonly string[];
  but_types: readonly EventType[];
}

export interface PendingEventBatch {
  events: PendingEvent[];
  /** The last team of this batch, if there may be further teams. Otherwise null. */
  next_team: string | null;
  /** Whether a team has more pending events than its share of the batch. */
  more: boolean;
}

/**
 * Reads a batch with an equal share for each team, oldest events first. The cost depends on the
 * number of teams with pending events (at most `limit`), not on the length of any backlog. The sort
 * by id makes the planner use the index of pending events, instead of reading all events of a team.
 */
export async function readEventBatchWithEqualTeamShares({
  limit,
  quantum,
  after_team,
  skip,
  but_types,
}: EventBatchWithEqualTeamSharesOptions): Promise<PendingEventBatch> {
  // The query returns all rows as one JSON value, because converting hundreds of rows value by
  // value costs more than the query.
  // The range of team_id instead of an equality makes PostgreSQL use the index on (team_id, id). With
  // an equality it may read all unrelayed events in the order of their ids, to find a team's few.
  const [result] = await systemDb().$queryRaw<
    { events: string | null; teams: number; last: string; more: boolean | null }[]
  >(
    Prisma.sql`
    WITH RECURSIVE lanes(team_id) AS (
      (SELECT e.team_id FROM events e
       WHERE e.relayed_at IS NULL AND e.team_id > ${after_team} ORDER BY e.team_id, e.id LIMIT 1)
      UNION ALL
      SELECT (SELECT e.team_id FROM events e
              WHERE e.relayed_at IS NULL AND e.team_id > lanes.team_id ORDER BY e.team_id, e.id LIMIT 1)
      FROM lanes WHERE lanes.team_id IS NOT NULL
    ),
    teams AS MATERIALIZED (SELECT team_id FROM lanes WHERE team_id IS NOT NULL LIMIT ${limit}::int),
    share AS (
      SELECT least(${quantum}::int, ceil(${limit}::int / greatest(count(*), 1)::float)::int) AS size FROM teams
    ),
    waiting AS MATERIALIZED (
      SELECT x.*, row_number() OVER (PARTITION BY x.team_id ORDER BY x.id) AS nth
      FROM share CROSS JOIN teams CROSS JOIN LATERAL (
        SELECT e.id, e.team_id, e.mode, e.type, e.object_id, e.sequence,
          (extract(epoch FROM e.created_at) * 1000)::bigint AS created_ms
        FROM events e
        WHERE e.team_id >= teams.team_id AND e.team_id <= teams.team_id AND e.relayed_at IS NULL
          AND e.relay_failures < ${DEAD_LETTER_FAILURE_COUNT}::int
          AND e.id <> ALL (${[...skip]}) AND e.type <> ALL (${[...but_types]})
        ORDER BY e.team_id, e.id LIMIT share.size
      ) x
    )
    SELECT
      (SELECT json_agg(x)::text FROM (
        SELECT id, team_id, mode, type, object_id, sequence, created_ms FROM waiting ORDER BY nth, id LIMIT ${limit}::int
      ) x) AS events,
      (SELECT count(*)::int FROM teams) AS teams,
      (SELECT coalesce(max(team_id), '') FROM teams) AS last,
      (SELECT bool_or(waiting.nth >= share.size) FROM waiting, share) AS more`,
  );
  return {
    events: result?.events ? (JSON.parse(result.events) as PendingEvent[]) : [],
    next_team: result && result.teams >= limit ? result.last : null,
    more: result?.more ?? false,
  };
}

/**
 * Queues a delivery for every enabled endpoint that subscribes to the type and existed before the
 * event.
 */
export async function queueWebhookDeliveries(events: readonly PendingEvent[]): Promise<void> {
  const endpoints = await systemDb().webhookEndpoint.findMany({
    where: { status: 'enabled', team_id: { in: [...new Set(events.map((event) => event.team_id))] } },
    select: { id: true, team_id: true, mode: true, events: true, created_at: true, after_sequence: true },
  });
  if (endpoints.length === 0) return;
  const now = clock().now();
  const rows = events.flatMap((event) =>
    endpoints
      .filter(
        (endpoint) =>
          endpoint.team_id === event.team_id &&
          endpoint.mode === event.mode &&
          endpoint.after_sequence < event.sequence &&
          // Endpoints created by an older version have no sequence, so their time of creation is
          // compared.
          endpoint.created_at.getTime() <= event.created_ms + CLOCK_SKEW_MS &&
          (endpoint.events.includes('*') || endpoint.events.includes(event.type)),
      )
      .map((endpoint) => ({
        id: newId('webhook_delivery'),
        team_id: event.team_id,
        mode: event.mode,
        event_id: event.id,
        endpoint_id: endpoint.id,
        event_type: event.type,
      })),
  );
  if (rows.length === 0) return;
  await systemDb().$executeRaw(Prisma.sql`
    INSERT INTO webhook_deliveries
      (id, team_id, mode, event_id, endpoint_id, event_type, attempt_number, delivery_began_at, due_at, created_at)
    SELECT r.id, r.team_id, r.mode::"Mode", r.event_id, r.endpoint_id, r.event_type, 1, t.now, t.now, t.now
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS r(id text, team_id text, mode text, event_id text, endpoint_id text, event_type text)
    JOIN webhook_endpoints e ON e.id = r.endpoint_id
    CROSS JOIN (SELECT ${now.toISOString()}::timestamptz AS now) t
    -- One that is deleted at this moment is left out, or all would have to be queued again.
    FOR KEY SHARE OF e
    ON CONFLICT (endpoint_id, event_id, attempt_number) DO NOTHING`);
}

/** Returns the `data` of each event by event id. */
export async function readWebhookEventDataById(
  ids: readonly string[],
): Promise<Map<string, WebhookDeliveryBody['data']>> {
  const bodies = await systemDb().event.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, body: true },
  });
  return new Map(bodies.map(({ id, body }) => [id, (JSON.parse(body) as WebhookDeliveryBody).data]));
}

export async function markEventsRelayed(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE events SET relayed_at = ${clock().now().toISOString()}::timestamptz
    WHERE id = ANY (ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)))
      -- "relayed_at IS NULL" fits the index of waiting events, which the planner takes for nearly empty and reads whole.
      AND coalesce(relayed_at, '-infinity') = '-infinity'`);
}

/** Counts a failure of an event and returns the new count. */
export async function incrementRelayFailureCount(id: string, error: string): Promise<number> {
  const [row] = await systemDb().event.updateManyAndReturn({
    where: { id, relayed_at: null },
    data: { relay_failures: { increment: 1 }, relay_error: error.slice(0, 500) },
    select: { relay_failures: true },
  });
  return row?.relay_failures ?? 0;
}

/** An event that the relay has stopped retrying. */
export interface DeadLetter {
  id: string;
  team_id: string;
  mode: Mode;
  type: string;
  relay_error: string | null;
  created_at: Date;
}

/** Returns the events that the relay has stopped retrying, oldest first. */
export function listDeadLetters(limit = 100): Promise<DeadLetter[]> {
  return systemDb().event.findMany({
    where: { relayed_at: null, relay_failures: { gte: DEAD_LETTER_FAILURE_COUNT } },
    select: { id: true, team_id: true, mode: true, type: true, relay_error: true, created_at: true },
    orderBy: { id: 'asc' },
    take: limit,
  });
}

/** Makes the relay retry a dead letter. Returns false when there is no dead letter with this id. */
export async function retryDeadLetter(id: string): Promise<boolean> {
  const { count } = await systemDb().event.updateMany({
    where: { id, relayed_at: null, relay_failures: { gte: DEAD_LETTER_FAILURE_COUNT } },
    data: { relay_failures: 0 },
  });
  return count === 1;
}
