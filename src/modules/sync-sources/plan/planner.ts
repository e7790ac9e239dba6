/**
 * Plans what a calendar run does to a source's bookings. Takes the known rows, the feed and the
 * time, and returns creates, date changes, misses and cancellations (specification, "Sync run
 * behaviour"; design "Calendar sync"). A plan contains no guest names, addresses or statuses of
 * existing reservations, so a run cannot overwrite them. Pure.
 */
import type { FeedEntry, ParsedFeed } from '../feed/reader';
import type {
  CalendarQuestionsAndHostAnswers,
  FeedEntryInterpretationSettings,
  QuestionToHostAboutCalendar,
  StayClassification,
} from '../json-columns.schemas';
import {
  type CalendarAndBookingsComparison,
  computeCalendarQuestionsAndAnswersToStore,
  doesFeedEntryHaveAnyOfIds,
  findQuestionToHostAboutCalendar,
  getReservationIdsHostConfirmedToCancel,
} from './calendar-question';
import { decideFeedEntryOutcomes, type FeedEntryOutcomes, type FeedEntrySkipReason } from './entries';
import { assessFeedHealth, type FeedHealth } from './health';
import {
  type BookingChannelOrDirect,
  BookingMatcher,
  isBookingProtectedFromSync,
  isBookingReadOnlyForSync,
  isRemainderOfOngoingStay,
  isSameStay,
  type StoredBooking,
} from './match-bookings';
import {
  type BookingsAndFeedEntriesOfStayQuestion,
  buildStayQuestions,
  createGuestNamedOnlyOutsideStayPredicate,
  findHostAnswerToStayQuestion,
  findRearrangedStayGroups,
  pairMissingBookingsWithNewFeedEntries,
} from './stay-questions';

/**
 * A booking is cancelled after it was missing from two healthy feeds that are at least this far
 * apart.
 */
export const MIN_ABSENCE_FROM_FEED_BEFORE_CANCEL_MS = 60 * 60 * 1_000;

/**
 * The maximum number of cancellations in a run, because all are made in one transaction. The next
 * run makes the rest.
 */
export const MAX_CANCELLATIONS_PER_SYNC_RUN = 100;

export interface SyncPlanInput {
  readonly channel: BookingChannelOrDirect;
  readonly known: readonly StoredBooking[];
  readonly feed: Pick<ParsedFeed, 'entries' | 'seen' | 'whole' | 'event_count'>;
  readonly last_healthy_count: number | null;
  /**
   * Since when the feed has had less than half of the bookings of the last healthy run. Null if it
   * has at least half.
   */
  readonly shrunk_since: Date | null;
  /** Whether the closures of this source are blocks (`closures_are_blocks`). Only for channel C. */
  readonly closures_are_blocks: boolean;
  /**
   * Marks that say whether the stay on certain dates is a block or a booking (`marked_blocks`). The
   * host sets them, or a run proposes them.
   */
  readonly marks: readonly StayClassification[];
  /** The host's settings for interpreting the words of entries (`reading`). */
  readonly reading?: FeedEntryInterpretationSettings;
  /** The source's questions to its host, and the changes that the host rejected. */
  readonly held: CalendarQuestionsAndHostAnswers;
  readonly now: Date;
  /** The current day in the property's zone. */
  readonly today: string;
}

/** The fields of a row that change. Absent fields do not change. */
export interface BookingChange {
  readonly id: string;
  readonly checkin_date?: string;
  readonly checkout_date?: string;
  readonly external_id?: string;
  readonly external_uid?: string | null;
  /** Set to 0 when the booking is in the feed again, so that it no longer counts as missing. */
  readonly feed_misses?: 0;
  readonly feed_first_missed_at?: null;
  /**
   * Set when a forwarded mail or the API created the reservation. The run then assigns the
   * reservation to this calendar.
   */
  readonly adopt?: true;
}

export type BookingSkipReason =
  | FeedEntrySkipReason
  | 'past'
  | 'signed'
  | 'redacted'
  | 'legal_hold'
  | 'expired'
  | 'ignored'
  | 'kept_out'
  | 'asked'
  | 'awaiting_healthy_feed';

