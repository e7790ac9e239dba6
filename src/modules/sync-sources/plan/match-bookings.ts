/**
 * Finds the row that belongs to a feed's entry. UIDs change when dates change (channel B) or every
 * night (channel C). Rows are therefore matched by identity first and by overlapping dates second
 * (design "Calendar sync").
 */
import { addDays, countSharedNights } from '../feed/calendar-days';
import type { FeedEntry } from '../feed/reader';
import { hasConflictingGuestNames, hasReservationCodeOtherThan, hasSharedGuestNameWord } from './guest-identity';

export interface StoredBooking {
  readonly id: string;
  /**
   * Whether the reservation belongs to this source. False for a reservation of the same property
   * and channel from a mail, the API or another calendar.
   */
  readonly owned: boolean;
  readonly external_id: string | null;
  readonly external_uid: string | null;
  readonly guest_name: string | null;
  readonly checkin_date: string;
  readonly checkout_date: string;
  readonly status: 'draft' | 'synced' | 'sent' | 'opened' | 'clicked' | 'signed' | 'expired' | 'ignored';
  readonly cancel_reason: string | null;
  /** Whether the reservation's `signed_at` is set. */
  readonly signed: boolean;
  readonly manual_override: boolean;
  readonly redacted: boolean;
  readonly legal_hold: boolean;
  readonly feed_misses: number;
  readonly feed_first_missed_at: Date | null;
}

export type BookingChannel = 'channel_a' | 'channel_b' | 'channel_c';
/** A reservation's `source`. Calendars that do not belong to a channel have `direct`. */
export type BookingChannelOrDirect = BookingChannel | 'direct';

/**
 * Returns whether a run must never change the row: it is signed (by the guest or the host),
 * redacted or under legal hold.
 */
export function isBookingProtectedFromSync(row: StoredBooking): boolean {
  return row.signed || row.status === 'signed' || row.manual_override || row.redacted || row.legal_hold;
}

/**
 * Returns whether a run does not write to the row, because it is protected or has ended. The
 * planner makes an exception for an expired row whose stay continues.
 */
export function isBookingReadOnlyForSync(row: StoredBooking): boolean {
  return isBookingProtectedFromSync(row) || row.status === 'expired' || row.status === 'ignored';
}

/** Returns whether the row is neither ignored nor expired. */
export const isActiveBooking = ({ status }: StoredBooking) => status !== 'ignored' && status !== 'expired';

export const isSameStay = (row: StoredBooking, entry: FeedEntry) =>
  doesBookingMatchFeedEntryDates(row, entry) || hasSharedGuestNameWord(row.guest_name, entry.guest_name);

/**
 * Returns whether the entry is the rest of a stay that has begun. Feeds move the start of such a
 * stay to the current day, which may differ by a day from the property's current day. The check-in
 * of the reservation must not change.
 */
export function isRemainderOfOngoingStay(
  row: StoredBooking,
  entry: FeedEntry,
  today: string,
  channel: BookingChannelOrDirect,
): boolean {
  const begun = row.checkin_date < today || (channel === 'channel_c' && row.checkin_date === today);
  return (
    begun &&
    row.checkin_date < entry.checkin_date &&
    entry.checkin_date >= addDays(today, -1) &&
    entry.checkin_date <= addDays(today, 1) &&
    // The entry may also be an extension of the stay. It may start on the stay's check-out day or
    // one day later.
    entry.checkin_date <= addDays(row.checkout_date, 1)
  );
}

/** Finds rows for entries. Each row is matched at most once. */
export class BookingMatcher {
  private readonly free = new Map<string, StoredBooking>();
  private readonly by_key = new Map<string, StoredBooking[]>();
  /**
   * Rows by each month in which they have nights. `place` is a row's rank. If several rows match an
   * entry equally well, the row with the lowest rank is chosen.
   */
  private readonly by_month = new Map<string, { row: StoredBooking; place: number }[]>();

  constructor(
    rows: readonly StoredBooking[],
    private readonly today: string,
    private readonly channel: BookingChannelOrDirect,
  ) {
    for (const [place, row] of [...rows].sort(byUsefulness).entries()) {
      this.free.set(row.id, row);
      for (const key of new Set([row.external_id, row.external_uid])) {
        if (key !== null) appendToListInMap(this.by_key, key, row);
      }
      for (const month of monthsOf(row)) appendToListInMap(this.by_month, month, { row, place });
    }
  }

