/**
 * Finds questions to the host about single stays. While such a question is open, the run applies
 * all other changes of the calendar. A question concerns entries and stays that do not match one to
 * one (merged or split closures), or a stay that disappeared while another entry has its guest's
 * name. Pure.
 */
import { addDays, findIndexOfFirstStayOnOrAfterDay } from '../feed/calendar-days';
import type { FeedEntry } from '../feed/reader';
import type { CalendarQuestionsAndHostAnswers, StoredStayQuestion } from '../json-columns.schemas';
import { getGuestNameComparisonKey, getGuestNameForNewReservation, isSameGuestName } from './guest-identity';
import {
  appendToListInMap,
  doesBookingMatchFeedEntryDates,
  hasIdentityConflictWithFeedEntry,
  isActiveBooking,
  isOverlappingStay,
  type StoredBooking,
} from './match-bookings';

/** The rows and entries of one question. A run does not change them until the host answers. */
export interface BookingsAndFeedEntriesOfStayQuestion {
  readonly kind: StoredStayQuestion['kind'];
  readonly rows: readonly StoredBooking[];
  readonly entries: readonly FeedEntry[];
}

/**
 * The maximum number of questions to the host in one run. A calendar that causes more questions
 * probably belongs to another listing.
 */
const MAX_ASKS = 50;
/** The maximum number of rows and entries in one question to the host. */
const MAX_IN_GROUP = 12;

/**
 * Returns the questions with the host's answer to one of them. Changes nothing if that question no
 * longer exists.
 */
export function setHostAnswerToStayQuestion(
  held: CalendarQuestionsAndHostAnswers,
  key: string,
  answer: 'follow' | 'keep',
): CalendarQuestionsAndHostAnswers {
  const asked = (held.asked ?? []).map((ask) => (ask.key === key ? { ...ask, answer } : ask));
  return { ...held, ...(asked.length > 0 && { asked }) };
}

/**
 * Returns a run's questions to the host about particular stays. A question that was asked before
 * retains its time and the host's answer.
 */
export function buildStayQuestions(
  groups: readonly BookingsAndFeedEntriesOfStayQuestion[],
  held: CalendarQuestionsAndHostAnswers,
  now: Date,
  today: string,
): StoredStayQuestion[] {
  const before = new Map((held.asked ?? []).map((ask) => [ask.key, ask]));
  return groups.map(({ kind, rows, entries }) => {
    const key = keyOf({ kind, rows, entries }, today);
    const known = before.get(key);
    return {
      key,
      kind,
      since: known?.since ?? now.toISOString(),
      rows: rows.map(({ id }) => id),
      entries: entries.map((entry) => ({
        guest_name: getGuestNameForNewReservation(entry),
        checkin_date: entry.checkin_date,
        checkout_date: entry.checkout_date,
      })),
      answer: known?.answer ?? null,
    };
  });
}

/**
 * Returns the host's answer to the question about these rows and entries. Returns null without an
 * answer.
 */
export function findHostAnswerToStayQuestion(
  group: BookingsAndFeedEntriesOfStayQuestion,
  held: CalendarQuestionsAndHostAnswers,
  today: string,
): StoredStayQuestion['answer'] {
  if (!held.asked) return null;
  const key = keyOf(group, today);
  return held.asked.find((ask) => ask.key === key)?.answer ?? null;
}

/**
 * Returns the key that identifies a question in later runs. It contains the entries' days instead
 * of their UIDs, because UIDs change. For a stay that has begun it contains only the end, because
 * the start advances every day.
 */
function keyOf({ kind, rows, entries }: BookingsAndFeedEntriesOfStayQuestion, today: string): string {
  const stays = entries.map(({ checkin_date, checkout_date }) =>
    checkin_date <= addDays(today, 1) ? `/${checkout_date}` : `${checkin_date}/${checkout_date}`,
  );
  return [kind, ...rows.map(({ id }) => id).sort(), ...stays.sort()].join(' ');
}

/**
 * Returns groups of stays and entries that do not match one to one: one entry covers the nights of
 * several stays, or several entries cover the nights of one. Entries with a code, or with exactly
 * the days of a stay, are matched and belong to no group.
 * @param left returns whether a row is already decided and belongs to no group
 */
