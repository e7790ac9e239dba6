/**
 * Work that becomes due by time alone (design "Durable work", "Reservation status"): automatic
 * sending, the guest's two reminders, the owner's late alert, expiry. Each kind of work has a time
 * window and a column that records its completion. The work is due within the window while the
 * column is unset, and is dropped after the window. A sweep may therefore run twice, late, or after
 * days of downtime without sending late mails. Pure.
 */
import {
  addDays,
  getCheckinMoment,
  getEndOfDay,
  getLocalDate,
  hasCheckoutDayEnded,
  subtractHours,
} from '@/shared/zoned-time';
import { AWAITING_SIGNATURE_STATUSES, RESERVATION_TRANSITIONS, type ReservationStatus } from './transitions';

export interface PropertyTimingSettings {
  /** The IANA time zone. Null or unknown is UTC. */
  timezone: string | null;
  auto_send_packet: boolean;
  /** Hours before check-in, 1 to 336. Null means DEFAULT_AUTO_SEND_OFFSET_HOURS. */
  auto_send_offset_hours: number | null;
  auto_reminders: boolean;
  /** The hour of check-in in the property's zone, 0 to 23. Defaults to 15. */
  check_in_hour?: number;
}

export interface ReservationTimingFields {
  status: ReservationStatus;
  guest_email: string | null;
  /** 'YYYY-MM-DD' */
  checkin_date: string;
  checkout_date: string;
  sent_at: Date | null;
  redacted: boolean;
  reminder_24h_sent_at: Date | null;
  reminder_2h_sent_at: Date | null;
  late_notified_at: Date | null;
}

/** The offset of automatic sending, in hours, when the property sets none. */
export const DEFAULT_AUTO_SEND_OFFSET_HOURS = 72;
/**
 * The number of hours after check-in within which the owner may be notified about an unsigned
 * guest.
 */
export const UNSIGNED_GUEST_ALERT_WINDOW_HOURS = 24;
/** The largest auto_send_offset_hours that the API accepts. */
const MAX_AUTO_SEND_OFFSET_HOURS = 336;

/** A time window: `from` is inclusive, `to` exclusive. */
export interface TimeWindow {
  from: Date;
  to: Date;
}

const contains = (window: TimeWindow, now: Date): boolean => now >= window.from && now < window.to;
const unsent = (status: ReservationStatus): boolean => status === 'draft' || status === 'synced';

export interface ScheduledActionTimeWindows {
  auto_send: TimeWindow;
  reminder_24h: TimeWindow;
  reminder_2h: TimeWindow;
  late_alert: TimeWindow;
}

/**
 * Returns the windows around a check-in. Hours are elapsed time, so a clock change does not affect
 * them. The window of the 24 h reminder ends where the window of the 2 h reminder begins, so that
 * after a downtime a guest gets only one reminder.
 */
export function computeScheduledActionTimeWindows(
  facts: Pick<ReservationTimingFields, 'checkin_date'>,
  property: Pick<PropertyTimingSettings, 'timezone' | 'auto_send_offset_hours' | 'check_in_hour'>,
): ScheduledActionTimeWindows {
  const checkin = getCheckinMoment(facts.checkin_date, property.timezone, property.check_in_hour);
  const offset = property.auto_send_offset_hours ?? DEFAULT_AUTO_SEND_OFFSET_HOURS;
  const before = (hours: number) => subtractHours(checkin, hours);
  return {
    auto_send: { from: before(offset), to: checkin },
    reminder_24h: { from: before(24), to: before(2) },
    reminder_2h: { from: before(2), to: checkin },
    late_alert: { from: checkin, to: before(-UNSIGNED_GUEST_ALERT_WINDOW_HOURS) },
  };
}

/**
 * Returns whether automatic sending is due: the packet was not sent, an address is known, and the
 * current time is between the start of the window and check-in.
 */
export function isAutoSendDue(facts: ReservationTimingFields, property: PropertyTimingSettings, now: Date): boolean {
  if (!property.auto_send_packet || !unsent(facts.status) || facts.guest_email === null || facts.redacted) return false;
  return contains(computeScheduledActionTimeWindows(facts, property).auto_send, now);
}

/**
 * Returns whether a reminder is due to a guest who has the packet and has not signed. A packet that
 * is mailed within the reminder's window replaces that reminder.
 */
export function isReminderDue(
  which: 'reminder_24h' | 'reminder_2h',
  facts: ReservationTimingFields,
  property: PropertyTimingSettings,
  now: Date,
): boolean {
  if (!property.auto_reminders || !AWAITING_SIGNATURE_STATUSES.includes(facts.status)) return false;
  if (facts.guest_email === null || facts.redacted || facts.sent_at === null) return false;
  if ((which === 'reminder_24h' ? facts.reminder_24h_sent_at : facts.reminder_2h_sent_at) !== null) return false;
  const window = computeScheduledActionTimeWindows(facts, property)[which];
  return contains(window, now) && facts.sent_at < window.from;
}

