/**
 * Compares two bookings for the same nights of one property (design "Calendar sync"). Decides
 * whether both bookings have guests, or whether one is merely a copy of the other, because some
 * calendars copy bookings from other channels. Pure.
 */
import type { ReservationStatus } from '../rules/transitions';

/** The facts of a reservation that are compared. The reservation may not be stored yet. */
export interface StayForDoubleBookingCheck {
  readonly id: string;
  readonly guest_name: string;
  readonly guest_email: string | null;
  /** 'YYYY-MM-DD'. The guest does not stay for the night after `checkout_date`. */
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
 * `repeats`: this stay names no guest and only repeats the other stay's nights. `repeated_by`: the
 * other stay repeats this one.
 */
export type StayOverlapKind = 'conflict' | 'repeats' | 'repeated_by';

export interface StayOverlap<S extends StayForDoubleBookingCheck = StayForDoubleBookingCheck> {
  readonly as: StayOverlapKind;
  readonly other: S;
}

type Nights = Pick<StayForDoubleBookingCheck, 'checkin_date' | 'checkout_date'>;

/**
 * Returns whether two stays share nights. A check-out and a check-in on one day share no night.
 */
export const doesStayShareNightsWith = (a: Nights, b: Nights): boolean =>
  a.checkin_date < b.checkout_date && b.checkin_date < a.checkout_date;

/**
 * Returns whether a stay occupies its nights. Cancelled, ignored and expired reservations do not.
 */
export const occupiesNights = ({ status }: Pick<StayForDoubleBookingCheck, 'status'>): boolean =>
  status !== 'ignored' && status !== 'expired';

/**
 * Calendars that do not distinguish bookings from closed nights. Their entries for closed nights
 * may mirror another channel's bookings.
 */
const MIRRORS: ReadonlySet<string> = new Set(['channel_c_ical', 'other_ical']);

/**
 * Returns whether only the booking's nights are known: it has no guest name, code or email address,
 * and comes from a calendar that may mirror other calendars.
 */
export function hasNoGuestDetails(stay: Omit<StayForDoubleBookingCheck, 'id' | 'status' | 'sync_source_id'>): boolean {
  const { external_id: id, external_uid, external_source, guest_email, guest_name } = stay;
  const coded = id !== null && id !== external_uid && !id.includes('/');
  return MIRRORS.has(external_source ?? '') && guest_email === null && guest_name === 'Guest' && !coded;
}

/**
 * Returns whether two stays have the same source. Stays of the same source are not compared: a
 * calendar does not conflict with itself, and a partner may create one reservation for each guest
 * of a party.
 */
const ofOneSource = (a: StayForDoubleBookingCheck, b: StayForDoubleBookingCheck): boolean =>
  a.sync_source_id === b.sync_source_id;

/**
 * Returns the other stays that share nights with this one. `others` are stays of the property, in
 * any order.
 */
export function findStayOverlaps<S extends StayForDoubleBookingCheck>(
  stay: StayForDoubleBookingCheck,
  others: readonly S[],
): StayOverlap<S>[] {
  if (!occupiesNights(stay)) return [];
  const rivals = rivalsOf(stay, others);
  return rivals.flatMap((other): StayOverlap<S>[] => {
    const as = relationOf(stay, other, rivals, others);
    return as ? [{ as, other }] : [];
  });
}

function relationOf(
  stay: StayForDoubleBookingCheck,
  other: StayForDoubleBookingCheck,
  rivals: readonly StayForDoubleBookingCheck[],
  others: readonly StayForDoubleBookingCheck[],
): StayOverlapKind | null {
  const bare = { stay: hasNoGuestDetails(stay), other: hasNoGuestDetails(other) };
  if (bare.stay && bare.other) return null;
  if (bare.stay) return isCovered(stay, rivals) ? 'repeats' : 'conflict';
  if (bare.other) return isCovered(other, [stay, ...rivalsOf(other, others)]) ? 'repeated_by' : 'conflict';
  return 'conflict';
}

const rivalsOf = <S extends StayForDoubleBookingCheck>(stay: StayForDoubleBookingCheck, others: readonly S[]): S[] =>
  others.filter(
    (other) =>
      other.id !== stay.id &&
      occupiesNights(other) &&
      !ofOneSource(stay, other) &&
      doesStayShareNightsWith(stay, other),
  );

/**
 * Returns whether other bookings with guests together occupy every night of the stay. Channels
 * merge consecutive bookings into one block, so several bookings may be needed.
 */
function isCovered(stay: StayForDoubleBookingCheck, rivals: readonly StayForDoubleBookingCheck[]): boolean {
  let day = stay.checkin_date;
  const known = rivals
    .filter((rival) => !hasNoGuestDetails(rival))
    .sort((a, b) => (a.checkin_date < b.checkin_date ? -1 : 1));
  for (const { checkin_date, checkout_date } of known) {
    if (checkin_date <= day && checkout_date > day) day = checkout_date;
  }
  return day >= stay.checkout_date;
}

/**
 * Returns whether the packet must not be sent automatically, because another guest may have the
 * same nights and the host has not confirmed both bookings. Stays without a guest do not delay
 * other packets.
 */
export function hasConflictBlockingAutomaticPacketSend(
  related: readonly StayOverlap[],
  both_real: ReadonlySet<string>,
): boolean {
  return related.some(({ as, other }) => as === 'conflict' && !hasNoGuestDetails(other) && !both_real.has(other.id));
}

/** Returns the ids of a pair in the order in which they are stored. */
export const sortReservationIdPair = (a: string, b: string): [string, string] => (a < b ? [a, b] : [b, a]);
