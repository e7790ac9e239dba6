/** Queries on double bookings. */
import { systemDb } from '@/infra/db/client';
import { Prisma, scopedDb } from '@/infra/db/scoped-client';
import type { Mode, Scope } from '@/shared/scope';
import type { StayForDoubleBookingCheck } from './same-nights.rules';

export interface StayRowForDoubleBookingCheck extends StayForDoubleBookingCheck {
  source: 'channel_a' | 'channel_b' | 'channel_c' | 'direct';
  property_id: string;
  version: number;
}

/**
 * The maximum number of overlapping reservations that are compared with one reservation. A property
 * with more overlaps hosts several parties at a time.
 */
const MAX_OTHERS = 100;
/** The maximum number of a property's stays with which a calendar's stays are compared. */
const MAX_AHEAD = 2_000;

const columnsOf = (table: 'r' | 'o') =>
  Prisma.raw(
    `${table}.id, ${table}.property_id, ${table}.version, ${table}.guest_name, ${table}.guest_email, ${table}.status::text AS status, ` +
      `${table}.source::text AS source, ${table}.external_source, ${table}.external_id, ${table}.external_uid, ${table}.sync_source_id, ` +
      `to_char(${table}.checkin_date, 'YYYY-MM-DD') AS checkin_date, to_char(${table}.checkout_date, 'YYYY-MM-DD') AS checkout_date`,
  );

const idList = (ids: readonly string[]) => Prisma.join([...ids]);

/**
 * Returns the given reservations that are not over at `today` and whose property hosts one party at
 * a time.
 */
export function findStaysByIdThatCanBeDoubleBooked(
  scope: Scope,
  ids: readonly string[],
  today: string,
): Promise<StayRowForDoubleBookingCheck[]> {
  return scopedDb(scope).$queryRaw<StayRowForDoubleBookingCheck[]>(Prisma.sql`
    SELECT ${columnsOf('r')} FROM reservations r
    JOIN properties p ON p.id = r.property_id AND p.team_id = ${scope.team_id} AND p.mode = ${scope.mode}::"Mode"
    WHERE r.team_id = ${scope.team_id} AND r.mode = ${scope.mode}::"Mode" AND r.id IN (${idList(ids)})
      AND NOT p.parallel_stays AND r.status NOT IN ('ignored', 'expired') AND r.checkout_date >= ${today}::date`);
}

/**
 * Returns the reservations of other sources that share nights with any of the given reservations.
 * Properties without a calendar or forwarding address are skipped, because all their bookings have
 * the same source.
 */
export function listOverlappingStays(
  scope: Scope,
  ids: readonly string[],
  today: string,
): Promise<StayRowForDoubleBookingCheck[]> {
  return scopedDb(scope).$queryRaw<StayRowForDoubleBookingCheck[]>(Prisma.sql`
    SELECT DISTINCT ${columnsOf('o')} FROM reservations r
    JOIN LATERAL (
      SELECT * FROM reservations o
      WHERE o.team_id = ${scope.team_id} AND o.mode = ${scope.mode}::"Mode" AND o.property_id = r.property_id
        AND o.checkout_date > greatest(r.checkin_date, ${today}::date - 1) AND o.checkin_date < r.checkout_date
        AND o.status NOT IN ('ignored', 'expired') AND o.sync_source_id IS DISTINCT FROM r.sync_source_id
      ORDER BY o.checkout_date, o.checkin_date LIMIT ${MAX_OTHERS}::int
    ) o ON true
    WHERE r.team_id = ${scope.team_id} AND r.mode = ${scope.mode}::"Mode" AND r.id IN (${idList(ids)})
      AND EXISTS (SELECT 1 FROM sync_sources s WHERE s.property_id = r.property_id
        AND s.team_id = ${scope.team_id} AND s.mode = ${scope.mode}::"Mode")`);
}

/** Returns whether the property has stays of another source that are not over at `today`. */
export async function hasStaysFromOtherSource(
  scope: Scope,
  property_id: string,
  sync_source_id: string,
  today: string,
): Promise<boolean> {
  const found = await scopedDb(scope).$queryRaw<unknown[]>(Prisma.sql`
    SELECT 1 FROM reservations
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND property_id = ${property_id}
      AND checkout_date >= ${today}::date AND sync_source_id IS DISTINCT FROM ${sync_source_id} LIMIT 1`);
  return found.length > 0;
}

