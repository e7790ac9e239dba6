/**
 * Decides when a run changes nothing and asks the host instead (design "Calendar sync"): all future
 * bookings disappeared at once, or the calendar belongs to another listing. The changes are stored
 * with the source until the host answers or the calendar is as before. Pure.
 */
import type { FeedEntry } from '../feed/reader';
import type {
  CalendarQuestionsAndHostAnswers,
  ProposedSyncChange,
  QuestionToHostAboutCalendar,
} from '../json-columns.schemas';
import { getGuestNameForNewReservation } from './guest-identity';
import { isActiveBooking, type StoredBooking } from './match-bookings';

/**
 * If at least this many bookings disappear at once, the run asks the host. A single missing booking
 * is treated as a cancellation.
 */
const TOO_MANY_AT_ONCE = 2;
/**
 * The maximum number of proposed changes that are stored with a question to the host. A listing has
 * far fewer future bookings.
 */
const MAX_WOULD_DO = 500;
const MAX_KEPT = 1_000;

export const EMPTY_CALENDAR_QUESTIONS_TO_HOST: CalendarQuestionsAndHostAnswers = { question: null, kept: [] };

/** The result of comparing a calendar with the known bookings, before any change. */
export interface CalendarAndBookingsComparison {
  /** The ids of the stored bookings that no entry of the calendar matches. */
  readonly unmatched: readonly string[];
  /** The unmatched rows that would be cancelled in this run or a later one. */
  readonly missed: readonly StoredBooking[];
  /** Rows whose entry in the calendar is cancelled. */
  readonly cancelled: readonly string[];
  readonly updates: readonly Change[];
  readonly moved: readonly Change[];
  readonly returned: readonly Change[];
  /** Bookings in the calendar that match no row. */
  readonly strangers: readonly FeedEntry[];
  /** Whether some cancellations are left for the next run. */
  readonly more: boolean;
}

interface Change {
  readonly id: string;
  readonly checkin_date?: string;
  readonly checkout_date?: string;
  readonly external_id?: string;
  readonly external_uid?: string | null;
}

interface Input {
  readonly known: readonly StoredBooking[];
  readonly feed: { readonly entries: readonly FeedEntry[]; readonly seen: readonly string[] };
  readonly held: CalendarQuestionsAndHostAnswers;
  readonly now: Date;
  readonly today: string;
}

/**
 * Returns the question that a run asks the host instead of making changes, or null. A question that
 * is already open retains the time at which it was first asked.
 */
export function findQuestionToHostAboutCalendar(
  input: Input,
  observed: CalendarAndBookingsComparison,
): QuestionToHostAboutCalendar | null {
  const reason = reasonToAsk(input, observed);
  if (!reason) return null;
  const { question } = input.held;
  const since = question && !question.apply ? question.since : input.now.toISOString();
  return { reason, since, apply: false, would: wouldDo(input, observed).slice(0, MAX_WOULD_DO) };
}

/**
 * Returns the reason to ask the host, or null. Ignores missing bookings that an earlier run also
 * missed, because only runs with a healthy calendar record this. Also ignores bookings about which
 * the host has already answered.
 */
function reasonToAsk(
  { known, feed, held, today }: Input,
  observed: CalendarAndBookingsComparison,
): QuestionToHostAboutCalendar['reason'] | null {
  const absent = absentOf(known, feed, observed);
  // Uses the check-in dates in the calendar instead of the stored dates. The next run, after the
  // stored dates are updated, must not ask a question that this run did not ask.
  const days = new Map(observed.updates.map(({ id, checkin_date }) => [id, checkin_date]));
  const isAhead = (row: StoredBooking) =>
    row.owned && isActiveBooking(row) && (days.get(row.id) ?? row.checkin_date) > today;
  const ended = new Set(observed.cancelled);
  const ahead = known.filter((row) => isAhead(row) && !ended.has(row.id));
  if (ahead.some(({ id }) => !absent.has(id))) return null;
  const answered = new Set([...held.kept, ...(held.question?.apply ? held.question.would.flatMap(idsOf) : [])]);
  const gone = ahead.filter((row) => row.feed_misses === 0 && !answered.has(row.id)).length;
  const strange = observed.strangers.filter((entry) => !doesFeedEntryHaveAnyOfIds(answered, entry)).length;
  const foreign = strange > 0 && known.every(({ id }) => absent.has(id));
  if (gone >= TOO_MANY_AT_ONCE) return foreign ? 'another_listing' : 'all_gone';
  if (gone > 0 && strange >= TOO_MANY_AT_ONCE && foreign) return 'another_listing';
  // Bookings whose import the host rejected are still in the calendar. It is therefore still the
  // calendar of another listing.
  const kept = new Set(held.kept);
  const left_out = observed.strangers.some((entry) => doesFeedEntryHaveAnyOfIds(kept, entry));
  return left_out && foreign ? 'another_listing' : null;
}