export interface SyncPlan {
  readonly healthy: boolean;
  readonly health: FeedHealth;
  readonly creates: readonly FeedEntry[];
  readonly updates: readonly BookingChange[];
  /**
   * Rows whose booking has a new UID. The new entry overlaps a row whose entry disappeared in this
   * run.
   */
  readonly moved: readonly BookingChange[];
  readonly unchanged: readonly string[];
  readonly vanished: readonly {
    readonly id: string;
    readonly feed_misses: number;
    readonly feed_first_missed_at: Date;
  }[];
  readonly cancels: readonly { readonly id: string; readonly because: 'missing_twice' | 'cancelled_in_feed' }[];
  /** Rows whose booking is in the feed again after its removal. They are restored. */
  readonly returned: readonly BookingChange[];
  readonly skipped: readonly {
    readonly reason: BookingSkipReason;
    readonly entry: FeedEntry;
    readonly id: string | null;
  }[];
  /** Stays that this run proposes as blocks. They are appended to the source's `marked_blocks`. */
  readonly new_marks: readonly StayClassification[];
  /**
   * Whether the next run must plan again even if the feed's fingerprint has not changed, for
   * example because a booking is missing or the calendar has shrunk.
   */
  readonly waiting: boolean;
  /** The number of future bookings that are not in the calendar. */
  readonly missing: number;
  /**
   * The questions and the host's answers to store. While a question about the whole calendar is
   * open, the plan contains no changes.
   */
  readonly held: CalendarQuestionsAndHostAnswers;
}

/**
 * Returns the plan of one run. After the plan is applied, planning again with the same feed and
 * time gives an empty plan.
 */
export function planSync(input: SyncPlanInput): SyncPlan {
  const assessed = assessFeedHealth(input);
  const decisions = decideFeedEntryOutcomes(input);
  const { reason } = assessed;
  // A question to the host lists the changes that a healthy calendar would cause. A calendar that
  // has become small is therefore planned as healthy here.
  const believed = new PlanBuilder(input, assessed.healthy || reason === 'shrunk');
  believed.take(decisions);
  const question = reason === 'no_events' ? null : findQuestionToHostAboutCalendar(input, believed.observed());
  if (question) return nothingBut(input, reason === 'not_whole' ? null : question, believed.result());
  const { question: answered, kept } = input.held;
  // The host has answered about all missing bookings, so a small calendar is accepted.
  const settled = answered?.apply === true || (kept.length > 0 && believed.result().missing === 0);
  const health = reason === 'shrunk' && settled ? assessFeedHealth({ ...input, last_healthy_count: null }) : assessed;
  const plan = health.healthy || reason !== 'shrunk' ? believed : new PlanBuilder(input, false);
  if (plan !== believed) plan.take(decisions);
  const believes = reason !== 'no_events' && reason !== 'not_whole';
  const asked = plan.asked();
  const held = believes
    ? { ...computeCalendarQuestionsAndAnswersToStore(input, plan.observed()), ...(asked.length > 0 && { asked }) }
    : input.held;
  const result = plan.result();
  // A calendar that has shrunk must be read again even if no booking is missing, to learn whether
  // it is still small.
  const waiting = result.waiting || health.reason === 'shrunk';
  return { ...result, waiting, healthy: health.healthy, health, new_marks: decisions.new_marks, held };
}

/** Returns a plan that changes nothing, because the host is asked or the feed is truncated. */
function nothingBut(
  { last_healthy_count: healthy_count, shrunk_since, held }: SyncPlanInput,
  question: QuestionToHostAboutCalendar | null,
  { skipped, missing }: Pick<SyncPlan, 'skipped' | 'missing'>,
): SyncPlan {
  const reason = question ? 'asks' : 'not_whole';
  return {
    ...NOTHING,
    healthy: false,
    health: { healthy: false, reason, healthy_count, shrunk_since },
    skipped,
    missing,
    held: question ? { ...held, question } : held,
  };
}

const NOTHING = {
  creates: [],
  updates: [],
  moved: [],
  unchanged: [],
  vanished: [],
  cancels: [],
  returned: [],
  new_marks: [],
  waiting: true,
} as const;

