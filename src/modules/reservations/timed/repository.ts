/** Queries across all teams for reservations that may have timed work due. */
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Mode, Scope } from '@/shared/scope';
import type {
  PropertyTimingSettings,
  ReservationDateRangeToSweep,
  ReservationTimingFields,
  ScheduledActionKind,
} from '../rules/reminders';
import type { ReservationStatus } from '../rules/transitions';

/** The columns of a reservation and its property for the timing rules. */
export interface ReservationForScheduledAction extends ReservationTimingFields, PropertyTimingSettings {
  id: string;
  team_id: string;
  mode: Mode;
  /** The test clock's time. Null for real time. */
  clock_time: Date | null;
}

/**
 * Which reservations to load: those at properties in real time or of one test clock, or a single
 * reservation.
 */
type Which = { test_clock_id: string | null; after_id: string } | { id: string };

/**
 * The statuses in which each kind of work can be due. The query only preselects by status, and the
 * rules decide.
 */
const STATUSES: Record<ScheduledActionKind, readonly ReservationStatus[]> = {
  auto_send: ['draft', 'synced'],
  reminder_24h: ['sent', 'opened', 'clicked'],
  reminder_2h: ['sent', 'opened', 'clicked'],
  late_alert: ['draft', 'synced', 'sent', 'opened', 'clicked'],
  expire: ['synced', 'sent', 'opened', 'clicked'],
};

const CONDITIONS: Record<ScheduledActionKind, Prisma.Sql> = {
  auto_send: Prisma.sql`p.auto_send_packet AND r.guest_email IS NOT NULL`,
  reminder_24h: Prisma.sql`p.auto_reminders AND r.guest_email IS NOT NULL AND r.reminder_24h_sent_at IS NULL`,
  reminder_2h: Prisma.sql`p.auto_reminders AND r.guest_email IS NOT NULL AND r.reminder_2h_sent_at IS NULL`,
  late_alert: Prisma.sql`r.late_notified_at IS NULL`,
  expire: Prisma.sql`true`,
};

const CANDIDATES = Prisma.sql`
    SELECT r.id, r.team_id, r.mode::text AS mode, r.status::text AS status, r.guest_email, r.sent_at, r.redacted,
      to_char(r.checkin_date, 'YYYY-MM-DD') AS checkin_date, to_char(r.checkout_date, 'YYYY-MM-DD') AS checkout_date,
      r.reminder_24h_sent_at, r.reminder_2h_sent_at, r.late_notified_at,
      p.timezone, p.auto_send_packet, p.auto_send_offset_hours, p.auto_reminders, c.frozen_time AS clock_time
    FROM reservations r JOIN properties p ON p.id = r.property_id LEFT JOIN test_clocks c ON c.id = p.test_clock_id`;

/**
 * Returns reservations for which this kind of work may be due: the next `limit` after an id, in the
 * order of ids, or a single reservation with any dates.
 */
export function findReservationsForScheduledAction(
  work: ScheduledActionKind,
  dates: ReservationDateRangeToSweep | null,
  which: Which,
  limit: number,
): Promise<ReservationForScheduledAction[]> {
  const column = work === 'expire' ? Prisma.sql`r.checkout_date` : Prisma.sql`r.checkin_date`;
  return systemDb().$queryRaw<ReservationForScheduledAction[]>(Prisma.sql`
    ${CANDIDATES}
    WHERE r.status::text IN (${Prisma.join([...STATUSES[work]])})
      AND ${dates ? Prisma.sql`${column} >= ${dates.from ?? '0001-01-01'}::date AND ${column} <= ${dates.to}::date` : Prisma.sql`true`}
      AND ${CONDITIONS[work]} AND ${conditionOf(which)}
    ORDER BY r.id LIMIT ${limit}::int`);
}

function conditionOf(which: Which): Prisma.Sql {
  if ('id' in which) return Prisma.sql`r.id = ${which.id}`;
  const { test_clock_id, after_id } = which;
  const clock = test_clock_id ? Prisma.sql`p.test_clock_id = ${test_clock_id}` : Prisma.sql`p.test_clock_id IS NULL`;
  return Prisma.sql`${clock} AND r.id > ${after_id}`;
}

/**
 * Returns stays at the properties of a test clock that are not signed, expired or ignored. Each
 * checks out on or after `checkout_from`, checks in on or before `checkin_to`, and has an id after
 * `after_id`.
 */
export function findStaysOfTestClock(
  test_clock_id: string,
  { checkout_from, checkin_to }: { checkout_from: string; checkin_to: string },
  after_id: string,
  limit: number,
): Promise<ReservationForScheduledAction[]> {
  return systemDb().$queryRaw<ReservationForScheduledAction[]>(Prisma.sql`
    ${CANDIDATES}
    WHERE p.test_clock_id = ${test_clock_id} AND r.status NOT IN ('signed', 'expired', 'ignored')
      AND r.checkout_date >= ${checkout_from}::date AND r.checkin_date <= ${checkin_to}::date AND r.id > ${after_id}
    ORDER BY r.id LIMIT ${limit}::int`);
}

/** Returns open reservations of a property that were sent before its custom domain lapsed. */
export async function findReservationIdsSentBeforeDomainLapse(scope: Scope, property_id: string): Promise<string[]> {
  const db = scopedDb(scope);
  const property = await db.property.findFirst({
    where: { id: property_id },
    select: { custom_domain_lapsed_at: true },
  });
  if (!property?.custom_domain_lapsed_at) return [];
  const rows = await db.reservation.findMany({
    where: {
      property_id,
      status: { in: ['sent', 'opened', 'clicked'] },
      sent_at: { lt: property.custom_domain_lapsed_at },
    },
    select: { id: true },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
}
