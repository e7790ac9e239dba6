/**
 * Finds the row of a feed's entry. UIDs change when dates change (channel B) or every night
 * (channel C), so rows are matched by identity first and by overlapping dates second (DESIGN
 * "Calendar sync").
 */
import { addDays, countSharedNights } from '../feed/calendar-days';
import type { FeedEntry } from '../feed/reader';
import { codesConflict, namesAgree, namesConflict } from './guest-identity';

export interface KnownBooking {
  readonly id: string;
  /** False for a row of the same property and channel that a mail or the API created. */
  readonly owned: boolean;
  readonly external_id: string | null;
  readonly external_uid: string | null;
  readonly guest_name: string | null;
  readonly checkin_date: string;
  readonly checkout_date: string;
  readonly status: 'draft' | 'synced' | 'sent' | 'opened' | 'clicked' | 'signed' | 'expired' | 'ignored';
  readonly cancel_reason: string | null;
  /** Whether `signed_at` is set. */
  readonly signed: boolean;
  readonly manual_override: boolean;
  readonly redacted: boolean;
  readonly legal_hold: boolean;
  readonly feed_misses: number;
  readonly feed_first_missed_at: Date | null;
}

export type Channel = 'channel_a' | 'channel_b' | 'channel_c';
/** A reservation's `source`. `direct` for calendars that do not belong to a channel. */
export type BookingSource = Channel | 'direct';

/**
 * Returns whether a run must never change the row: signed (by the guest or the host), redacted or
 * under legal hold.
 */
export function isProtected(row: KnownBooking): boolean {
  return row.signed || row.status === 'signed' || row.manual_override || row.redacted || row.legal_hold;
}

/**
 * Returns whether a run does not write to the row: it is protected, or has ended. An expired row
 * whose stay continues is an exception.
 */
export function isReadOnly(row: KnownBooking): boolean {
  return isProtected(row) || row.status === 'expired' || row.status === 'ignored';
}

/** Returns whether the row is neither cancelled nor over. */
export const isActiveBooking = ({ status }: KnownBooking) => status !== 'ignored' && status !== 'expired';

export const isSameStay = (row: KnownBooking, entry: FeedEntry) =>
  hasSameDates(row, entry) || namesAgree(row.guest_name, entry.guest_name);

/**
 * Returns whether the entry is the rest of a stay that has begun. Feeds change the start of such a
 * stay to today, and their days may differ from the property's by one. The entry does not change
 * the check-in.
 */
export function isRestOfRunningStay(
  row: KnownBooking,
  entry: FeedEntry,
  today: string,
  channel: BookingSource,
): boolean {
  const begun = row.checkin_date < today || (channel === 'channel_c' && row.checkin_date === today);
  return (
    begun &&
    row.checkin_date < entry.checkin_date &&
    entry.checkin_date >= addDays(today, -1) &&
    entry.checkin_date <= addDays(today, 1) &&
    // The entry may be only an extension, which starts on the day on which the stay was to end.
    entry.checkin_date <= addDays(row.checkout_date, 1)
  );
}

/** Finds rows for entries. Each row is matched once. */
export class BookingMatcher {
  private readonly free = new Map<string, KnownBooking>();
  private readonly by_key = new Map<string, KnownBooking[]>();
  /** Rows by each month of their nights. `place` is the row's rank, the best match first. */
  private readonly by_month = new Map<string, { row: KnownBooking; place: number }[]>();

  constructor(
    rows: readonly KnownBooking[],
    private readonly today: string,
    private readonly channel: BookingSource,
  ) {
    for (const [place, row] of [...rows].sort(byUsefulness).entries()) {
      this.free.set(row.id, row);
      for (const key of new Set([row.external_id, row.external_uid])) {
        if (key !== null) appendToGroup(this.by_key, key, row);
      }
      for (const month of monthsOf(row)) appendToGroup(this.by_month, month, { row, place });
    }
  }

  /**
   * Returns the row with the same code, UID or dates. The run ignores other rows with that
   * identity.
   */
  byIdentity(entry: FeedEntry): KnownBooking | null {
    return this.allByIdentity(entry)[0] ?? null;
  }

  /** Returns all rows with that identity, the best match first. */
  allByIdentity(entry: FeedEntry): KnownBooking[] {
    for (const key of [entry.reservation_code, entry.uid, entry.external_id]) {
      const rows = key === null ? [] : (this.by_key.get(key) ?? []).filter((row) => this.free.has(row.id));
      const usable = rows.filter((row) => !codesConflict(row, entry.reservation_code));
      if (usable.length === 0) continue;
      for (const row of usable) this.free.delete(row.id);
      return usable;
    }
    return [];
  }

  /**
   * Returns the source's own live row with the entry's identity, for entries with doubtful words.
   */
  liveByIdentity(entry: FeedEntry): KnownBooking | null {
    const { reservation_code, uid, external_id } = entry;
    // A reservation's code identifies more reliably than a UID, even when that reservation is over.
    const named = reservation_code !== null && this.by_key.has(reservation_code) ? reservation_code : null;
    const keys = named ? [named] : [reservation_code ?? external_id, uid ?? external_id];
    return this.liveNamed(keys, reservation_code)[0] ?? null;
  }

