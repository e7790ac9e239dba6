/**
 * Previews what connecting a calendar, or the next run of a connected calendar, would change.
 * Nothing is stored.
 */

import type { Property } from '@/generated/prisma/client';
import type { StayForDoubleBookingCheck } from '@/modules/reservations/double-bookings/same-nights.rules';
import { findOverlappingStays } from '@/modules/reservations/double-bookings/service';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import {
  createRefusal,
  createRefusalFromKeyAndValues,
  type RefusalData,
  type ResultWithUntranslatedRefusals,
} from '@/shared/refusals/refusal';
import type { Scope } from '@/shared/scope';
import { getLocalDate, getValidTimeZoneOrUtc } from '@/shared/zoned-time';
import type { FeedInterpretationContext } from './feed/reader';
import type { FeedPreviewInput, FeedPreviewResult, SyncDryRunResult } from './host.schemas';
import { serializeHostQuestionAboutStays } from './host.service';
import {
  calendarQuestionsAndHostAnswersJsonColumn,
  feedEntryInterpretationJsonColumn,
  stayClassificationsJsonColumn,
} from './json-columns.schemas';
import { EMPTY_CALENDAR_QUESTIONS_TO_HOST } from './plan/calendar-question';
import {
  DEFAULT_FEED_ENTRY_INTERPRETATION_SETTINGS,
  decideFeedEntryOutcomes,
  summarizeUpcomingFeedEntries,
} from './plan/entries';
import { countBookingEntriesInFeed } from './plan/health';
import { parseCalendarIfChanged } from './read-calendar';
import * as repository from './repository';
import { fetchFeed } from './run/fetch-feed';
import { planSyncRun, type SyncPlanWithInputs, type SyncSourceColumnsForSyncPlan } from './run/make-plan';
import { buildSyncOutcomeForSuccessfulFeedRead } from './run/outcome-messages';
import { listProposedReservationChanges, MAX_PREVIEWED_RESERVATION_CHANGES } from './run/proposed-changes';
import { decryptFeedUrl } from './serializer';
import {
  assertFeedUrlNotYetUsedByProperty,
  createMissingPropertyError,
  parseFeedUrl,
  retrieveSyncSource,
} from './service';

/**
 * Returns a summary ("14 bookings, 3 blocks, next arrival 12 May") and the reservations that
 * connecting the calendar would create, or why the calendar cannot be read. Throws
 * resource_missing, url_not_https, url_not_allowed, and invalid_field when it is already connected.
 */
export async function previewFeed(
  scope: Scope,
  input: FeedPreviewInput,
): Promise<ResultWithUntranslatedRefusals<FeedPreviewResult>> {
  const property = await repository.findProperty(scope, input.property_id);
  if (!property) throw createMissingPropertyError(input.property_id);
  const url = parseFeedUrl(input.feed_url);
  await assertFeedUrlNotYetUsedByProperty(scope, property.id, url);
  const { kind, closures_are_blocks, reading = DEFAULT_FEED_ENTRY_INTERPRETATION_SETTINGS } = input;
  const source = {
    id: '',
    property_id: property.id,
    kind,
    closures_are_blocks,
    marked_blocks: stayClassificationsJsonColumn.write([]),
    reading: feedEntryInterpretationJsonColumn.write(reading),
    held: calendarQuestionsAndHostAnswersJsonColumn.write(EMPTY_CALENDAR_QUESTIONS_TO_HOST),
    last_healthy_count: null,
    shrunk_since: null,
  };
  const read = await readAndPlan(scope, url, property, source);
  if (!read.ok) return read;
  const { feed, planned, today } = read;
  const decisions = decideFeedEntryOutcomes({ feed, closures_are_blocks, marks: [], reading, today });
  return {
    ok: true,
    ...summarizeUpcomingFeedEntries(decisions, today),
    unknown: decisions.skipped.filter(({ reason }) => reason === 'unknown_words').length,
    ...doubtfulOf(planned, today),
    problems: feed.problems.length,
    whole: feed.whole,
    ...(await changesOf(scope, source, planned)),
  };
}

const MAX_DOUBTFUL = 50;

