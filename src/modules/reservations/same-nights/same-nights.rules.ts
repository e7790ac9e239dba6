/**
 * Two bookings for the same nights of one property (DESIGN "Calendar sync"): whether one merely repeats the other, as a
 * calendar does that mirrors another channel's bookings, or whether both want the house. Pure.
 */
import type { ReservationStatus } from '../rules/transitions';

/** What is compared of a reservation, or of what would become one. */
export interface Stay {
  readonly id: string;
  readonly guest_name: string;
  readonly guest_email: string | null;
  /** 'YYYY-MM-DD'; the night before check-out is the last. */
  readonly checkin_date: string;
  readonly checkout_date: string;
  readonly status: ReservationStatus;
  readonly external_source: string | null;
  readonly external_id: string | null;
  readonly external_uid: string | null;
  /** Null for what a host or a partner made. */
  readonly sync_source_id: string | null;
}

/** `repeats`: the other has a guest, and this one is only its nights once more; `repeated_by` is the other way round. */
export type Relation = 'conflict' | 'repeats' | 'repeated_by';

export interface Related<S extends Stay = Stay> {
  readonly as: Relation;
  readonly other: S;
}

type Nights = Pick<Stay, 'checkin_date' | 'checkout_date'>;

/** The day one party leaves, the next may come. */
export const sharesNights = (a: Nights, b: Nights): boolean =>
  a.checkin_date < b.checkout_date && b.checkin_date < a.checkout_date;

/** Cancelled, set aside or over: it wants no nights. */
export const wantsNights = ({ status }: Pick<Stay, 'status'>): boolean => status !== 'ignored' && status !== 'expired';

/** Calendars that do not tell a booking from a closure, and so may mirror another channel's. */
const MIRRORS: ReadonlySet<string> = new Set(['channel_c_ical', 'other_ical']);

/**
 * Nights and nothing else: from a calendar that may mirror others, without a name, a code or an address. As soon as anything
 * is known of its guest, it is a booking like any other.
 */
export function isBare(stay: Omit<Stay, 'id' | 'status' | 'sync_source_id'>): boolean {
  const { external_id: id, external_uid, external_source, guest_email, guest_name } = stay;
  const coded = id !== null && id !== external_uid && !id.includes('/');
  return MIRRORS.has(external_source ?? '') && guest_email === null && guest_name === 'Guest' && !coded;
}

/** Of one source nothing is compared: its calendar knows its own; and a partner may make one reservation for each guest of a party. */
const ofOneSource = (a: Stay, b: Stay): boolean => a.sync_source_id === b.sync_source_id;

/** Every other that wants nights of this stay's. `others` are all of the property that may matter, in any order. */
export function relate<S extends Stay>(stay: Stay, others: readonly S[]): Related<S>[] {
  if (!wantsNights(stay)) return [];
  const rivals = rivalsOf(stay, others);
  return rivals.flatMap((other): Related<S>[] => {
    const as = relationOf(stay, other, rivals, others);
    return as ? [{ as, other }] : [];
  });
}

function relationOf(stay: Stay, other: Stay, rivals: readonly Stay[], others: readonly Stay[]): Relation | null {
  const bare = { stay: isBare(stay), other: isBare(other) };
  if (bare.stay && bare.other) return null;
  if (bare.stay) return isCovered(stay, rivals) ? 'repeats' : 'conflict';
  if (bare.other) return isCovered(other, [stay, ...rivalsOf(other, others)]) ? 'repeated_by' : 'conflict';
  return 'conflict';
}

const rivalsOf = <S extends Stay>(stay: Stay, others: readonly S[]): S[] =>
  others.filter(
    (other) => other.id !== stay.id && wantsNights(other) && !ofOneSource(stay, other) && sharesNights(stay, other),
  );

/** Each of its nights is a guest's: channels close two bookings that follow each other as one block. */
function isCovered(stay: Stay, rivals: readonly Stay[]): boolean {
  let day = stay.checkin_date;
  const known = rivals.filter((rival) => !isBare(rival)).sort((a, b) => (a.checkin_date < b.checkin_date ? -1 : 1));
  for (const { checkin_date, checkout_date } of known) {
    if (checkin_date <= day && checkout_date > day) day = checkout_date;
  }
  return day >= stay.checkout_date;
}

/**
 * Whether a packet must not go out by itself: another guest may be asked for the same nights, and the host has not said that
 * both are real. Nobody can be asked for nights without a guest.
 */
export function isHeldBack(related: readonly Related[], both_real: ReadonlySet<string>): boolean {
  return related.some(({ as, other }) => as === 'conflict' && !isBare(other) && !both_real.has(other.id));
}

/** The ids of a pair, as they are stored. */
export const pairOf = (a: string, b: string): [string, string] => (a < b ? [a, b] : [b, a]);