  /**
   * Returns the row with the entry's code, UID or dates. Other rows with the same identity can no
   * longer be matched.
   */
  byIdentity(entry: FeedEntry): StoredBooking | null {
    return this.allByIdentity(entry)[0] ?? null;
  }

  /**
   * Returns all rows that have the entry's reservation code or, if there are none, its UID or its
   * `external_id`. The best match comes first. No later entry can match these rows.
   */
  allByIdentity(entry: FeedEntry): StoredBooking[] {
    for (const key of [entry.reservation_code, entry.uid, entry.external_id]) {
      const rows = key === null ? [] : (this.by_key.get(key) ?? []).filter((row) => this.free.has(row.id));
      const usable = rows.filter((row) => !hasReservationCodeOtherThan(row, entry.reservation_code));
      if (usable.length === 0) continue;
      for (const row of usable) this.free.delete(row.id);
      return usable;
    }
    return [];
  }

  /**
   * Returns this source's active reservation with the entry's identity, or null. Used for entries
   * whose words are doubtful.
   */
  liveByIdentity(entry: FeedEntry): StoredBooking | null {
    const { reservation_code, uid, external_id } = entry;
    // A reservation's code identifies more reliably than a UID, even when that reservation is over.
    const named = reservation_code !== null && this.by_key.has(reservation_code) ? reservation_code : null;
    const keys = named ? [named] : [reservation_code ?? external_id, uid ?? external_id];
    return this.liveNamed(keys, reservation_code)[0] ?? null;
  }

  /**
   * Returns this source's active reservations that have one of these UIDs or codes. They can no
   * longer be matched with other entries.
   */
  liveNamed(identities: readonly string[], code: string | null = null): StoredBooking[] {
    const named = identities
      .flatMap((key) => this.by_key.get(key) ?? [])
      .filter((row) => this.isFreeAndLive(row) && !hasReservationCodeOtherThan(row, code));
    for (const row of named) this.free.delete(row.id);
    return [...new Set(named)];
  }

  private isFreeAndLive(row: StoredBooking): boolean {
    return this.free.has(row.id) && row.owned && isActiveBooking(row);
  }

  /** Returns an active row that does not belong to this source and has exactly the entry's days. */
  unownedWithSameDates(entry: FeedEntry): StoredBooking | null {
    return this.claim(
      entry,
      (row) =>
        !row.owned &&
        isActiveBooking(row) &&
        doesBookingMatchFeedEntryDates(row, entry) &&
        !hasIdentityConflictWithFeedEntry(row, entry),
    );
  }

  /** Returns a row with exactly the entry's days and another UID. Ignores rows in `but`. */
  sameDays(entry: FeedEntry, healthy: boolean, but?: ReadonlySet<string>): StoredBooking | null {
    return this.claim(
      entry,
      (row) => this.mayFollow(row, entry, healthy) && doesBookingMatchFeedEntryDates(row, entry) && !but?.has(row.id),
    );
  }

  /**
   * Returns a row that is recognizably this entry under another UID: the rest of a stay that has
   * begun, or an overlapping stay with the same name. A protected row only needs an equal check-in
   * or check-out day, because runs do not update its dates. Ignores rows in `but`.
   */
  sameStay(entry: FeedEntry, healthy: boolean, but?: ReadonlySet<string>): StoredBooking | null {
    return this.claim(entry, (row) => {
      if (!this.mayFollow(row, entry, healthy) || but?.has(row.id)) return false;
      if (isSameStay(row, entry)) return true;
      if (row.checkout_date === entry.checkout_date && isRemainderOfOngoingStay(row, entry, this.today, this.channel))
        return true;
      return (
        isBookingProtectedFromSync(row) &&
        (row.checkin_date === entry.checkin_date || row.checkout_date === entry.checkout_date)
      );
    });
  }

  /** Returns the row with the largest overlap, among the rows that disappeared in this run. */
  overlappingVanished(entry: FeedEntry, but: ReadonlySet<string>): StoredBooking | null {
    const accept = (row: StoredBooking) =>
      this.mayBe(row, entry) && !isBookingReadOnlyForSync(row) && row.feed_misses === 0 && !but.has(row.id);
    return this.claim(entry, accept, (row) => -countSharedNights(row, entry));
  }