export function findRearrangedStayGroups(
  known: readonly StoredBooking[],
  entries: readonly FeedEntry[],
  today: string,
  left: (row: StoredBooking) => boolean,
): BookingsAndFeedEntriesOfStayQuestion[] {
  const elsewhere = createGuestNamedOnlyOutsideStayPredicate(entries);
  const rows = known.filter(
    (row) => row.owned && isActiveBooking(row) && row.checkout_date > today && !left(row) && !elsewhere(row),
  );
  const settled = settledOf(known, rows, entries, today);
  const open_rows = new Set(rows.filter((row) => !settled.has(row)));
  const open_entries = entries.filter(
    (one) => !settled.has(one) && one.reservation_code === null && one.checkout_date > today,
  );
  if (open_rows.size === 0 || open_entries.length === 0) return [];
  const groups: BookingsAndFeedEntriesOfStayQuestion[] = [];
  for (const links of componentsOf(linksOf(known, open_rows, entries, open_entries))) {
    if (links.rows.size < 2 && links.entries.size < 2) continue;
    if (groups.length >= MAX_ASKS || links.rows.size + links.entries.size > MAX_IN_GROUP) continue;
    groups.push({ kind: 'rearranged', rows: [...links.rows], entries: [...links.entries] });
  }
  return groups;
}

/**
 * Returns a function that tells whether a guest's name appears in the calendar only on nights
 * outside the guest's stay. The host then decides whether it is the same guest.
 */
export function createGuestNamedOnlyOutsideStayPredicate(
  entries: readonly FeedEntry[],
): (row: StoredBooking) => boolean {
  const by_name = new Map<string, FeedEntry[]>();
  for (const entry of entries) {
    const key = getGuestNameComparisonKey(entry.guest_name);
    if (key !== '') appendToListInMap(by_name, key, entry);
  }
  return (row) => {
    const same = by_name.get(getGuestNameComparisonKey(row.guest_name)) ?? [];
    return (
      same.length > 0 &&
      same.every((entry) => !isOverlappingStay(row, entry) && !hasIdentityConflictWithFeedEntry(row, entry))
    );
  };
}

/**
 * Returns the rows and entries that match without a question to the host. Both have the same code
 * or exactly the same days, or the entry is the rest of the row's stay.
 */
function settledOf(
  known: readonly StoredBooking[],
  rows: readonly StoredBooking[],
  entries: readonly FeedEntry[],
  today: string,
): Set<StoredBooking | FeedEntry> {
  const settled = new Set<StoredBooking | FeedEntry>();
  const codes = new Map(
    entries.flatMap((one) => (one.reservation_code === null ? [] : [[one.reservation_code, one] as const])),
  );
  const by_uid = new Map(entries.flatMap((one) => (one.uid === null ? [] : [[one.uid, one] as const])));
  const days = new Map<string, FeedEntry[]>();
  for (const one of entries) {
    const key = `${one.checkin_date}/${one.checkout_date}`;
    days.set(key, [...(days.get(key) ?? []).slice(0, 3), one]);
  }
  const owners = new Map(
    known.filter((row) => row.owned && isActiveBooking(row)).map((row) => [row.external_uid, row]),
  );
  const isAnothers = ({ uid }: FeedEntry, row: StoredBooking) => uid !== null && (owners.get(uid) ?? row) !== row;
  for (const row of rows) {
    const coded = row.external_id === null ? undefined : codes.get(row.external_id);
    const same = (days.get(`${row.checkin_date}/${row.checkout_date}`) ?? []).find(
      (one) => !settled.has(one) && !isAnothers(one, row) && !hasIdentityConflictWithFeedEntry(row, one),
    );
    const own = row.external_uid === null ? undefined : by_uid.get(row.external_uid);
    // An entry with the row's UID belongs to the row if it has the same days. It also belongs to
    // the row if it is the rest of a stay that has begun: it then ends on the same day.
    const rest =
      own &&
      own.checkout_date === row.checkout_date &&
      (row.checkin_date <= today || doesBookingMatchFeedEntryDates(row, own))
        ? own
        : null;
    // A row whose own entry has other days is not matched with another row's entry.
    const its = coded ?? rest ?? (own ? undefined : same);
    if (its) settled.add(row).add(its);
  }
  return settled;
}

interface Link {
  readonly row: StoredBooking;
  readonly entry: FeedEntry;
}

/**
 * Returns which calendar entries may belong to which stored stays. An entry and a stay are linked
 * when they share nights and their guests and codes do not conflict. A stay that the calendar still
 * lists is linked only to its own entry, and an entry that belongs to a stay only to that stay.
 */
