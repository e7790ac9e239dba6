/** What a property's reservations mean for deleting it (DESIGN "Reservation status", its last paragraph). */
import type { Property } from '@/generated/prisma/client';
import type { ScopedDb } from '@/infra/db/scoped-client';
import { textToDay } from '@/shared/calendar-day';
import { clock } from '@/shared/clock';
import type { Scope } from '@/shared/scope';
import { localDate } from '@/shared/zoned-time';
import { deleteTrails } from './repository';

export interface PropertyObstacles {
  /** Reservations in synced, sent, opened or clicked whose stay is not over. */
  active: number;
  /** Anything under legal hold: then it is never deleted. */
  legal_hold: boolean;
}

export async function propertyObstacles(_scope: Scope, property: Property, db: ScopedDb): Promise<PropertyObstacles> {
  const today = textToDay(localDate(clock().now(), property.timezone));
  const property_id = property.id;
  const [active, held, held_signature] = [
    await db.reservation.count({
      where: { property_id, status: { in: ['synced', 'sent', 'opened', 'clicked'] }, checkout_date: { gte: today } },
    }),
    await db.reservation.findFirst({ where: { property_id, legal_hold: true }, select: { id: true } }),
    await db.signature.findFirst({ where: { property_id, legal_hold: true }, select: { id: true } }),
  ];
  return { active, legal_hold: held !== null || held_signature !== null };
}

/** The trails of signed reservations, which prove their certificates, stay when the property goes; the others do not. */
export async function deleteUnsignedTrails(_scope: Scope, property_id: string, db: ScopedDb): Promise<void> {
  const rows = await db.reservation.findMany({ where: { property_id, signature_id: null }, select: { id: true } });
  await deleteTrails(
    rows.map((row) => row.id),
    db,
  );
}