/**
 * Returns a property's stays that are not over at `today`. Returns none if the property hosts
 * several parties at a time.
 */
export function listUpcomingStaysOfProperty(
  scope: Scope,
  property_id: string,
  today: string,
): Promise<StayRowForDoubleBookingCheck[]> {
  return scopedDb(scope).$queryRaw<StayRowForDoubleBookingCheck[]>(Prisma.sql`
    SELECT ${columnsOf('r')} FROM reservations r
    JOIN properties p ON p.id = r.property_id AND p.team_id = ${scope.team_id} AND p.mode = ${scope.mode}::"Mode"
    WHERE r.team_id = ${scope.team_id} AND r.mode = ${scope.mode}::"Mode" AND r.property_id = ${property_id}
      AND NOT p.parallel_stays AND r.status NOT IN ('ignored', 'expired') AND r.checkout_date >= ${today}::date
    ORDER BY r.checkout_date, r.checkin_date LIMIT ${MAX_AHEAD}::int`);
}

/**
 * Returns the stored pairs of these reservations. A pair is stored when the owners are notified or
 * the host confirms both bookings.
 */
export function listDoubleBookingPairs(scope: Scope, ids: readonly string[]) {
  const any = { in: [...ids] };
  return scopedDb(scope).sameNights.findMany({ where: { OR: [{ reservation_id: any }, { other_id: any }] } });
}

export async function insertDoubleBookingPairs(scope: Scope, pairs: readonly (readonly [string, string])[], now: Date) {
  const { team_id, mode } = scope;
  await scopedDb(scope).sameNights.createMany({
    data: pairs.map(([reservation_id, other_id]) => ({ reservation_id, other_id, created_at: now, team_id, mode })),
    skipDuplicates: true,
  });
}

export async function deleteDoubleBookingPairs(
  scope: Scope,
  pairs: readonly { reservation_id: string; other_id: string }[],
) {
  if (pairs.length === 0) return;
  const OR = pairs.map(({ reservation_id, other_id }) => ({ reservation_id, other_id }));
  await scopedDb(scope).sameNights.deleteMany({ where: { OR } });
}

export async function saveConfirmationThatBothBookingsAreReal(
  scope: Scope,
  [reservation_id, other_id]: readonly [string, string],
  now: Date,
) {
  await scopedDb(scope).sameNights.updateMany({ where: { reservation_id, other_id }, data: { both_real_at: now } });
}

export async function findPropertyName(scope: Scope, id: string): Promise<string | null> {
  const row = await scopedDb(scope).property.findFirst({ where: { id }, select: { name: true } });
  return row?.name ?? null;
}

/** Marks reservations as compared, unless they changed again. */
export async function markAsCheckedForDoubleBookings(
  scope: Scope,
  rows: readonly { id: string; version: number }[],
): Promise<void> {
  await scopedDb(scope).$executeRaw(Prisma.sql`
    UPDATE reservations SET nights_changed = false
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      AND (id, version) IN (${Prisma.join(rows.map(({ id, version }) => Prisma.sql`(${id}, ${version}::int)`))})`);
}

/** A reservation whose nights must be compared. */
export interface ReservationForDoubleBookingCheck {
  id: string;
  version: number;
  team_id: string;
  mode: Mode;
  property_id: string;
}

/**
 * Returns rows with changed nights: of one property, or of all properties whose id follows `after`.
 * Ordered by property.
 */
export function findReservationsForDoubleBookingCheck(
  which: { after: string } | { property_id: string },
  limit: number,
): Promise<ReservationForDoubleBookingCheck[]> {
  const some =
    'after' in which ? Prisma.sql`property_id > ${which.after}` : Prisma.sql`property_id = ${which.property_id}`;
  return systemDb().$queryRaw<ReservationForDoubleBookingCheck[]>(Prisma.sql`
    SELECT id, version, team_id, mode::text AS mode, property_id FROM reservations
    WHERE nights_changed AND ${some} ORDER BY property_id, id LIMIT ${limit}::int`);
}
