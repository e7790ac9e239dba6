/** Queries of deleting a property: what stands in its way, and what it takes with it. */
import type { Property } from '@/generated/prisma/client';
import { scopedDb } from '@/infra/db/scoped-client';
import { timeAt } from '@/modules/test-clocks/time';
import { textToDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';
import { localDate } from '@/shared/zoned-time';

export interface PropertyObstacles {
  /** Reservations in synced, sent, opened or clicked whose stay is not over. */
  active: number;
  /** Anything under legal hold: then it is never deleted. */
  legal_hold: boolean;
}

export async function findObstacles(scope: Scope, property: Property): Promise<PropertyObstacles> {
  const today = textToDay(localDate(await timeAt(scope, property), property.timezone));
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

/** How many rows hang on a property. */
export async function countBelongings(scope: Scope, property_id: string) {
  const where = { property_id };
  return {
    packets: await scopedDb(scope).packet.count({ where }),
    reservations: await scopedDb(scope).reservation.count({ where }),
    calendars: await scopedDb(scope).syncSource.count({ where }),
    certificates: await scopedDb(scope).signature.count({ where }),
  };
}

/**
 * Deletes a property; its packets, calendars, forwarding addresses and reservations go with it (prisma/schema.prisma); false
 * when it changed meanwhile. Signatures stay, and so do the trails of signed reservations, which prove them.
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