  /** Returns the source's own live rows under any of these UIDs and codes. */
  liveNamed(identities: readonly string[], code: string | null = null): KnownBooking[] {
    const named = identities
      .flatMap((key) => this.by_key.get(key) ?? [])
      .filter((row) => this.isFreeAndLive(row) && !codesConflict(row, code));
    for (const row of named) this.free.delete(row.id);
    return [...new Set(named)];
  }

  private isFreeAndLive(row: KnownBooking): boolean {
    return this.free.has(row.id) && row.owned && isActiveBooking(row);
  }

  /** Returns a row that a mail or the API created for exactly these days. */
  unownedWithSameDates(entry: FeedEntry): KnownBooking | null {
    return this.claim(
      entry,
      (row) => !row.owned && isActiveBooking(row) && hasSameDates(row, entry) && !conflictsWithEntry(row, entry),
    );
  }

  /** Returns a row with exactly these days, under another UID, that is not in `but`. */
  sameDays(entry: FeedEntry, healthy: boolean, but?: ReadonlySet<string>): KnownBooking | null {
    return this.claim(
      entry,
      (row) => this.mayFollow(row, entry, healthy) && hasSameDates(row, entry) && !but?.has(row.id),
    );
  }

  /**
   * Returns a row that is recognizably this entry under another UID: the rest of a stay that has
   * begun, or an overlap with the same name. A run does not change the dates of protected rows, so
   * for them one equal end is enough. Ignores rows in `but`.
   */
  sameStay(entry: FeedEntry, healthy: boolean, but?: ReadonlySet<string>): KnownBooking | null {
    return this.claim(entry, (row) => {
      if (!this.mayFollow(row, entry, healthy) || but?.has(row.id)) return false;
      if (isSameStay(row, entry)) return true;
      if (row.checkout_date === entry.checkout_date && isRestOfRunningStay(row, entry, this.today, this.channel))
        return true;
      return isProtected(row) && (row.checkin_date === entry.checkin_date || row.checkout_date === entry.checkout_date);
    });
  }

  /** Returns the row with the largest overlap among those that disappeared in this run. */
  overlappingVanished(entry: FeedEntry, but: ReadonlySet<string>): KnownBooking | null {
    const accept = (row: KnownBooking) =>
      this.mayBe(row, entry) && !isReadOnly(row) && row.feed_misses === 0 && !but.has(row.id);
    return this.claim(entry, accept, (row) => -countSharedNights(row, entry));
  }

  /** Returns whether a complete feed could show that the entry is one of the unmatched rows. */
  mayBeMoved(entry: FeedEntry): boolean {
    return this.near(entry).some(({ row }) => this.mayBe(row, entry) && !isReadOnly(row));
  }

  leaveOut(rows: readonly KnownBooking[]): void {
    for (const { id } of rows) this.free.delete(id);
  }

  /** Returns rows that no entry matched. */
  unmatched(): KnownBooking[] {
    return [...this.free.values()];
  }

  private mayFollow(row: KnownBooking, entry: FeedEntry, healthy: boolean): boolean {
    return this.mayBe(row, entry) && (isReadOnly(row) || healthy);
  }

  private mayBe(row: KnownBooking, entry: FeedEntry): boolean {
    // A row that the feed removed is matched only by its own identity. A new UID on its nights is a
    // new guest.
    const removed = row.status === 'ignored' && row.cancel_reason === 'feed_removed';
    return row.owned && !removed && overlapsStay(row, entry) && !conflictsWithEntry(row, entry);
  }

  /** Matches the accepted row of the lowest cost, then of the best rank. */
  private claim(
    entry: FeedEntry,
    accept: (row: KnownBooking) => boolean,
    cost: (row: KnownBooking) => number = () => 0,
  ): KnownBooking | null {
    const accepted = this.near(entry)
      .filter(({ row }) => accept(row))
      .map(({ row, place }) => ({ row, place, cost: cost(row) }))
      .sort((a, b) => a.cost - b.cost || a.place - b.place);
    const row = accepted[0]?.row ?? null;
    if (row) this.free.delete(row.id);
    return row;
  }

  /** Returns unmatched rows with nights in the entry's months. */
  private near(entry: FeedEntry): { row: KnownBooking; place: number }[] {
    const found = monthsOf(entry).flatMap((month) => this.by_month.get(month) ?? []);
    return found.filter(({ row }) => this.free.has(row.id));
  }
}

export function appendToGroup<T>(map: Map<string, T[]>, key: string, item: T): void {
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

// Compares dates as text, which is cheap: a hostile feed can have ten thousand stays for as many
// rows.
export const overlapsStay = (row: KnownBooking, entry: FeedEntry) =>
  row.checkin_date < entry.checkout_date && entry.checkin_date < row.checkout_date;

export const hasSameDates = (row: KnownBooking, entry: FeedEntry) =>
  row.checkin_date === entry.checkin_date && row.checkout_date === entry.checkout_date;

/**
 * Sorts live rows before ended ones, owned before others, then by id. A run's own changes cannot
 * reverse this order, which would make the next run choose differently.
 */
function byUsefulness(a: KnownBooking, b: KnownBooking): number {
  const rank = (row: KnownBooking) =>
    (row.status === 'ignored' ? 4 : row.status === 'expired' ? 2 : 0) + (row.owned ? 0 : 1);
  return rank(a) - rank(b) || (a.id < b.id ? -1 : 1);
}

export const conflictsWithEntry = (row: KnownBooking, entry: FeedEntry) =>
  codesConflict(row, entry.reservation_code) || namesConflict(row.guest_name, entry.guest_name);
