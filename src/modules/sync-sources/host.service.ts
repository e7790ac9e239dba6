/** Sync source operations that only the dashboard offers. */

import { config } from '@/config';
import type { Prisma, SyncRun, SyncSource } from '@/generated/prisma/client';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { createTrailActorParserForTeam } from '@/modules/reservations/timeline.service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import {
  createRefusal,
  createRefusalFromKeyAndValues,
  parseStoredRefusal,
  type ResultWithUntranslatedRefusals,
} from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { getLocalDate } from '@/shared/zoned-time';
import { normalizeFeedTextForComparison } from './feed/classify';
import * as host from './host.repository';
import type {
  FeedEntryClassificationRuleInput,
  HostSyncRun,
  StayClassificationInput,
  StayQuestionForHost,
  SyncSourceCreate,
  SyncSourceDetail,
  SyncSourceUpdate,
} from './host.schemas';
import {
  calendarQuestionsAndHostAnswersJsonColumn,
  feedEntryInterpretationJsonColumn,
  type QuestionToHostAboutCalendar,
  type StoredStayQuestion,
  skippedFeedEntriesJsonColumn,
  stayClassificationsJsonColumn,
  syncRunChangesJsonColumn,
  syncRunCountsJsonColumn,
} from './json-columns.schemas';
import { EMPTY_CALENDAR_QUESTIONS_TO_HOST } from './plan/calendar-question';
import { filterCurrentStayClassifications } from './plan/entries';
import * as repository from './repository';
import type { DashboardSyncSourceKind } from './schemas';
import { decryptFeedUrl, serializeSyncSource } from './serializer';
import {
  assertFeedUrlNotYetUsedByProperty,
  createSyncSource,
  encryptFeedUrl,
  parseFeedUrl,
  recordSyncSourceEvent,
  retrieveSyncSource,
} from './service';

const RUNS_SHOWN = 50;
const MAX_MARKS = 500;
const MAX_RULES = 100;

/** Returns a source. Throws resource_missing. */
export async function retrieveSyncSourceDetail(
  scope: Scope,
  id: string,
): Promise<ResultWithUntranslatedRefusals<SyncSourceDetail>> {
  const [detail] = await loadSyncSourceDetails(scope, [await retrieveSyncSource(scope, id)]);
  return detail as ResultWithUntranslatedRefusals<SyncSourceDetail>;
}

/** Connects a source. Throws the errors of createSyncSource. */
export async function connectSyncSource(
  scope: Scope,
  input: SyncSourceCreate,
): Promise<ResultWithUntranslatedRefusals<SyncSourceDetail>> {
  const row = await createSyncSource(scope, input);
  return retrieveSyncSourceDetail(scope, row.id);
}

/**
 * Changes the given fields that differ. A new URL, or disabling the source, revokes the lease of a
 * run in progress. That run then writes nothing. Throws resource_missing, invalid_field
 * (`feed_url`), url_not_https and url_not_allowed.
 */
export async function updateSyncSource(
  scope: Scope,
  { id, ...given }: SyncSourceUpdate,
): Promise<ResultWithUntranslatedRefusals<SyncSourceDetail>> {
  const before = await retrieveSyncSource(scope, id);
  const url = given.feed_url === undefined ? undefined : parseFeedUrl(given.feed_url);
  if (url !== undefined && before.feed_url === null) {
    throw new AppError('invalid_field', { param: 'feed_url', message: createRefusal('forwarding_has_no_url') });
  }
  await inTransaction(scope, async () => {
    if (url !== undefined) {
      await lockProperty(scope, before.property_id);
      await assertFeedUrlNotYetUsedByProperty(scope, before.property_id, url, id);
    }
    const row = await host.lockSyncSource(scope, id);
    const changes = changesOf(row, given, url);
    if (Object.keys(changes).length === 0) return;
    // A booking that was missing in the old calendar may be present in the new one, so earlier
    // misses do not count.
    if (changes.feed_url) await repository.resetMissingFromFeedCounts(scope, id);
    const saved = await host.saveSyncSource(scope, id, { ...changes, updated_at: clock().now() });
    await recordSyncSourceEvent(scope, 'sync_source.updated', saved);
  });
  return retrieveSyncSourceDetail(scope, id);
}

