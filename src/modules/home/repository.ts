/** Queries of the dashboard's home. */
import { BEYOND_SCOPE, Prisma, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export interface DayCount {
  day: string;
  type: 'reservation.created' | 'reservation.sent' | 'reservation.signed';
  count: number;
}

/** How often each happened, by day of the zone, from a moment on. Events are kept, so a resend is counted where it happened. */
export function countByDay(scope: Scope, since: Date, timezone: string): Promise<DayCount[]> {
  return scopedDb(scope).$queryRaw<DayCount[]>(Prisma.sql`
    SELECT to_char(created_at AT TIME ZONE ${timezone}::text, 'YYYY-MM-DD') AS day, type, count(*)::int AS count
    FROM events
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND created_at >= ${since.toISOString()}::timestamptz
      AND type IN ('reservation.created', 'reservation.sent', 'reservation.signed')
    GROUP BY 1, 2`);
}

export interface StepsRow {
  property_id: string | null;
  packet: boolean;
  test_signature: boolean;
  key: boolean;
  endpoint: boolean;
}

/** Of both modes: practising in test mode counts. The property is one of the mode that is looked at, if there is one. */
export async function findFirstSteps(scope: Scope): Promise<StepsRow> {
  const { team_id, mode } = scope;
  const [row] = await scopedDb(scope).$queryRaw<StepsRow[]>(Prisma.sql`${BEYOND_SCOPE}
    SELECT
      (SELECT id FROM properties WHERE team_id = ${team_id} ORDER BY mode = ${mode}::"Mode" DESC, created_at LIMIT 1) AS property_id,
      EXISTS (SELECT 1 FROM packets WHERE team_id = ${team_id} AND jsonb_array_length(rules) > 0) AS packet,
      EXISTS (SELECT 1 FROM reservations WHERE team_id = ${team_id} AND mode = 'test' AND status = 'signed') AS test_signature,
      EXISTS (SELECT 1 FROM api_keys WHERE team_id = ${team_id} AND revoked_at IS NULL) AS key,
      EXISTS (SELECT 1 FROM webhook_endpoints WHERE team_id = ${team_id}) AS endpoint`);
  if (!row) throw new Error('A SELECT without FROM gave no row.');
  return row;
}

/** What is there of what the plan limits, in the scope's mode, and every key that was not revoked. */
export async function countUsage(scope: Scope) {
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

/** Of the stays that began from one day on and before another, how many were signed. */
export async function countSigned(
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
