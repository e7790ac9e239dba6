/**
 * Compares two bookings for the same nights of one property (DESIGN "Calendar sync"). Decides
 * whether one only repeats the other, as in a calendar that mirrors another channel's, or both have
 * guests. Pure.
 */
import type { ReservationStatus } from '../rules/transitions';

/** The compared facts of an existing or future reservation. */
export interface Stay {
  readonly id: string;
  readonly guest_name: string;
  readonly guest_email: string | null;
  /** 'YYYY-MM-DD'. The last night is the one before check-out. */
  readonly checkin_date: string;
  readonly checkout_date: string;
  readonly status: ReservationStatus;
  readonly external_source: string | null;
  readonly external_id: string | null;
  readonly external_uid: string | null;
  /** Null for stays that a host or a partner created. */
  readonly sync_source_id: string | null;
}

/**
 * `repeats`: this stay has no guest and only the nights of the other. `repeated_by`: the other stay
 * repeats this one.
 */
export type StayRelation = 'conflict' | 'repeats' | 'repeated_by';

export interface StayOverlap<S extends Stay = Stay> {
  readonly as: StayRelation;
  readonly other: S;
}

type Nights = Pick<Stay, 'checkin_date' | 'checkout_date'>;

/**
 * Returns whether two stays share nights. One party may arrive on the day on which another leaves.
 */
export const sharesNights = (a: Nights, b: Nights): boolean =>
  a.checkin_date < b.checkout_date && b.checkin_date < a.checkout_date;

/**
 * Returns whether a stay occupies its nights. Cancelled, ignored and expired reservations do not.
 */
export const occupiesNights = ({ status }: Pick<Stay, 'status'>): boolean =>
  status !== 'ignored' && status !== 'expired';

/**
 * Calendars that do not distinguish bookings from closures, and may therefore mirror another
 * channel's.
 */
const MIRRORS: ReadonlySet<string> = new Set(['channel_c_ical', 'other_ical']);

/**
 * Returns whether only the nights of the booking are known: no guest's name, code or email address,
 * and its calendar may mirror others. Any fact about the guest makes it an ordinary booking.
 */
export function hasOnlyNights(stay: Omit<Stay, 'id' | 'status' | 'sync_source_id'>): boolean {
  const { external_id: id, external_uid, external_source, guest_email, guest_name } = stay;
  const coded = id !== null && id !== external_uid && !id.includes('/');
  return MIRRORS.has(external_source ?? '') && guest_email === null && guest_name === 'Guest' && !coded;
}

/**
 * Returns whether two stays have the same source. Such stays are not compared: a calendar has no
 * conflicts with itself, and a partner may create one reservation for each guest of a party.
 */
const ofOneSource = (a: Stay, b: Stay): boolean => a.sync_source_id === b.sync_source_id;

/**
 * Returns the other stays that share nights with this one. `others` are stays of the property, in
 * any order.
 */
export function findStayOverlaps<S extends Stay>(stay: Stay, others: readonly S[]): StayOverlap<S>[] {
  if (!occupiesNights(stay)) return [];
  const rivals = rivalsOf(stay, others);
  return rivals.flatMap((other): StayOverlap<S>[] => {
    const as = relationOf(stay, other, rivals, others);
    return as ? [{ as, other }] : [];
  });
}

function relationOf(stay: Stay, other: Stay, rivals: readonly Stay[], others: readonly Stay[]): StayRelation | null {
  const bare = { stay: hasOnlyNights(stay), other: hasOnlyNights(other) };
  if (bare.stay && bare.other) return null;
  if (bare.stay) return isCovered(stay, rivals) ? 'repeats' : 'conflict';
  if (bare.other) return isCovered(other, [stay, ...rivalsOf(other, others)]) ? 'repeated_by' : 'conflict';
  return 'conflict';
}

const rivalsOf = <S extends Stay>(stay: Stay, others: readonly S[]): S[] =>
  others.filter(
    (other) => other.id !== stay.id && occupiesNights(other) && !ofOneSource(stay, other) && sharesNights(stay, other),
  );

/**
 * Returns whether guests occupy every night of the stay. Channels merge two consecutive bookings
 * into one block.
 */
function isCovered(stay: Stay, rivals: readonly Stay[]): boolean {
  let day = stay.checkin_date;
  const known = rivals
    .filter((rival) => !hasOnlyNights(rival))
    .sort((a, b) => (a.checkin_date < b.checkin_date ? -1 : 1));
  for (const { checkin_date, checkout_date } of known) {
    if (checkin_date <= day && checkout_date > day) day = checkout_date;
  }
  return day >= stay.checkout_date;
}

/**
 * Returns whether the packet must not be sent automatically, because another guest may have the
 * same nights and the host has not confirmed that both are real. Stays without a guest do not delay
 * other packets.
 */
export function isSendingHeldBack(related: readonly StayOverlap[], both_real: ReadonlySet<string>): boolean {
  return related.some(({ as, other }) => as === 'conflict' && !hasOnlyNights(other) && !both_real.has(other.id));
}

/** Returns the ids of a pair in the order in which they are stored. */
export const orderPair = (a: string, b: string): [string, string] => (a < b ? [a, b] : [b, a]);
