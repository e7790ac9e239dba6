/**
 * What a calendar run does to a source's bookings: pure, no I/O. The rows that are known, what the feed says now and
 * the time in; creates, date changes, misses and cancellations out (specification, "Sync run behaviour"; DESIGN
 * "Calendar sync"). Nothing here names a guest's name, address or lifecycle, so a run cannot overwrite them.
 */
import type { FeedEntry, ReadFeed } from '../feed/reader';
import { decideEntries, type EntryDecisions, type EntrySkipReason, type StayMark } from './entries';
import { assessHealth, type FeedHealth } from './health';
import { type Channel, clipsRunningStay, isProtected, isReadOnly, type KnownBooking, Matcher } from './match-bookings';

/** Two healthy misses this far apart cancel a booking. */
export const MISS_INTERVAL_MS = 60 * 60 * 1_000;

export interface PlanInput {
  readonly channel: Channel;
  readonly known: readonly KnownBooking[];
  readonly feed: Pick<ReadFeed, 'entries' | 'seen' | 'whole' | 'event_count'>;
  readonly last_healthy_count: number | null;
  /** When the feed first came back under half of the last healthy count and has been since; null when it was not. */
  readonly shrunk_since: Date | null;
  /** Channel C: this source's closures are blocks (`closures_are_blocks`). */
  readonly closures_are_blocks: boolean;
  /** What the host said about stays, by their dates (`marked_blocks`). */
  readonly marks: readonly StayMark[];
  readonly now: Date;
  /** The day it is in the property's zone. */
  readonly today: string;
}

/** The fields of a row that change; absent ones stay. */
export interface BookingChange {
  readonly id: string;
  readonly checkin_date?: string;
  readonly checkout_date?: string;
  readonly external_id?: string;
  readonly external_uid?: string | null;
  /** Set when the booking is in the feed again. */
  readonly feed_misses?: 0;
  readonly feed_first_missed_at?: null;
  /** The row came by mail or through the API and belongs to this source from now on. */
  readonly adopt?: true;
}

export type SkipReason =
  | EntrySkipReason
  | 'past'
  | 'signed'
  | 'redacted'
  | 'legal_hold'
  | 'expired'
  | 'ignored'
  | 'awaiting_healthy_feed';

export interface SyncPlan {
  readonly healthy: boolean;
  readonly health: FeedHealth;
  readonly creates: readonly FeedEntry[];
  readonly updates: readonly BookingChange[];
  /** A new UID whose stay overlaps one that vanished in the same run: the same booking. */
  readonly moved: readonly BookingChange[];
  readonly unchanged: readonly string[];
  readonly vanished: readonly {
    readonly id: string;
    readonly feed_misses: number;
    readonly feed_first_missed_at: Date;
  }[];
  readonly cancels: readonly { readonly id: string; readonly because: 'missing_twice' | 'cancelled_in_feed' }[];
  /** Rows the feed had removed (`cancel_reason` `feed_removed`) that are in it again: restore them as they were. */
  readonly returned: readonly BookingChange[];
  readonly skipped: readonly { readonly reason: SkipReason; readonly entry: FeedEntry; readonly id: string | null }[];
  /** Marks to append to the source's `marked_blocks`. */
  readonly new_marks: readonly StayMark[];
  /** A row misses or waits for its second miss: the next run must not stop at an equal fingerprint. */
  readonly waiting: boolean;
}

/** The plan of one run. Applying it and planning again with the same feed and time gives an empty plan. */
export function planSync(input: PlanInput): SyncPlan {
  const health = assessHealth(input);
  const decisions = decideEntries(input);
  const plan = new PlanBuilder(input, health.healthy);
  plan.take(decisions);
  return { ...plan.result(), healthy: health.healthy, health, new_marks: decisions.new_marks };
}

class PlanBuilder {
  private readonly creates: FeedEntry[] = [];
  private readonly updates: BookingChange[] = [];
  private readonly moved: BookingChange[] = [];
  private readonly unchanged: string[] = [];
  private readonly vanished: { id: string; feed_misses: number; feed_first_missed_at: Date }[] = [];
  private readonly cancels: { id: string; because: 'missing_twice' | 'cancelled_in_feed' }[] = [];
  private readonly returned: BookingChange[] = [];
  private readonly skipped: { reason: SkipReason; entry: FeedEntry; id: string | null }[] = [];
  private readonly matcher: Matcher;
  private waiting = false;

  constructor(
    private readonly input: PlanInput,
    private readonly healthy: boolean,
  ) {
    this.matcher = new Matcher(input.known, input.today, input.channel);
  }

  take({ bookings, skipped, cancelled, doubtful }: EntryDecisions): void {
    // A code is the strongest identity: its entry claims its row before a code-less one may by an old UID.
    const by_strength = [...bookings].sort(
      (a, b) => Number(b.reservation_code !== null) - Number(a.reservation_code !== null),
    );
    const unknown = by_strength.filter((entry) => !this.seen(entry, this.matcher.byIdentity(entry)));
    // Cancellations claim their rows before a new UID may be taken for one of those rows, moved.
    for (const entry of cancelled) this.cancelledEntry(entry);
    for (const { entry, reason } of skipped) {
      const row = doubtful.has(entry) ? this.matcher.liveByIdentity(entry) : null;
      if (!this.seen(entry, row)) this.skipped.push({ entry, reason, id: null });
    }
    for (const row of this.matcher.liveNamed(this.input.feed.seen)) this.seenUnread(row);
    const unrecognised = unknown.filter((entry) => !this.seen(entry, this.matcher.unownedWithSameDates(entry)));
    const strange = unrecognised.filter((entry) => !this.movedEntry(entry, this.matcher.sameStay(entry, this.healthy)));
    for (const entry of strange) this.strangeEntry(entry);
    for (const row of this.matcher.unmatched()) this.missed(row);
  }