/** Returns the entries that may be either a block or a guest, and are not over. */
function doubtfulOf({ plan }: SyncPlanWithInputs, today: string) {
  const asked = plan.skipped.flatMap(({ reason, entry: { summary, checkin_date, checkout_date } }) =>
    reason === 'looks_like_block' && checkout_date > today ? { summary, checkin_date, checkout_date } : [],
  );
  return { doubtful: asked.slice(0, MAX_DOUBTFUL), doubtful_total: asked.length };
}

/**
 * Returns what the next run would do if it started now, also for a disabled calendar. Throws
 * resource_missing, sync_not_supported and url_not_allowed.
 */
export async function simulateSyncRun(
  scope: Scope,
  id: string,
): Promise<ResultWithUntranslatedRefusals<SyncDryRunResult>> {
  const source = await retrieveSyncSource(scope, id);
  const property = await repository.findProperty(scope, source.property_id);
  const url = decryptFeedUrl(source);
  if (url === null || !property) throw new AppError('sync_not_supported');
  const read = await readAndPlan(scope, url, property, source);
  if (!read.ok) return read;
  const { feed, planned, today } = read;
  const { health, held } = planned.plan;
  const asks = health.reason === 'asks';
  const { last_error } = buildSyncOutcomeForSuccessfulFeedRead({
    health_reason: health.reason,
    question: asks ? held.question : null,
    booking_count: countBookingEntriesInFeed(feed),
    last_healthy_count: source.last_healthy_count,
    problem_count: feed.problems.length,
    asked: held.asked,
  });
  const by_id = new Map(planned.known.map((row) => [row.id, { ...row, guest_name: row.guest_name ?? '' }]));
  const open = asks ? [] : (held.asked ?? []).filter(({ answer }) => answer === null);
  return {
    ok: true,
    asks,
    note: asks || !last_error ? null : createRefusalFromKeyAndValues(last_error),
    asked: open.map((ask) => serializeHostQuestionAboutStays(ask, by_id)),
    ...doubtfulOf(planned, today),
    ...(await changesOf(scope, source, planned)),
  };
}

/** Returns the planned changes, each with the overlapping stays of other sources. */
async function changesOf(scope: Scope, source: SyncSourceColumnsForSyncPlan, planned: SyncPlanWithInputs) {
  const all = listProposedReservationChanges(planned);
  const changes = all.slice(0, MAX_PREVIEWED_RESERVATION_CHANGES);
  const stays = changes.map(
    (one): StayForDoubleBookingCheck => ({
      id: one.reservation_id ?? '',
      guest_name: one.guest_name,
      guest_email: null,
      checkin_date: one.checkin_date,
      checkout_date: one.checkout_date,
      status: one.what === 'cancel' || one.what === 'miss' ? 'ignored' : 'synced',
      external_source: source.kind,
      external_id: one.external?.id ?? null,
      external_uid: one.external?.uid ?? null,
      sync_source_id: source.id || 'to be connected',
    }),
  );
  const shared = await findOverlappingStays(scope, source.property_id, stays);
  return {
    changes: changes.map(({ external: _, ...one }, index) => ({
      ...one,
      same_nights: (shared[index] ?? []).map(({ as, other }) => ({
        as,
        reservation_id: other.id,
        guest_name: other.guest_name,
        checkin_date: other.checkin_date,
        checkout_date: other.checkout_date,
      })),
    })),
    changes_total: all.length,
  };
}

async function readAndPlan(scope: Scope, url: string, property: Property, source: SyncSourceColumnsForSyncPlan) {
  const fetched = await fetchFeed(url, null);
  if (fetched.kind === 'failed') return refused(fetched.outcome.last_error);
  if (fetched.kind === 'not_modified') return refused(null);
  const time_zone = getValidTimeZoneOrUtc(property.timezone);
  const today = getLocalDate(clock().now(), time_zone);
  const { bytes, content_type } = fetched;
  const context = { kind: source.kind as FeedInterpretationContext['kind'], time_zone, today };
  const opened = await parseCalendarIfChanged({ bytes, content_type, context });
  if (!opened.ok) return refused(opened.message);
  const planned = await planSyncRun(scope, source, opened.feed, today);
  return { ok: true as const, feed: opened.feed, planned, today };
}

const refused = (message: RefusalData | null) => ({
  ok: false as const,
  message: message ? createRefusalFromKeyAndValues(message) : createRefusal('calendar.unreadable'),
});