class PlanBuilder {
  private readonly creates: FeedEntry[] = [];
  private readonly updates: BookingChange[] = [];
  private readonly moved: BookingChange[] = [];
  private readonly unchanged: string[] = [];
  private readonly vanished: { id: string; feed_misses: number; feed_first_missed_at: Date }[] = [];
  private readonly cancels: { id: string; because: 'missing_twice' | 'cancelled_in_feed' }[] = [];
  private readonly returned: BookingChange[] = [];
  private readonly skipped: { reason: BookingSkipReason; entry: FeedEntry; id: string | null }[] = [];
  private readonly missed: StoredBooking[] = [];
  private readonly strangers: FeedEntry[] = [];
  /**
   * Rows whose match is uncertain, because the entry only overlaps them or is cancelled. They are
   * reported as unmatched in `observed`, because their booking may be gone.
   */
  private readonly guessed = new Set<string>();
  private readonly matcher: BookingMatcher;
  private readonly kept: ReadonlySet<string>;
  private readonly confirmed: ReadonlySet<string>;
  /** Stays and entries about which the host is asked. The plan does not change them. */
  private readonly groups: BookingsAndFeedEntriesOfStayQuestion[] = [];
  private readonly asked_rows = new Set<string>();
  private readonly asked_entries = new Set<FeedEntry>();
  private waiting = false;
  /** Whether some cancellations are left for the next run. */
  private more = false;

  constructor(
    private readonly input: SyncPlanInput,
    private readonly healthy: boolean,
  ) {
    this.matcher = new BookingMatcher(input.known, input.today, input.channel);
    this.kept = new Set(input.held.kept);
    this.confirmed = getReservationIdsHostConfirmedToCancel(input.held);
  }

  take({ bookings: all, skipped, cancelled, doubtful }: FeedEntryOutcomes): void {
    const bookings = this.withoutRearranged(all, [...cancelled, ...skipped.map(({ entry }) => entry)]);
    // Codes identify most reliably. Entries with a code are matched first, so that no old UID
    // claims their rows.
    const by_strength = [...bookings].sort(
      (a, b) => Number(b.reservation_code !== null) - Number(a.reservation_code !== null),
    );
    const unknown = by_strength.filter((entry) => !this.seen(entry, this.matcher.byIdentity(entry)));
    // Cancelled entries are matched before entries with a new UID can match their rows.
    for (const entry of cancelled) this.cancelledEntry(entry);
    for (const { entry, reason } of skipped) {
      const row = doubtful.has(entry) ? this.matcher.liveByIdentity(entry) : null;
      if (!this.seen(entry, row)) this.skipped.push({ entry, reason, id: null });
    }
    for (const row of this.matcher.liveNamed(this.input.feed.seen)) this.seenUnread(row);
    const unrecognised = unknown.filter((entry) => !this.seen(entry, this.matcher.unownedWithSameDates(entry)));
    const isNameless = ({ guest_name }: FeedEntry) => guest_name === null;
    // Entries with the same days as a row are matched before entries with similar days. Otherwise
    // an entry that shares only a row's check-in or check-out day could claim that row.
    const named = unrecognised.filter((entry) => !isNameless(entry) && !this.sameDaysEntry(entry));
    // A guest whose name appears only on other nights may have moved, so the host is asked. An
    // entry without a name on the guest's old nights belongs to another guest.
    const elsewhere = createGuestNamedOnlyOutsideStayPredicate(named);
    const rows_away = this.matcher.unmatched().filter((row) => this.mayMiss(row) && elsewhere(row));
    const away = new Set(rows_away.map(({ id }) => id));
    const nameless = unrecognised.filter((entry) => isNameless(entry) && !this.sameDaysEntry(entry, away));
    const other_days = new Set([...named, ...nameless]);
    const strange = unrecognised.filter(
      (entry) => other_days.has(entry) && !this.sameStayEntry(entry, isNameless(entry) ? away : undefined),
    );
    const left = new Set([...this.kept, ...away]);
    for (const entry of strange) this.strangeEntry(entry, isNameless(entry) ? left : this.kept);
    for (const row of this.matcher.unmatched()) this.miss(row);
    this.askAboutMoved();
  }

  /**
   * Returns the bookings without those that do not match stored stays one to one. These bookings
   * and stays do not change unless the host agrees.
   */
  private withoutRearranged(bookings: readonly FeedEntry[], others: readonly FeedEntry[]): readonly FeedEntry[] {
    const { known, held, today, feed } = this.input;
    // A cancelled, skipped or unreadable entry decides what happens to the row that it identifies.
    // Such a row is not part of a question to the host.
    const ended = new Set([...feed.seen, ...others.flatMap(({ uid, external_id }) => [uid, external_id])]);
    const isLeft = ({ id, external_id, external_uid }: StoredBooking) =>
      this.kept.has(id) || ended.has(external_id) || ended.has(external_uid);
    for (const group of findRearrangedStayGroups(known, bookings, today, isLeft)) {
      const answer = findHostAnswerToStayQuestion(group, held, today);
      if (answer === 'follow' && this.healthy) continue;
      this.matcher.leaveOut(group.rows);
      this.groups.push(group);
      for (const row of group.rows) this.unchanged.push(row.id);
      for (const entry of group.entries) {
        this.asked_entries.add(entry);
        this.skipped.push({ reason: answer === 'keep' ? 'kept_out' : 'asked', entry, id: null });
      }
      if (answer !== 'keep') this.waiting = true;
    }
    return bookings.filter((entry) => !this.asked_entries.has(entry));
  }

