/**
 * Queries that delete a property, find what prevents the deletion, and count what would be deleted.
 */
import type { Property } from '@/generated/prisma/client';
import { scopedDb } from '@/infra/db/scoped-client';
import { getCurrentTimeAtProperty } from '@/modules/test-clocks/time';
import { parseCalendarDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';
import { getLocalDate } from '@/shared/zoned-time';

/**
 * Finds what prevents the deletion. `active` is the number of reservations with the status synced,
 * sent, opened or clicked whose stay is not over. `legal_hold` is true when any reservation or
 * certificate of the property is under legal hold.
 */
export async function findDeletionObstacles(scope: Scope, property: Property) {
  const today = parseCalendarDay(getLocalDate(await getCurrentTimeAtProperty(scope, property), property.timezone));
  const property_id = property.id;
  const [active, held, held_signature] = [
    await scopedDb(scope).reservation.count({
      where: { property_id, status: { in: ['synced', 'sent', 'opened', 'clicked'] }, checkout_date: { gte: today } },
    }),
    await scopedDb(scope).reservation.findFirst({ where: { property_id, legal_hold: true }, select: { id: true } }),
    await scopedDb(scope).signature.findFirst({ where: { property_id, legal_hold: true }, select: { id: true } }),
  ];
  return { active, legal_hold: held !== null || held_signature !== null };
}

/** Counts the rows that belong to a property. */
export async function countRowsBelongingToProperty(scope: Scope, property_id: string) {
  const where = { property_id };
  return {
    packets: await scopedDb(scope).packet.count({ where }),
    reservations: await scopedDb(scope).reservation.count({ where }),
    calendars: await scopedDb(scope).syncSource.count({ where }),
    certificates: await scopedDb(scope).signature.count({ where }),
  };
}

/**
 * Deletes a property with its packets, calendars, forwarding addresses and reservations
 * (prisma/schema.prisma). Keeps the signatures, and the trails of signed reservations, which prove
 * the signatures. Returns false when the property was changed since it was read.
 */
export async function deleteProperty(
  scope: Scope,
  { id: property_id, version }: Pick<Property, 'id' | 'version'>,
): Promise<boolean> {
  const unsigned = await scopedDb(scope).reservation.findMany({
    where: { property_id, signature_id: null },
    select: { id: true },
  });
  await scopedDb(scope).trailEntry.deleteMany({ where: { reservation_id: { in: unsigned.map(({ id }) => id) } } });
  const { count } = await scopedDb(scope).property.deleteMany({ where: { id: property_id, version } });
  return count === 1;
}