  result() {
    const { creates, updates, moved, unchanged, vanished, cancels, returned, skipped, waiting } = this;
    return { creates, updates, moved, unchanged, vanished, cancels, returned, skipped, waiting };
  }

  private seen(entry: FeedEntry, row: KnownBooking | null): boolean {
    if (!row) return false;
    if (this.leftAlone(entry, row)) return true;
    const change = this.changeTo(row, entry);
    if (Object.keys(change).length > 1) this.updates.push(change);
    else this.unchanged.push(row.id);
    return true;
  }

  /** The booking's event is there, though nobody can read it: it is as it was, and not missing. */
  private seenUnread(row: KnownBooking): void {
    if (isReadOnly(row) || row.feed_misses === 0) this.unchanged.push(row.id);
    else this.updates.push({ id: row.id, feed_misses: 0, feed_first_missed_at: null });
  }

  /** Rows a run may not touch still account for their entry: it must not become a second reservation. */
  private leftAlone(entry: FeedEntry, row: KnownBooking): boolean {
    if (row.status === 'ignored' && row.cancel_reason === 'feed_removed' && !isProtected(row)) {
      if (entry.checkout_date > this.input.today) this.returned.push(this.changeTo(row, entry));
      else this.unchanged.push(row.id);
      return true;
    }
    if (!isReadOnly(row)) return false;
    const reason: SkipReason = row.legal_hold
      ? 'legal_hold'
      : row.redacted
        ? 'redacted'
        : row.status === 'expired'
          ? 'expired'
          : row.status === 'ignored'
            ? 'ignored'
            : 'signed';
    this.skipped.push({ reason, entry, id: row.id });
    return true;
  }

  /** Twins end together: one that stayed would be taken for the cancelled booking by the next run. */
  private cancelledEntry(entry: FeedEntry): void {
    const rows = this.matcher.allByIdentity(entry);
    const [row] = rows;
    if (!row) {
      this.skipped.push({ reason: 'cancelled', entry, id: null });
      return;
    }
    if (isReadOnly(row)) {
      if (row.status === 'ignored') this.skipped.push({ reason: 'cancelled', entry, id: row.id });
      else this.leftAlone(entry, row);
      return;
    }
    const ahead = rows.filter((one) => !isReadOnly(one) && one.checkout_date > this.input.today);
    if (this.healthy && ahead.length > 0) {
      for (const { id } of ahead) this.cancels.push({ id, because: 'cancelled_in_feed' });
    } else {
      if (!this.healthy) this.waiting = true;
      this.skipped.push({ reason: this.healthy ? 'past' : 'awaiting_healthy_feed', entry, id: row.id });
    }
  }

  private movedEntry(entry: FeedEntry, row: KnownBooking | null): boolean {
    if (!row) return false;
    if (!this.leftAlone(entry, row)) this.moved.push(this.changeTo(row, entry));
    return true;
  }

  private strangeEntry(entry: FeedEntry): void {
    if (this.healthy && this.movedEntry(entry, this.matcher.overlappingVanished(entry))) return;
    if (entry.checkout_date <= this.input.today) this.skipped.push({ reason: 'past', entry, id: null });
    else if (!this.healthy && this.matcher.mayBeMoved(entry)) {
      this.waiting = true;
      this.skipped.push({ reason: 'awaiting_healthy_feed', entry, id: null });
    } else this.creates.push(entry);
  }

  private missed(row: KnownBooking): void {
    const { now, today } = this.input;
    if (!row.owned || isReadOnly(row) || row.checkin_date <= today) return;
    this.waiting = true;
    if (!this.healthy) return;
    const first = row.feed_first_missed_at;
    if (row.feed_misses === 0 || first === null) {
      this.vanished.push({ id: row.id, feed_misses: 1, feed_first_missed_at: now });
    } else if (now.getTime() - first.getTime() >= MISS_INTERVAL_MS) {
      this.cancels.push({ id: row.id, because: 'missing_twice' });
    }
  }

  private changeTo(row: KnownBooking, entry: FeedEntry): BookingChange {
    const { today, channel } = this.input;
    const checkin_date = clipsRunningStay(row, entry, today, channel) ? row.checkin_date : entry.checkin_date;
    // An id made of a UID follows the UID; a reservation code is for good.
    const follows = row.external_id === null || row.external_id === row.external_uid || entry.reservation_code !== null;
    return {
      id: row.id,
      ...(checkin_date !== row.checkin_date && { checkin_date }),
      ...(entry.checkout_date !== row.checkout_date && { checkout_date: entry.checkout_date }),
      ...(follows && row.external_id !== entry.external_id && { external_id: entry.external_id }),
      ...(row.external_uid !== entry.uid && { external_uid: entry.uid }),
      ...((row.feed_misses !== 0 || row.feed_first_missed_at !== null) && {
        feed_misses: 0 as const,
        feed_first_missed_at: null,
      }),
      ...(!row.owned && { adopt: true as const }),
    };
  }
}

/** The name a reservation gets when the calendar has none: `Guest`, with the code where there is one. */
export function guestNameOf(entry: Pick<FeedEntry, 'guest_name' | 'reservation_code'>): string {
  return entry.guest_name ?? (entry.reservation_code ? `Guest ${entry.reservation_code}` : 'Guest');
}
