/** Reads the rows of a month in pages, so that memory use does not grow with their number. */
import type { Prisma } from '@/generated/prisma/client';
import { scopedDb } from '@/infra/db/scoped-client';
import { parseCalendarDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';

const PAGE = 500;

interface Window {
  /** Calendar days: `from` is the first day, and `to` is the day after the last one. */
  from: string;
  to: string;
  property?: string | undefined;
}

const RESERVATION = {
  id: true,
  property_id: true,
  packet_id: true,
  guest_name: true,
  guest_email: true,
  checkin_date: true,
  checkout_date: true,
  status: true,
  source: true,
  external_id: true,
  sent_at: true,
  signed_at: true,
  cancelled_at: true,
  property: { select: { name: true, timezone: true } },
} satisfies Prisma.ReservationSelect;
export type ReservationForMonthCsv = Prisma.ReservationGetPayload<{ select: typeof RESERVATION }>;

export async function* iterateReservationsForMonthCsv(
  scope: Scope,
  { from, to, property }: Window,
): AsyncGenerator<ReservationForMonthCsv[]> {
  let after: Pick<ReservationForMonthCsv, 'checkin_date' | 'id'> | undefined;
  for (;;) {
    const rows: ReservationForMonthCsv[] = await scopedDb(scope).reservation.findMany({
      where: {
        checkin_date: { gte: after?.checkin_date ?? parseCalendarDay(from), lt: parseCalendarDay(to) },
        ...(property && { property_id: property }),
        ...(after && { OR: [{ checkin_date: { gt: after.checkin_date } }, { id: { gt: after.id } }] }),
      },
      orderBy: [{ checkin_date: 'asc' }, { id: 'asc' }],
      take: PAGE,
      select: RESERVATION,
    });
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

const CERTIFICATE = {
  id: true,
  reservation_id: true,
  property_id: true,
  signer_name: true,
  signed_at: true,
  sealed_at: true,
  redacted_at: true,
  legal_hold: true,
  locale: true,
  pdf_sha256: true,
} satisfies Prisma.SignatureSelect;
export type CertificateForMonthCsv = Prisma.SignatureGetPayload<{ select: typeof CERTIFICATE }>;

/** Yields certificates signed between two moments, in order of signing. */
export async function* iterateCertificatesForMonthCsv(
  scope: Scope,
  { from, to, property }: { from: Date; to: Date; property?: string | undefined },
): AsyncGenerator<CertificateForMonthCsv[]> {
  let after: Pick<CertificateForMonthCsv, 'signed_at' | 'id'> | undefined;
  for (;;) {
    const rows: CertificateForMonthCsv[] = await scopedDb(scope).signature.findMany({
      where: {
        signed_at: { gte: after?.signed_at ?? from, lt: to },
        ...(property && { property_id: property }),
        ...(after && { OR: [{ signed_at: { gt: after.signed_at } }, { id: { gt: after.id } }] }),
      },
      orderBy: [{ signed_at: 'asc' }, { id: 'asc' }],
      take: PAGE,
      select: CERTIFICATE,
    });
    if (rows.length > 0) yield rows;
    after = rows.at(-1);
    if (rows.length < PAGE) return;
  }
}

export async function findPropertiesById(scope: Scope, ids: readonly string[]) {
  const rows = await scopedDb(scope).property.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true, name: true, timezone: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the canonical snapshots by reservation id. A redacted snapshot is an empty text. */
export async function findAgreementSnapshotJsonByReservationId(
  scope: Scope,
  reservation_ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await scopedDb(scope).signature.findMany({
    where: { reservation_id: { in: [...reservation_ids] } },
    select: { reservation_id: true, snapshot: { select: { canonical: true } } },
  });
  return new Map(rows.map(({ reservation_id, snapshot }) => [reservation_id, snapshot.canonical]));
}

/**
 * Returns the packets that unsigned guests would sign now: the reservation's own packet, or the
 * property's default packet.
 */
export function findPacketsForUnsignedGuests(scope: Scope, rows: readonly ReservationForMonthCsv[]) {
  const ids = [...new Set(rows.flatMap(({ packet_id }) => packet_id ?? []))];
  const property_ids = [...new Set(rows.map(({ property_id }) => property_id))];
  return scopedDb(scope).packet.findMany({
    where: { OR: [{ id: { in: ids } }, { property_id: { in: property_ids }, is_default: true, status: 'active' }] },
    select: { id: true, property_id: true, is_default: true, currency: true, fees: true },
  });
}