  /**
   * Asks about guests who disappeared and whose names appear on other nights. Their reservation
   * does not change until the host answers.
   */
  private askAboutMoved(): void {
    if (!this.healthy) return;
    const { held, today } = this.input;
    const gone = this.missed.filter(({ id }) => !this.confirmed.has(id));
    for (const group of pairMissingBookingsWithNewFeedEntries(gone, this.creates)) {
      const [[row], [entry]] = [group.rows, group.entries];
      const answer = findHostAnswerToStayQuestion(group, held, today);
      if (!row || !entry || answer === 'keep') continue;
      this.asked_rows.add(row.id);
      this.asked_entries.add(entry);
      if (answer === 'follow') this.moved.push(this.changeTo(row, entry));
      else {
        this.groups.push(group);
        this.skipped.push({ reason: 'asked', entry, id: row.id });
      }
    }
  }

  /**
   * Returns the questions that this run asks the host about particular stays, including those that
   * the host has already answered.
   */
  asked() {
    const { held, now, today } = this.input;
    return buildStayQuestions(this.groups, held, now, today);
  }

  result() {
    const { updates, moved, unchanged, returned, skipped, waiting, missed } = this;
    const creates = this.creates.filter((entry) => !this.asked_entries.has(entry));
    const isOpen = ({ id }: { id: string }) => !this.asked_rows.has(id);
    const [vanished, cancels] = [this.vanished.filter(isOpen), this.cancels.filter(isOpen)];
    const missing = missed.filter(isOpen).length;
    return { creates, updates, moved, unchanged, vanished, cancels, returned, skipped, waiting, missing };
  }

  /** Returns how the calendar compares with the known bookings. */
  observed(): CalendarAndBookingsComparison {
    const { matcher, guessed, cancels, missed, updates, moved, returned, strangers, more } = this;
    const unmatched = [...matcher.unmatched().map(({ id }) => id), ...guessed];
    const cancelled = cancels.flatMap(({ id, because }) => (because === 'cancelled_in_feed' ? id : []));
    return { unmatched, cancelled, missed, updates, moved, returned, strangers, more };
  }

  private seen(entry: FeedEntry, row: StoredBooking | null): boolean {
    if (!row) return false;
    if (this.leftAlone(entry, row)) return true;
    const change = this.changeTo(row, entry);
    if (Object.keys(change).length > 1) this.updates.push(change);
    else this.unchanged.push(row.id);
    return true;
  }

  /**
   * Handles a row whose event is present but unreadable: the row does not change and does not count
   * as missing.
   */
  private seenUnread(row: StoredBooking): void {
    if (isBookingReadOnlyForSync(row) || row.feed_misses === 0) this.unchanged.push(row.id);
    else this.updates.push({ id: row.id, feed_misses: 0, feed_first_missed_at: null });
  }