/**
 * Returns whether the owner's alert is due: the check-in time has passed and the guest has not
 * signed. Alerts concern guests who got the packet before check-in, and bookings that automatic
 * sending could not send (no address, no packet). A draft at a property without automatic sending
 * raises no alert, because the host decides when to send it.
 */
export function isLateSigningAlertDue(
  facts: ReservationTimingFields,
  property: PropertyTimingSettings,
  now: Date,
): boolean {
  if (facts.late_notified_at !== null || facts.redacted) return false;
  const window = computeScheduledActionTimeWindows(facts, property).late_alert;
  if (!contains(window, now) || hasCheckoutDayEnded(facts.checkout_date, property.timezone, now)) return false;
  if (AWAITING_SIGNATURE_STATUSES.includes(facts.status)) return facts.sent_at !== null && facts.sent_at < window.from;
  return unsent(facts.status) && property.auto_send_packet;
}

/**
 * Returns whether the reservation must expire: its status allows expiry and the check-out day is
 * over. Expiry remains due however late the sweep runs.
 */
export function isReservationExpiryDue(
  facts: Pick<ReservationTimingFields, 'status' | 'checkout_date'>,
  property: Pick<PropertyTimingSettings, 'timezone'>,
  now: Date,
): boolean {
  return (
    RESERVATION_TRANSITIONS.expire[facts.status] !== 'same' &&
    hasCheckoutDayEnded(facts.checkout_date, property.timezone, now)
  );
}

export const SCHEDULED_ACTION_KINDS = ['auto_send', 'reminder_24h', 'reminder_2h', 'late_alert', 'expire'] as const;
export type ScheduledActionKind = (typeof SCHEDULED_ACTION_KINDS)[number];

/** Returns the kinds of work that are due now for one reservation. */
export function listDueScheduledActions(
  facts: ReservationTimingFields,
  property: PropertyTimingSettings,
  now: Date,
): ScheduledActionKind[] {
  const due: Record<ScheduledActionKind, boolean> = {
    auto_send: isAutoSendDue(facts, property, now),
    reminder_24h: isReminderDue('reminder_24h', facts, property, now),
    reminder_2h: isReminderDue('reminder_2h', facts, property, now),
    late_alert: isLateSigningAlertDue(facts, property, now),
    expire: isReservationExpiryDue(facts, property, now),
  };
  return SCHEDULED_ACTION_KINDS.filter((work) => due[work]);
}

/**
 * For each kind of work, returns the moment at which it can become due, ignoring the reservation's
 * status.
 */
export function getScheduledActionDueTimes(
  facts: Pick<ReservationTimingFields, 'checkin_date' | 'checkout_date'>,
  property: Pick<PropertyTimingSettings, 'timezone' | 'auto_send_offset_hours' | 'check_in_hour'>,
): Record<ScheduledActionKind, Date> {
  const { auto_send, reminder_24h, reminder_2h, late_alert } = computeScheduledActionTimeWindows(facts, property);
  return {
    auto_send: auto_send.from,
    reminder_24h: reminder_24h.from,
    reminder_2h: reminder_2h.from,
    late_alert: late_alert.from,
    expire: getEndOfDay(facts.checkout_date, property.timezone),
  };
}

/**
 * Returns bounds on the dates of stays for which any work can become due between two times: the
 * first check-out date and the last check-in date.
 */
export function getStayDateBoundsForScheduledActions(
  from: Date,
  to: Date,
): { checkout_from: string; checkin_to: string } {
  return {
    checkout_from: addDays(getLocalDate(from, 'UTC'), -2),
    checkin_to: addDays(getLocalDate(to, 'UTC'), Math.ceil(MAX_AUTO_SEND_OFFSET_HOURS / 24) + 1),
  };
}

/** Inclusive bounds on a date column, 'YYYY-MM-DD'. */
export interface ReservationDateRangeToSweep {
  from: string | null;
  to: string;
}

/**
 * Returns the range of dates that a sweep must query so that no time zone is missed. It bounds
 * `checkout_date` for `expire` and `checkin_date` for other work. The range covers a few days and
 * uses an index, so the exact rules above test only few rows.
 */
export function getReservationDateRangeToSweep(work: ScheduledActionKind, now: Date): ReservationDateRangeToSweep {
  // A local date differs from the UTC date by at most one day.
  const today = getLocalDate(now, 'UTC');
  switch (work) {
    case 'auto_send':
      return { from: addDays(today, -1), to: addDays(today, Math.ceil(MAX_AUTO_SEND_OFFSET_HOURS / 24) + 1) };
    case 'reminder_24h':
      return { from: addDays(today, -1), to: addDays(today, 2) };
    case 'reminder_2h':
      return { from: addDays(today, -1), to: addDays(today, 1) };
    case 'late_alert':
      return { from: addDays(today, -1 - Math.ceil(UNSIGNED_GUEST_ALERT_WINDOW_HOURS / 24)), to: addDays(today, 1) };
    case 'expire':
      return { from: null, to: today };
  }
}