/**
 * Stores a rule that entries with these words are blocks or bookings, or deletes that rule (`as`
 * null). Makes the next run due immediately, and that run applies the rule. Throws
 * resource_missing, sync_not_supported and too_many_items.
 */
export async function setFeedEntryClassificationRule(
  scope: Scope,
  { id, words, match, as }: FeedEntryClassificationRuleInput,
): Promise<ResultWithUntranslatedRefusals<SyncSourceDetail>> {
  await inTransaction(scope, async () => {
    const found = await retrieveSyncSource(scope, id);
    if (found.feed_url === null) throw new AppError('sync_not_supported');
    const row = await host.lockSyncSource(scope, id);
    const { rules, ...policies } = feedEntryInterpretationJsonColumn.read(row.reading);
    const folded = normalizeFeedTextForComparison(words);
    const others = rules.filter(
      (rule) => rule.match !== match || normalizeFeedTextForComparison(rule.words) !== folded,
    );
    const next = [...others, ...(as ? [{ words, match, as }] : [])];
    if (next.length > MAX_RULES) throw new AppError('too_many_items', { message: createRefusal('too_many_rules') });
    const now = clock().now();
    const saved = await host.saveSyncSource(scope, id, {
      reading: feedEntryInterpretationJsonColumn.write({ ...policies, rules: next }),
      next_run_at: row.enabled ? now : null,
      updated_at: now,
    });
    await recordSyncSourceEvent(scope, 'sync_source.updated', saved);
  });
  return retrieveSyncSourceDetail(scope, id);
}

function changesOf(row: SyncSource, given: Omit<SyncSourceUpdate, 'id'>, url: string | undefined) {
  const { enabled, closures_are_blocks, apply_proven_mails, otherwise, doubtful } = given;
  const changes: Prisma.SyncSourceUncheckedUpdateManyInput = {};
  const stop = { running_until: null, running_token: null };
  const afresh = {
    next_run_at: row.feed_url === null ? null : clock().now(),
    consecutive_failures: 0,
    failing_since: null,
    failure_mailed_at: null,
  };
  if (enabled !== undefined && enabled !== row.enabled) Object.assign(changes, { enabled }, enabled ? afresh : stop);
  if (closures_are_blocks !== undefined && closures_are_blocks !== row.closures_are_blocks) {
    Object.assign(changes, { closures_are_blocks, next_run_at: afresh.next_run_at });
  }
  if (apply_proven_mails !== undefined && apply_proven_mails !== row.apply_proven_mails) {
    Object.assign(changes, { apply_proven_mails });
  }
  const reading = feedEntryInterpretationJsonColumn.read(row.reading);
  const policies = { ...(otherwise && { otherwise }), ...(doubtful && { doubtful }) };
  const next = { ...reading, ...policies };
  if (next.otherwise !== reading.otherwise || next.doubtful !== reading.doubtful) {
    Object.assign(changes, {
      reading: feedEntryInterpretationJsonColumn.write(next),
      next_run_at: afresh.next_run_at,
    });
  }
  if (url !== undefined && url !== decryptFeedUrl(row)) {
    Object.assign(changes, { feed_url: encryptFeedUrl(url) }, nothingLearned(), stop, afresh);
  }
  return changes;
}

/**
 * Returns columns that reset everything learned from the previous calendar. The host's decisions do
 * not change.
 */
const nothingLearned = () => ({
  last_synced_at: null,
  last_status: null,
  last_error: null,
  last_healthy_count: null,
  shrunk_since: null,
  empty_since: null,
  empty_mailed_at: null,
  held: calendarQuestionsAndHostAnswersJsonColumn.write(EMPTY_CALENDAR_QUESTIONS_TO_HOST),
  waiting: false,
  fingerprint: null,
  etag: null,
  last_modified: null,
  blocked_nights: [],
});