function linksOf(
  known: readonly StoredBooking[],
  open_rows: ReadonlySet<StoredBooking>,
  all: readonly FeedEntry[],
  open_entries: readonly FeedEntry[],
): Link[] {
  const by_id = new Map<string, FeedEntry[]>();
  for (const one of all)
    for (const id of new Set([one.uid, one.external_id])) if (id !== null) appendToListInMap(by_id, id, one);
  const owners = new Map<string, StoredBooking[]>();
  for (const row of known)
    for (const id of new Set([row.external_uid, row.external_id])) if (id !== null) appendToListInMap(owners, id, row);
  const ownersOf = ({ uid, external_id }: FeedEntry) =>
    [...new Set([uid, external_id])].flatMap((id) => owners.get(id ?? '') ?? []);
  const mayBe = (row: StoredBooking, entry: FeedEntry) =>
    isOverlappingStay(row, entry) && !hasIdentityConflictWithFeedEntry(row, entry);
  const candidates = open_entries.filter((entry) =>
    ownersOf(entry).every((row) => open_rows.has(row) && mayBe(row, entry)),
  );
  const is_candidate = new Set(candidates);
  const sorted = candidates.sort((a, b) => (a.checkin_date < b.checkin_date ? -1 : 1));
  const longest = candidates.reduce((most, { nights }) => Math.max(most, nights), 0);
  const links: Link[] = [];
  for (const row of open_rows) {
    const own = [row.external_uid, row.external_id].flatMap((id) => by_id.get(id ?? '') ?? []);
    if (own.some((entry) => !is_candidate.has(entry) || !mayBe(row, entry))) continue;
    let linked = 0;
    for (
      let at = findIndexOfFirstStayOnOrAfterDay(sorted, addDays(row.checkin_date, -longest));
      at < sorted.length;
      at += 1
    ) {
      const entry = sorted[at]!;
      if (entry.checkin_date >= row.checkout_date || linked > MAX_IN_GROUP) break;
      if (!mayBe(row, entry)) continue;
      const others = ownersOf(entry).filter((one) => one !== row);
      // Skips an entry that belongs to another row if the calendar also contains this row's own
      // entry.
      if (others.length > 0 && own.length > 0 && !own.includes(entry)) continue;
      linked += 1;
      links.push({ row, entry });
      // A question about an entry must include every stay that has one of the entry's ids.
      for (const other of others) links.push({ row: other, entry });
    }
  }
  return links;
}

function componentsOf(links: readonly Link[]): { rows: Set<StoredBooking>; entries: Set<FeedEntry> }[] {
  const of = new Map<StoredBooking | FeedEntry, { rows: Set<StoredBooking>; entries: Set<FeedEntry> }>();
  const all = new Set<{ rows: Set<StoredBooking>; entries: Set<FeedEntry> }>();
  for (const { row, entry } of links) {
    const [a, b] = [of.get(row), of.get(entry)];
    const into = a ?? b ?? { rows: new Set<StoredBooking>(), entries: new Set<FeedEntry>() };
    all.add(into);
    into.rows.add(row);
    into.entries.add(entry);
    if (a && b && a !== b) {
      all.delete(b);
      for (const one of b.rows) {
        into.rows.add(one);
        of.set(one, into);
      }
      for (const one of b.entries) {
        into.entries.add(one);
        of.set(one, into);
      }
    }
    of.set(row, into);
    of.set(entry, into);
  }
  return [...all];
}

/** Pairs each stay that disappeared with the new entry that has its guest's name. */
export function pairMissingBookingsWithNewFeedEntries(
  gone: readonly StoredBooking[],
  strangers: readonly FeedEntry[],
): BookingsAndFeedEntriesOfStayQuestion[] {
  const named = strangers.filter(({ guest_name }) => guest_name !== null);
  const taken = new Set<FeedEntry>();
  const groups: BookingsAndFeedEntriesOfStayQuestion[] = [];
  for (const row of gone) {
    if (groups.length >= MAX_ASKS) break;
    const entry = named.find(
      (one) =>
        !taken.has(one) &&
        isSameGuestName(row.guest_name, one.guest_name) &&
        !hasIdentityConflictWithFeedEntry(row, one),
    );
    if (!entry) continue;
    taken.add(entry);
    groups.push({ kind: 'moved', rows: [row], entries: [entry] });
  }
  return groups;
}
