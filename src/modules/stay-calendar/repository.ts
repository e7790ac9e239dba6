/** Queries of the calendar, each bounded by properties and days. */
import { Prisma, scopedDb } from '@/infra/db/scoped-client';
import type { ReservationStatus } from '@/modules/reservations/rules/transitions';
import type { RESERVATION_SOURCES } from '@/modules/reservations/schemas';
import type { Scope } from '@/shared/scope';
import type { StayCalendarWindow } from './schemas';

export function listPropertyNames(scope: Scope, limit: number) {
  return scopedDb(scope).$queryRaw<{ id: string; name: string; city: string | null; timezone: string | null }[]>(
    Prisma.sql`SELECT id, name, city, timezone FROM properties
      WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode"
      ORDER BY lower(name), id LIMIT ${limit}::int`,
  );
}

export interface CalendarStayRow {
  id: string;
  property_id: string;
  guest_name: string;
  checkin_date: string;
  checkout_date: string;
  status: ReservationStatus;
  source: (typeof RESERVATION_SOURCES)[number];
  sent_at: Date | null;
  opened_at: Date | null;
  clicked_at: Date | null;
  signed_at: Date | null;
  manual_override: boolean;
  guest_reply: string | null;
}

/**
 * Returns stays with a night or the departure in the window, using the index on a property's
 * nights.
 */
export function listStaysInCalendarWindow(
  scope: Scope,
  { properties, from, to }: StayCalendarWindow,
  limit: number,
): Promise<CalendarStayRow[]> {
  return scopedDb(scope).$queryRaw<CalendarStayRow[]>(Prisma.sql`
    SELECT id, property_id, guest_name, to_char(checkin_date, 'YYYY-MM-DD') AS checkin_date,
      to_char(checkout_date, 'YYYY-MM-DD') AS checkout_date, status::text AS status, source::text AS source,
      sent_at, opened_at, clicked_at, signed_at, manual_override, guest_reply
    FROM reservations
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND property_id IN (${Prisma.join(properties)})
      AND checkout_date >= ${from}::date AND checkin_date < ${to}::date AND status <> 'ignored'
    ORDER BY checkin_date, id LIMIT ${limit}::int`);
}

/** Returns active calendars with blocked nights. */
export function listCalendarsWithBlockedNights(scope: Scope, properties: readonly string[]) {
  return scopedDb(scope).syncSource.findMany({
    where: { property_id: { in: [...properties] }, enabled: true, NOT: { blocked_nights: { equals: [] } } },
    select: { id: true, property_id: true, blocked_nights: true },
  });
}