  /**
   * Handles rows that a run must not change. They still match their entry, so that the entry does
   * not create a second reservation. An expired row whose stay continues gets its new dates and
   * remains expired (specification, "Sync run behaviour"), so that the host can send it again.
   */
  private leftAlone(entry: FeedEntry, row: StoredBooking, may_follow = true): boolean {
    if (row.status === 'ignored' && row.cancel_reason === 'feed_removed' && !isBookingProtectedFromSync(row)) {
      if (this.kept.has(row.id)) this.skipped.push({ reason: 'kept_out', entry, id: row.id });
      else if (entry.checkout_date > this.input.today) this.returned.push(this.changeTo(row, entry));
      else this.unchanged.push(row.id);
      return true;
    }
    if (!isBookingReadOnlyForSync(row)) return false;
    const goes_on =
      row.status === 'expired' && !isBookingProtectedFromSync(row) && entry.checkout_date > this.input.today;
    if (goes_on && may_follow) return false;
    const reason: BookingSkipReason = row.legal_hold
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

  /**
   * Cancels all rows that a cancelled entry identifies. Otherwise the next run would match the
   * entry with a remaining row.
   */
  private cancelledEntry(entry: FeedEntry): void {
    const rows = this.matcher.allByIdentity(entry);
    const [row] = rows;
    if (!row) {
      this.skipped.push({ reason: 'cancelled', entry, id: null });
      return;
    }
    if (isBookingReadOnlyForSync(row)) {
      if (row.status === 'ignored' && !row.redacted) this.skipped.push({ reason: 'cancelled', entry, id: row.id });
      else this.leftAlone(entry, row, false);
      return;
    }
    if (this.kept.has(row.id)) {
      this.skipped.push({ reason: 'kept_out', entry, id: row.id });
      for (const { id } of rows) this.guessed.add(id);
      return;
    }
    // A run does not cancel a stay that has begun. Only the host can.
    const ahead = rows.filter((one) => !isBookingReadOnlyForSync(one) && one.checkin_date > this.input.today);
    if (this.healthy && ahead.length > 0) {
      for (const { id } of ahead) this.cancels.push({ id, because: 'cancelled_in_feed' });
    } else {
      if (!this.healthy) this.waiting = true;
      this.skipped.push({ reason: this.healthy ? 'past' : 'awaiting_healthy_feed', entry, id: row.id });
    }
  }

  private movedEntry(entry: FeedEntry, row: StoredBooking | null): boolean {
    if (!row) return false;
    if (!this.leftAlone(entry, row, this.healthy)) this.moved.push(this.changeTo(row, entry));
    return true;
  }

  private sameDaysEntry(entry: FeedEntry, but?: ReadonlySet<string>): boolean {
    return this.movedEntry(entry, this.matcher.sameDays(entry, this.healthy, but));
  }

  private sameStayEntry(entry: FeedEntry, but?: ReadonlySet<string>): boolean {
    const row = this.matcher.sameStay(entry, this.healthy, but);
    if (row && isBookingProtectedFromSync(row) && !isSameStay(row, entry)) this.guessed.add(row.id);
    return this.movedEntry(entry, row);
  }

  private strangeEntry(entry: FeedEntry, left: ReadonlySet<string>): void {
    const left_out = doesFeedEntryHaveAnyOfIds(this.kept, entry);
    const overlapping = this.healthy && !left_out ? this.matcher.overlappingVanished(entry, left) : null;
    if (overlapping) {
      this.guessed.add(overlapping.id);
      this.movedEntry(entry, overlapping);
      return;
    }
    if (entry.checkout_date <= this.input.today) {
      this.skipped.push({ reason: 'past', entry, id: null });
      return;
    }
    this.strangers.push(entry);
    if (left_out) this.skipped.push({ reason: 'kept_out', entry, id: null });
    else if (!this.healthy && this.matcher.mayBeMoved(entry)) {
      this.waiting = true;
      this.skipped.push({ reason: 'awaiting_healthy_feed', entry, id: null });
    } else this.creates.push(entry);
  }

  /**
   * Returns whether the run may record that the row's booking is missing from the calendar. The
   * first record is made only before the check-in day. The second may be made on that day.
   */
  private mayMiss(row: StoredBooking): boolean {
    const { today } = this.input;
    const begun = row.feed_misses > 0 ? row.checkin_date < today : row.checkin_date <= today;
    return row.owned && !isBookingReadOnlyForSync(row) && !begun && !this.kept.has(row.id);
  }

  private miss(row: StoredBooking): void {
    const { now } = this.input;
    if (!this.mayMiss(row)) return;
    this.missed.push(row);
    this.waiting = true;
    if (!this.healthy) return;
    const first = row.feed_first_missed_at;
    if (this.confirmed.has(row.id)) this.cancelMissing(row);
    else if (row.feed_misses === 0 || first === null) {
      this.vanished.push({ id: row.id, feed_misses: 1, feed_first_missed_at: now });
    } else if (now.getTime() - first.getTime() >= MIN_ABSENCE_FROM_FEED_BEFORE_CANCEL_MS) this.cancelMissing(row);
  }

  private cancelMissing({ id }: StoredBooking): void {
    if (this.cancels.length < MAX_CANCELLATIONS_PER_SYNC_RUN) this.cancels.push({ id, because: 'missing_twice' });
    else this.more = true;
  }

  private changeTo(row: StoredBooking, entry: FeedEntry): BookingChange {
    const { today, channel } = this.input;
    const checkin_date = isRemainderOfOngoingStay(row, entry, today, channel) ? row.checkin_date : entry.checkin_date;
    // An external id derived from a UID changes with the UID. A reservation code does not change.
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