/**
 * Removes a source. Its reservations remain, and another source that later contains the same
 * bookings adopts them. Throws resource_missing.
 */
export async function removeSyncSource(scope: Scope, id: string): Promise<void> {
  await inTransaction(scope, async () => {
    await retrieveSyncSource(scope, id);
    await host.deleteSyncSource(scope, id);
  });
}

/** Lists runs. Throws resource_missing. */
export async function listSyncRuns(scope: Scope, id: string): Promise<ResultWithUntranslatedRefusals<HostSyncRun>[]> {
  await retrieveSyncSource(scope, id);
  const rows = await repository.listSyncRunRows(scope, id, RUNS_SHOWN);
  const changed = rows.flatMap((row) =>
    syncRunChangesJsonColumn.read(row.changes).map(({ reservation_id }) => reservation_id),
  );
  const names = await host.findGuestNamesByReservation(scope, changed);
  const actorOf = await createTrailActorParserForTeam(scope);
  return rows.map((row) => ({ ...serializeRun(row, names), started_by: actorOf(row.started_by) }));
}

/** Shown instead of the name of a deleted reservation. */
const NOBODY = 'A reservation that is gone';

function serializeRun(
  row: SyncRun,
  names: ReadonlyMap<string, string>,
): Omit<ResultWithUntranslatedRefusals<HostSyncRun>, 'started_by'> {
  return {
    id: row.id,
    trigger: row.trigger === 'forced' ? 'forced' : 'schedule',
    status: row.status as HostSyncRun['status'],
    counts: syncRunCountsJsonColumn.read(row.counts),
    skipped: skippedFeedEntriesJsonColumn
      .read(row.skipped)
      .map(({ message, ...entry }) => ({ ...entry, message: message && createRefusalFromKeyAndValues(message) })),
    changes: syncRunChangesJsonColumn
      .read(row.changes)
      .map((change) => ({ ...change, guest_name: names.get(change.reservation_id) ?? NOBODY })),
    http_status: row.http_status,
    error: parseStoredRefusal(row.error),
    excerpt: row.excerpt,
    duration_ms: row.duration_ms,
    started_at: row.started_at.toISOString(),
  };
}

/** Returns the source's reservations that are not over. Throws resource_missing. */
export async function listUpcomingStaysOfSyncSource(scope: Scope, id: string) {
  const row = await retrieveSyncSource(scope, id);
  const property = await repository.findProperty(scope, row.property_id);
  return host.listUpcomingReservations(scope, id, getLocalDate(clock().now(), property?.timezone ?? null));
}

/**
 * Returns the stays that the host has classified as blocks or bookings, and the blocks that runs
 * proposed to the host. Throws resource_missing.
 */
export async function listBlockOrBookingClassifications(scope: Scope, id: string) {
  return serializeMarks(await retrieveSyncSource(scope, id));
}

/**
 * Stores whether the stay on these dates is a block or a booking. Makes the next run due
 * immediately, and that run applies the mark. Throws resource_missing, sync_not_supported,
 * invalid_date_range and too_many_items.
 */
export async function classifyStayAsBlockOrBooking(scope: Scope, { id, as, ...stay }: StayClassificationInput) {
  if (stay.checkout_date <= stay.checkin_date) {
    throw new AppError('invalid_date_range', { param: 'checkout_date' });
  }
  return inTransaction(scope, async () => {
    const found = await retrieveSyncSource(scope, id);
    if (found.feed_url === null) throw new AppError('sync_not_supported');
    const row = await host.lockSyncSource(scope, id);
    const property = await repository.findProperty(scope, row.property_id);
    const now = clock().now();
    const others = stayClassificationsJsonColumn
      .read(row.marked_blocks)
      .filter((mark) => mark.checkin_date !== stay.checkin_date || mark.checkout_date !== stay.checkout_date);
    const marks = filterCurrentStayClassifications(
      [...(as ? [{ ...stay, as }] : []), ...others],
      getLocalDate(now, property?.timezone ?? null),
    );
    if (marks.length > MAX_MARKS)
      throw new AppError('too_many_items', { message: createRefusal('too_many_stays_marked') });
    const saved = await host.saveSyncSource(scope, id, {
      marked_blocks: stayClassificationsJsonColumn.write(marks),
      next_run_at: now,
      updated_at: now,
    });
    await recordSyncSourceEvent(scope, 'sync_source.updated', saved);
    return serializeMarks(saved);
  });
}

