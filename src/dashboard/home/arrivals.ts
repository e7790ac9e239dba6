/** Which of the coming arrivals need a person, and in which order. Pure. */
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';

export interface Arrival {
  id: string;
  status: (typeof RESERVATION_STATUSES)[number];
  checkin_date: string;
  guest_contact_missing: boolean;
}

/** Unsigned this many days before check-in is worth a look. */
const NEAR_DAYS = 3;

/** Why an arrival needs attention, or null. `today` is `2026-12-24`. */
export function attentionFor(arrival: Arrival, today: string): string | null {
  const days = Math.round((Date.parse(arrival.checkin_date) - Date.parse(today)) / 86_400_000);
  if (arrival.status === 'signed' || arrival.status === 'ignored' || arrival.status === 'expired') return null;
  if (arrival.guest_contact_missing) return 'No e-mail address: the packet cannot be sent';
  if (days > NEAR_DAYS) return null;
  const when = days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
  const unsent = arrival.status === 'draft' || arrival.status === 'synced';
  return `${unsent ? 'Not sent' : 'Not signed'}, and arrives ${when}`;
}

/** The arrivals by check-in day, the nearest first; cancelled and expired ones left out. */
export function sortArrivals<T extends Arrival>(arrivals: readonly T[]): T[] {
  return arrivals
    .filter((item) => item.status !== 'ignored' && item.status !== 'expired')
    .sort((a, b) => a.checkin_date.localeCompare(b.checkin_date) || a.id.localeCompare(b.id));
}

export function daysLater(day: string, days: number): string {
  return new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
}
