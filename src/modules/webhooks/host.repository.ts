/** Queries for the dashboard's webhook pages: health, delivery log and undelivered events. */
import type { Event, WebhookDelivery } from '@/generated/prisma/client';
import { listRowsByKeyset, type Page } from '@/infra/db/keyset';
import { Prisma, scopedDb } from '@/infra/db/scoped-client';
import { ID_PREFIXES } from '@/shared/id-kinds';
import type { Scope } from '@/shared/scope';
import type { HostEventDeliveryListQuery, HostWebhookDeliveryListQuery } from './host.schemas';

/** Counts finished attempts that were queued after `since`, by endpoint. */
export function countFinishedAttemptsByEndpoint(scope: Scope, since: Date) {
  return scopedDb(scope).$queryRaw<{ endpoint_id: string; succeeded: number; failed: number }[]>(Prisma.sql`
    SELECT endpoint_id, count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded,
      count(*) FILTER (WHERE status = 'failed')::int AS failed
    FROM webhook_deliveries
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND created_at >= ${since.toISOString()}::timestamptz
    GROUP BY endpoint_id`);
}

/** Counts pending attempts, by endpoint. */
export async function countWaitingDeliveryAttempts(
  scope: Scope,
  endpoint_ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await scopedDb(scope).webhookDelivery.groupBy({
    by: ['endpoint_id'],
    where: { endpoint_id: { in: [...endpoint_ids] }, status: 'pending' },
    _count: { _all: true },
  });
  return new Map(rows.map((row) => [row.endpoint_id, row._count._all]));
}

/**
 * Counts finished attempts by the time at which they were queued, in buckets of `bucket_s` seconds
 * from `since` on.
 */
export function groupAttemptsByTimeBucket(scope: Scope, endpoint_id: string, since: Date, bucket_s: number) {
  const from = since.toISOString();
  return scopedDb(scope).$queryRaw<{ bucket: number; succeeded: number; failed: number }[]>(Prisma.sql`
    SELECT floor(extract(epoch FROM created_at - ${from}::timestamptz) / ${bucket_s}::int)::int AS bucket,
      count(*) FILTER (WHERE status = 'succeeded')::int AS succeeded, count(*) FILTER (WHERE status = 'failed')::int AS failed
    FROM webhook_deliveries
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND endpoint_id = ${endpoint_id}
      AND created_at >= ${from}::timestamptz
    GROUP BY 1`);
}

export async function listAttemptDurations(scope: Scope, endpoint_id: string, since: Date) {
  const [row] = await scopedDb(scope).$queryRaw<{ median_ms: number | null; p95_ms: number | null }[]>(Prisma.sql`
    SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_ms))::int AS median_ms,
      round(percentile_cont(0.95) WITHIN GROUP (ORDER BY duration_ms))::int AS p95_ms
    FROM webhook_deliveries
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND endpoint_id = ${endpoint_id}
      AND created_at >= ${since.toISOString()}::timestamptz AND status = 'succeeded'`);
  return { median_ms: row?.median_ms ?? null, p95_ms: row?.p95_ms ?? null };
}

export function listDeliveryAttemptRows(
  scope: Scope,
  query: HostWebhookDeliveryListQuery,
): Promise<Page<WebhookDelivery>> {
  const { id: endpoint_id, status, event_type, event_id } = query;
  const where = {
    endpoint_id,
    ...(status && { status }),
    ...(event_type && { event_type }),
    ...(event_id && { event_id }),
  };
  return listRowsByKeyset(scopedDb(scope).webhookDelivery, 'webhookDelivery', 'webhook_delivery', where, query);
}

/**
 * Lists each event's first attempt at an endpoint. `status` filters by the event's overall status
 * at this endpoint.
 */
export function listFirstDeliveryAttemptOfEachEvent(
  scope: Scope,
  query: HostEventDeliveryListQuery,
): Promise<Page<WebhookDelivery>> {
  const { id: endpoint_id, status, event_type, event_id, from, to } = query;
  const became = (one: string) => ({ some: { endpoint_id, status: one } });
  const where: Prisma.WebhookDeliveryWhereInput = {
    endpoint_id,
    attempt_number: 1,
    ...(event_type && { event_type }),
    ...(event_id && { event_id }),
    ...((from || to) && { created_at: { ...(from && { gte: new Date(from) }), ...(to && { lt: new Date(to) }) } }),
    // An event with any accepted attempt counts as succeeded. An event with a failed attempt and
    // none accepted counts as failed, even while a retry is pending.
    ...(status === 'failed'
      ? { event: { deliveries: { ...became('failed'), none: { endpoint_id, status: 'succeeded' } } } }
      : status && { event: { deliveries: became(status) } }),
  };
  return listRowsByKeyset(scopedDb(scope).webhookDelivery, 'webhookDelivery', 'webhook_delivery', where, query);
}