function serializeMarks(row: SyncSource) {
  const marks = stayClassificationsJsonColumn.read(row.marked_blocks);
  return { marks: marks.map(({ as = 'block', checkin_date, checkout_date }) => ({ checkin_date, checkout_date, as })) };
}

/** Returns sources with the fields that only the dashboard shows. */
export async function loadSyncSourceDetails(
  scope: Scope,
  rows: readonly SyncSource[],
): Promise<ResultWithUntranslatedRefusals<SyncSourceDetail>[]> {
  const names = await host.findPropertyNames(scope, rows);
  const waiting = await host.countInboxMailsBySyncSource(
    scope,
    rows.map(({ id }) => id),
  );
  const held = new Map(rows.map((row) => [row.id, calendarQuestionsAndHostAnswersJsonColumn.read(row.held)]));
  const asked = [...held.values()].flatMap(({ question }) => question?.would ?? []);
  const guests = await host.findGuestNamesByReservation(
    scope,
    asked.flatMap(({ reservation_id }) => reservation_id ?? []),
  );
  const open = new Map(rows.map(({ id }) => [id, (held.get(id)?.asked ?? []).filter((ask) => ask.answer === null)]));
  const stays = await host.findStaysByIds(
    scope,
    [...open.values()].flat().flatMap((ask) => ask.rows),
  );
  const now = clock().now();
  return rows.map((row) => ({
    ...serializeSyncSource(row),
    kind: row.kind as DashboardSyncSourceKind,
    property_name: names.get(row.property_id) ?? row.property_id,
    forwarding_address: row.inbound_token && `${row.inbound_token}@${config().inbound_domain}`,
    closures_are_blocks: row.closures_are_blocks,
    apply_proven_mails: row.apply_proven_mails,
    reading: feedEntryInterpretationJsonColumn.read(row.reading),
    running: row.running_until !== null && row.running_until > now,
    next_run_at: row.enabled ? (row.next_run_at?.toISOString() ?? null) : null,
    failing_since: row.failing_since?.toISOString() ?? null,
    waiting_mails: waiting.get(row.id) ?? 0,
    held: serializeQuestion(held.get(row.id)?.question ?? null, guests),
    asked: (open.get(row.id) ?? []).map((ask) => serializeHostQuestionAboutStays(ask, stays)),
    keeps: (held.get(row.id)?.kept.length ?? 0) > 0 || (held.get(row.id)?.asked ?? []).some(isKept),
  }));
}

const isKept = ({ answer }: StoredStayQuestion) => answer === 'keep';

/**
 * Serializes a question to the host about particular stays, with the current data of its
 * reservations.
 */
export function serializeHostQuestionAboutStays(
  ask: StoredStayQuestion,
  stays: Awaited<ReturnType<typeof host.findStaysByIds>>,
): StayQuestionForHost {
  const { key, kind, since, entries, rows } = ask;
  const reservations = rows.flatMap((reservation_id) => {
    const stay = stays.get(reservation_id);
    return stay ? { reservation_id, ...stay } : [];
  });
  return { key, kind, since, entries, reservations };
}

function serializeQuestion(
  question: QuestionToHostAboutCalendar | null,
  guests: ReadonlyMap<string, string>,
): SyncSourceDetail['held'] {
  if (!question) return null;
  const { reason, since, apply, would } = question;
  return {
    reason,
    since,
    apply,
    would: would.map(({ what, reservation_id, guest_name, checkin_date, checkout_date }) => ({
      what,
      reservation_id,
      guest_name: guests.get(reservation_id ?? '') ?? guest_name ?? NOBODY,
      checkin_date,
      checkout_date,
    })),
  };
}
