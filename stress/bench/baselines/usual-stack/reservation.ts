/** A reservation as Prisma reads it, with the guest's packet. */
import type { Prisma } from '@/generated/prisma/client';
import { type ReservationRow, toReservationResource } from '../resource';

const packet = { select: { arrival_details: true, arrival_release: true } } as const;

export const RESERVATION_WITH_PACKETS_INCLUDE = {
  packet,
  property: { select: { packets: { where: { is_default: true, status: 'active' }, ...packet } } },
} satisfies Prisma.ReservationInclude;

type Loaded = Prisma.ReservationGetPayload<{ include: typeof RESERVATION_WITH_PACKETS_INCLUDE }>;

const day = (date: Date) => date.toISOString().slice(0, 10);

export function buildReservationJson(row: Loaded) {
  const seen = row.packet ?? row.property.packets[0];
  return toReservationResource({
    ...row,
    checkin_date: day(row.checkin_date),
    checkout_date: day(row.checkout_date),
    details: (seen?.arrival_details ?? null) as ReservationRow['details'],
    release: (seen?.arrival_release ?? null) as ReservationRow['release'],
  });
}
