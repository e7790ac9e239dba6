/** Which reservations of all teams may be due. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import type { Mode } from '@/shared/scope';
import type { DateRange, TimedWork, TimingFacts, TimingProperty } from '../rules/reminders';
import type { ReservationStatus } from '../rules/transitions';

/** What the timing rules read of a reservation and its property. */
export interface Candidate extends TimingFacts, TimingProperty {
  id: string;
  team_id: string;
  mode: Mode;
}

/** Narrower than the rules and never stricter: what these leave out is not due. */
const STATUSES: Record<TimedWork, readonly ReservationStatus[]> = {
  auto_send: ['draft', 'synced'],
  reminder_24h: ['sent', 'opened', 'clicked'],
  reminder_2h: ['sent', 'opened', 'clicked'],
  late_alert: ['draft', 'synced', 'sent', 'opened', 'clicked'],
  expire: ['synced', 'sent', 'opened', 'clicked'],
};

const CONDITIONS: Record<TimedWork, Prisma.Sql> = {
  auto_send: Prisma.sql`p.auto_send_packet AND r.guest_email IS NOT NULL`,
  reminder_24h: Prisma.sql`p.auto_reminders AND r.guest_email IS NOT NULL AND r.reminder_24h_sent_at IS NULL`,
  reminder_2h: Prisma.sql`p.auto_reminders AND r.guest_email IS NOT NULL AND r.reminder_2h_sent_at IS NULL`,
  late_alert: Prisma.sql`r.late_notified_at IS NULL`,
  expire: Prisma.sql`true`,
};

/** The next `limit` candidates after an id, in the order of ids; or one. */
export function findCandidates(
  work: TimedWork,
  dates: DateRange,
  which: { after_id?: string; id?: string; limit: number },
): Promise<Candidate[]> {
  const column = work === 'expire' ? Prisma.sql`r.checkout_date` : Prisma.sql`r.checkin_date`;
  return systemDb().$queryRaw<Candidate[]>(Prisma.sql`
    SELECT r.id, r.team_id, r.mode::text AS mode, r.status::text AS status, r.guest_email, r.sent_at, r.redacted,
      to_char(r.checkin_date, 'YYYY-MM-DD') AS checkin_date, to_char(r.checkout_date, 'YYYY-MM-DD') AS checkout_date,
      r.reminder_24h_sent_at, r.reminder_2h_sent_at, r.late_notified_at,
      p.timezone, p.auto_send_packet, p.auto_send_offset_hours, p.auto_reminders
    FROM reservations r JOIN properties p ON p.id = r.property_id
    WHERE r.status::text IN (${Prisma.join([...STATUSES[work]])})
      AND ${column} >= ${dates.from ?? '0001-01-01'}::date AND ${column} <= ${dates.to}::date
      AND ${CONDITIONS[work]} AND ${which.id ? Prisma.sql`r.id = ${which.id}` : Prisma.sql`r.id > ${which.after_id ?? ''}`}
    ORDER BY r.id LIMIT ${which.limit}::int`);
}
