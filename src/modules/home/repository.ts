/** Queries for the dashboard's home page. */
import { Prisma, queryRowsInScope, scopedDb, UNSCOPED_SQL_COMMENT } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

const HOUR_MS = 3_600_000;

/**
 * Counts events by day. Each element of `starts` begins a day, except the last, which only ends the
 * last day. `day` counts from 1. Days without events are omitted. Each resend counts as another
 * event.
 */
export function countEventsByDay(scope: Scope, starts: readonly Date[]) {
  const minutes = starts.every((start) => start.getTime() % HOUR_MS === 0) ? 60 : 15;
  const moments = starts.map((start) => start.toISOString());
  return queryRowsInScope<{ day: number; created: number; sent: number; signed: number }>(
    scope,
    Prisma.sql`
    SELECT width_bucket(since, ${moments}::timestamptz[]) AS day, sum(created)::int AS created, sum(sent)::int AS sent, sum(signed)::int AS signed
    FROM activity_counts
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND minutes = ${minutes}::int
      AND since >= ${moments[0]}::timestamptz AND since < ${moments.at(-1)}::timestamptz
    GROUP BY 1`,
  );
}

export interface OnboardingProgressRow {
  property_id: string | null;
  packet: boolean;
  calendar: boolean;
  test_reservation_id: string | null;
  test_signature: boolean;
}

/**
 * Returns which onboarding steps are done: the practice steps in test mode, and the other steps in
 * live mode.
 */
export async function findOnboardingProgress(scope: Scope): Promise<OnboardingProgressRow> {
  const { team_id } = scope;
  const [row] = await scopedDb(scope).$queryRaw<OnboardingProgressRow[]>(Prisma.sql`${UNSCOPED_SQL_COMMENT}
    SELECT
      (SELECT id FROM properties WHERE team_id = ${team_id} AND mode = 'live' ORDER BY created_at LIMIT 1) AS property_id,
      EXISTS (SELECT 1 FROM packets WHERE team_id = ${team_id} AND mode = 'live'
        AND jsonb_array_length(rules) + jsonb_array_length(fees) > 0) AS packet,
      EXISTS (SELECT 1 FROM sync_sources WHERE team_id = ${team_id} AND mode = 'live') AS calendar,
      (SELECT id FROM reservations WHERE team_id = ${team_id} AND mode = 'test'
        AND status IN ('draft', 'sent', 'opened', 'clicked') ORDER BY created_at DESC LIMIT 1) AS test_reservation_id,
      EXISTS (SELECT 1 FROM reservations WHERE team_id = ${team_id} AND mode = 'test' AND status = 'signed') AS test_signature`);
  if (!row) throw new Error('A SELECT without FROM gave no row.');
  return row;
}

/**
 * Counts the objects in the scope's mode that the plan limits. Unrevoked API keys are returned as
 * rows instead of a count.
 */
export async function countPricePlanUsage(scope: Scope) {
  const db = scopedDb(scope);
  const packets = await db.packet.groupBy({
    by: ['property_id'],
    where: { status: 'active' },
    _count: { id: true },
    orderBy: { _count: { id: 'desc' } },
  });
  const [fullest] = packets;
  const property = fullest && (await db.property.findFirst({ where: { id: fullest.property_id } }));
  return {
    properties: await db.property.count({}),
    active_packets: packets.reduce((sum, { _count }) => sum + _count.id, 0),
    fullest_property: property ? { id: property.id, name: property.name, active_packets: fullest._count.id } : null,
    keys: await db.apiKey.findMany({ where: { revoked_at: null } }),
    webhook_endpoints: await db.webhookEndpoint.count({}),
  };
}

/**
 * Counts the stays that check in on or after `from` and before `before`, and how many of them were
 * signed.
 */
export async function countSignedReservations(
  scope: Scope,
  property_id: string,
  from: string,
  before: string,
): Promise<{ stays: number; signed: number }> {
  const [row] = await scopedDb(scope).$queryRaw<{ stays: number; signed: number }[]>(Prisma.sql`
    SELECT count(*)::int AS stays, count(*) FILTER (WHERE status = 'signed')::int AS signed FROM reservations
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND property_id = ${property_id}
      AND checkout_date > ${from}::date AND checkin_date >= ${from}::date AND checkin_date < ${before}::date
      AND status <> 'ignored'`);
  return row ?? { stays: 0, signed: 0 };
}
