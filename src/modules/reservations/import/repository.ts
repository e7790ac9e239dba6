/** Queries for existing stays, with which an import compares its lines. */
import { scopedDb } from '@/infra/db/scoped-client';
import { convertDatabaseDateToIsoDay, parseCalendarDay } from '@/shared/calendar-day';
import type { Scope } from '@/shared/scope';

export function listPropertyNames(scope: Scope) {
  return scopedDb(scope).property.findMany({ select: { id: true, name: true } });
}

/** Returns stays of these properties that check in between two days or have one of the codes. */
export async function listStaysMatchingImport(
  scope: Scope,
  { property_ids, from, to, codes }: { property_ids: string[]; from: string; to: string; codes: string[] },
) {
  const rows = await scopedDb(scope).reservation.findMany({
    where: {
      property_id: { in: property_ids },
      status: { not: 'ignored' },
      OR: [
        { checkin_date: { gte: parseCalendarDay(from), lte: parseCalendarDay(to) } },
        { external_id: { in: codes } },
      ],
    },
    select: {
      property_id: true,
      guest_name: true,
      guest_email: true,
      checkin_date: true,
      checkout_date: true,
      external_id: true,
    },
  });
  return rows.map((row) => ({
    ...row,
    checkin_date: convertDatabaseDateToIsoDay(row.checkin_date),
    checkout_date: convertDatabaseDateToIsoDay(row.checkout_date),
  }));
}