/** Returns all attempts of these events at an endpoint, in order. */
export function findAttemptsOfEventsAtEndpoint(
  scope: Scope,
  endpoint_id: string,
  event_ids: readonly string[],
): Promise<WebhookDelivery[]> {
  return scopedDb(scope).webhookDelivery.findMany({
    where: { endpoint_id, event_id: { in: [...event_ids] } },
    orderBy: { attempt_number: 'asc' },
  });
}

export function findDeliveryAttempt(scope: Scope, id: string): Promise<WebhookDelivery | null> {
  return scopedDb(scope).webhookDelivery.findFirst({ where: { id } });
}

/** Returns an event's attempts at these endpoints, latest first for each endpoint. */
export function findAttemptsOfEventAtEndpoints(
  scope: Scope,
  event_id: string,
  endpoint_ids: readonly string[],
): Promise<WebhookDelivery[]> {
  return scopedDb(scope).webhookDelivery.findMany({
    // Filters by endpoint first, because the unique index begins with it.
    where: { endpoint_id: { in: [...endpoint_ids] }, event_id },
    orderBy: [{ endpoint_id: 'asc' }, { attempt_number: 'desc' }],
  });
}

export function findEventBody(scope: Scope, id: string): Promise<Pick<Event, 'body'> | null> {
  return scopedDb(scope).event.findFirst({ where: { id }, select: { body: true } });
}

/** An event that an endpoint has not accepted, with its latest attempt at that endpoint, if any. */
export interface UndeliveredEvent {
  event_id: string;
  type: string;
  delivery_id: string | null;
  status: 'pending' | 'failed' | null;
  attempt_number: number | null;
}

/**
 * Finds events since `since` that the endpoint has not accepted although it subscribes to them,
 * oldest first. Includes events whose retries have ended, events with a pending retry, and events
 * recorded while the endpoint was disabled. Omits test events.
 */
export function findUndeliveredEvents(
  scope: Scope,
  endpoint: { id: string; events: readonly string[]; created_at: Date },
  since: Date,
  now: Date,
  limit: number,
): Promise<UndeliveredEvent[]> {
  const from = since > endpoint.created_at ? since : endpoint.created_at;
  const all = endpoint.events.includes('*');
  return scopedDb(scope).$queryRaw<UndeliveredEvent[]>(Prisma.sql`
    SELECT e.id AS event_id, e.type, d.id AS delivery_id, d.status, d.attempt_number
    FROM events e
    LEFT JOIN LATERAL (
      SELECT w.id, w.status, w.attempt_number, w.due_at, w.lease_until FROM webhook_deliveries w
      WHERE w.team_id = e.team_id AND w.mode = e.mode AND w.endpoint_id = ${endpoint.id} AND w.event_id = e.id
      ORDER BY w.attempt_number DESC LIMIT 1
    ) d ON true
    WHERE e.team_id = ${scope.team_id} AND e.mode = ${scope.mode}::"Mode" AND e.created_at >= ${from.toISOString()}::timestamptz
      AND e.relayed_at IS NOT NULL AND left(e.object_id, 4) <> ${ID_PREFIXES.webhook_endpoint}
      AND CASE
        WHEN d.id IS NULL THEN ${all}::boolean OR e.type IN (SELECT jsonb_array_elements_text(${JSON.stringify(endpoint.events)}::jsonb))
        WHEN d.status = 'pending' THEN d.due_at > ${now.toISOString()}::timestamptz
        ELSE d.status = 'failed'
      END
    ORDER BY e.created_at, e.id LIMIT ${limit}::int`);
}

/** Makes pending attempts due now, except attempts in flight. */
export async function makePendingDeliveryAttemptsDueNow(
  scope: Scope,
  ids: readonly string[],
  now: Date,
): Promise<void> {
  await scopedDb(scope).webhookDelivery.updateMany({
    where: { id: { in: [...ids] }, status: 'pending', OR: [{ lease_until: null }, { lease_until: { lte: now } }] },
    data: { due_at: now, trigger: 'redelivery' },
  });
}

type NewAttempt = Omit<Prisma.WebhookDeliveryCreateManyInput, 'team_id' | 'mode'>;

/** Queues attempts. Omits attempts that another process has already queued. */
export async function queueDeliveryAttempts(scope: Scope, rows: readonly NewAttempt[]): Promise<void> {
  if (rows.length === 0) return;
  const { team_id, mode } = scope;
  await scopedDb(scope).webhookDelivery.createMany({
    data: rows.map((row) => ({ ...row, team_id, mode })),
    skipDuplicates: true,
  });
}