  /**
   * Returns whether the entry overlaps an unmatched row and may be the same booking with new dates.
   * Only a run with a healthy feed decides whether it is.
   */
  mayBeMoved(entry: FeedEntry): boolean {
    return this.near(entry).some(({ row }) => this.mayBe(row, entry) && !isBookingReadOnlyForSync(row));
  }

  leaveOut(rows: readonly StoredBooking[]): void {
    for (const { id } of rows) this.free.delete(id);
  }

  /** Returns rows that no entry matched. */
  unmatched(): StoredBooking[] {
    return [...this.free.values()];
  }

  private mayFollow(row: StoredBooking, entry: FeedEntry, healthy: boolean): boolean {
    return this.mayBe(row, entry) && (isBookingReadOnlyForSync(row) || healthy);
  }

  private mayBe(row: StoredBooking, entry: FeedEntry): boolean {
    // A row whose booking was removed from the feed is matched only by its own identity. A new UID
    // on its nights is a new guest.
    const removed = row.status === 'ignored' && row.cancel_reason === 'feed_removed';
    return row.owned && !removed && isOverlappingStay(row, entry) && !hasIdentityConflictWithFeedEntry(row, entry);
  }

  /**
   * Matches the entry with a row. Of the rows that `accept` accepts, chooses the one with the
   * lowest `cost`, and the lowest rank if costs are equal. Returns the row, or null when no row is
   * accepted.
   */
  private claim(
    entry: FeedEntry,
    accept: (row: StoredBooking) => boolean,
    cost: (row: StoredBooking) => number = () => 0,
  ): StoredBooking | null {
    const accepted = this.near(entry)
      .filter(({ row }) => accept(row))
      .map(({ row, place }) => ({ row, place, cost: cost(row) }))
      .sort((a, b) => a.cost - b.cost || a.place - b.place);
    const row = accepted[0]?.row ?? null;
    if (row) this.free.delete(row.id);
    return row;
  }

  /** Returns unmatched rows with nights in the same months as the entry. */
  private near(entry: FeedEntry): { row: StoredBooking; place: number }[] {
    const found = monthsOf(entry).flatMap((month) => this.by_month.get(month) ?? []);
    return found.filter(({ row }) => this.free.has(row.id));
  }
}

export function appendToListInMap<T>(map: Map<string, T[]>, key: string, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}

/** Returns the months (`2026-06`) of a stay, at most 36. */
function monthsOf(stay: { checkin_date: string; checkout_date: string }): string[] {
  const months: string[] = [];
  let year = Number(stay.checkin_date.slice(0, 4));
  let month = Number(stay.checkin_date.slice(5, 7));
  const last = stay.checkout_date.slice(0, 7);
  while (months.length < 36) {
    const name = `${year}-${String(month).padStart(2, '0')}`;
    if (name > last) break;
    months.push(name);
    month = month === 12 ? 1 : month + 1;
    if (month === 1) year += 1;
  }
  return months;
}

// Compares dates as text, which is fast. A hostile feed can have ten thousand stays and as many
// rows.
export const isOverlappingStay = (row: StoredBooking, entry: FeedEntry) =>
  row.checkin_date < entry.checkout_date && entry.checkin_date < row.checkout_date;

export const doesBookingMatchFeedEntryDates = (row: StoredBooking, entry: FeedEntry) =>
  row.checkin_date === entry.checkin_date && row.checkout_date === entry.checkout_date;

/**
 * Sorts active rows before expired rows, and expired rows before ignored rows. Within each group,
 * the source's own rows come first, and the rest of the order is by id. A run's own changes do not
 * reverse this order, so the next run makes the same choice.
 */
function byUsefulness(a: StoredBooking, b: StoredBooking): number {
  const rank = (row: StoredBooking) =>
    (row.status === 'ignored' ? 4 : row.status === 'expired' ? 2 : 0) + (row.owned ? 0 : 1);
  return rank(a) - rank(b) || (a.id < b.id ? -1 : 1);
}

export const hasIdentityConflictWithFeedEntry = (row: StoredBooking, entry: FeedEntry) =>
  hasReservationCodeOtherThan(row, entry.reservation_code) ||
  hasConflictingGuestNames(row.guest_name, entry.guest_name);