/**
 * Returns rows whose booking is not in the calendar, neither under its UID nor under its external
 * id.
 */
function absentOf(
  known: readonly StoredBooking[],
  { entries, seen }: Input['feed'],
  { unmatched }: CalendarAndBookingsComparison,
): ReadonlySet<string> {
  const there = entries.filter(({ cancelled }) => !cancelled);
  const named = new Set([...seen, ...there.flatMap(identitiesOf)]);
  const gone = new Set(unmatched);
  const isNamed = (row: StoredBooking) =>
    [row.external_id, row.external_uid].some((id) => id !== null && named.has(id));
  return new Set(known.filter((row) => gone.has(row.id) && !isNamed(row)).map(({ id }) => id));
}

/** Returns the planned changes, with the most severe first. */
function wouldDo(
  { known, held }: Input,
  { cancelled, missed, moved, returned, strangers }: CalendarAndBookingsComparison,
): ProposedSyncChange[] {
  const by_id = new Map(known.map((row) => [row.id, row]));
  const kept = new Set(held.kept);
  const change = (what: 'cancel' | 'move' | 'restore', { id, ...to }: Change): ProposedSyncChange => ({
    what,
    reservation_id: id,
    external_ids: what === 'move' ? [to.external_id, to.external_uid].flatMap((one) => one ?? []) : [],
    guest_name: null,
    checkin_date: to.checkin_date ?? by_id.get(id)?.checkin_date ?? '',
    checkout_date: to.checkout_date ?? by_id.get(id)?.checkout_date ?? '',
  });
  const create = (entry: FeedEntry): ProposedSyncChange => ({
    what: 'create',
    reservation_id: null,
    external_ids: identitiesOf(entry),
    guest_name: getGuestNameForNewReservation(entry),
    checkin_date: entry.checkin_date,
    checkout_date: entry.checkout_date,
  });
  return [
    ...[...cancelled, ...missed.map(({ id }) => id)].map((id) => change('cancel', { id })),
    ...moved.map((booking) => change('move', booking)),
    ...returned.map((booking) => change('restore', booking)),
    ...strangers.filter((entry) => !doesFeedEntryHaveAnyOfIds(kept, entry)).map(create),
  ];
}

const idsOf = ({ reservation_id, external_ids }: ProposedSyncChange) => [
  ...(reservation_id ? [reservation_id] : []),
  ...external_ids,
];

/** Returns the ids that identify a calendar entry: its external id, UID and reservation code. */
const identitiesOf = ({ external_id, uid, reservation_code }: FeedEntry) => [
  ...new Set([external_id, uid, reservation_code].flatMap((id) => id ?? [])),
];

/** Returns whether the set contains one of the entry's ids, such as its UID or code. */
export const doesFeedEntryHaveAnyOfIds = (ids: ReadonlySet<string>, entry: FeedEntry) =>
  identitiesOf(entry).some((id) => ids.has(id));

/**
 * Applies the host's answer to the question about a whole calendar. Returns the questions and
 * answers to store. `ask_again` withdraws every earlier `keep`.
 */
export function applyHostAnswerAboutCalendar(
  { question, kept, asked }: CalendarQuestionsAndHostAnswers,
  given: 'apply' | 'keep' | 'ask_again',
): CalendarQuestionsAndHostAnswers {
  if (given === 'ask_again') {
    const open = asked?.filter((ask) => ask.answer !== 'keep');
    return { question, kept: [], ...(open?.length && { asked: open }) };
  }
  const others = asked && { asked };
  if (!question) return { question, kept, ...others };
  if (given === 'apply') return { question: { ...question, apply: true }, kept, ...others };
  return { question: null, kept: [...new Set([...kept, ...question.would.flatMap(idsOf)])], ...others };
}

/** Returns the reservations whose cancellation the host confirmed. */
export function getReservationIdsHostConfirmedToCancel({
  question,
}: CalendarQuestionsAndHostAnswers): ReadonlySet<string> {
  const would = question?.apply ? question.would : [];
  return new Set(would.flatMap(({ what, reservation_id }) => (what === 'cancel' && reservation_id) || []));
}

/**
 * Returns what to store about the host's answers after a run that asked nothing about the whole
 * calendar. An approved question (`apply`) remains stored while some of its cancellations are left
 * for the next run. Reservations that are in the calendar again are removed from `kept`.
 */
export function computeCalendarQuestionsAndAnswersToStore(
  { known, feed, held }: Input,
  observed: CalendarAndBookingsComparison,
): CalendarQuestionsAndHostAnswers {
  const question = observed.more && held.question?.apply ? held.question : null;
  const absent = absentOf(known, feed, observed);
  const there = new Set(known.flatMap(({ id, status }) => (absent.has(id) || status === 'ignored' ? [] : id)));
  return { question, kept: held.kept.filter((id) => !there.has(id)).slice(-MAX_KEPT) };
}
