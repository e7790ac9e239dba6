/**
 * Runs a calendar once (specification, "Sync run behaviour"; design "Calendar sync"): leases,
 * fetches, reads, plans and applies. The fetch happens outside any transaction. Planning and
 * writing happen under the property's lock, so that a forwarded mail cannot create the same booking
 * in between.
 */

import type { SyncSource } from '@/generated/prisma/client';
import { lockProperty } from '@/infra/db/locks';
import { inTransaction } from '@/infra/db/transaction';
import { logger } from '@/infra/logger';
import { createResponseSecretMasker } from '@/infra/outbound/mask-echo';
import { detectDoubleBookingsOfProperty } from '@/modules/reservations/double-bookings/detect';
import { getTrailActorLabel } from '@/modules/trail/service';
import { sha256Hex } from '@/shared/canonical-json';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import { createRefusal, parseStoredRefusal } from '@/shared/refusals/refusal';
import { createSystemScope, type Scope } from '@/shared/scope';
import { toStorableText } from '@/shared/text/storable-text';
import { getLocalDate, getValidTimeZoneOrUtc } from '@/shared/zoned-time';
import { computeFeedFingerprint, type FeedInterpretationContext, type ParsedFeed } from '../feed/reader';
import type { DecodedFeed } from '../feed/text';
import {
  blockedNightsJsonColumn,
  type CalendarQuestionsAndHostAnswers,
  calendarQuestionsAndHostAnswersJsonColumn,
  feedEntryInterpretationJsonColumn,
  type SkippedFeedEntry,
  type StayClassification,
  type SyncRunChange,
  type SyncRunCounts,
  stayClassificationsJsonColumn,
  ZERO_SYNC_RUN_COUNTS,
} from '../json-columns.schemas';
import { filterCurrentStayClassifications, listBlockedNights } from '../plan/entries';
import { countBookingEntriesInFeed } from '../plan/health';
import type { SyncPlan } from '../plan/planner';
import { parseCalendarIfChanged } from '../read-calendar';
import * as repository from '../repository';
import { decryptFeedUrl } from '../serializer';
import { retrieveSyncSource } from '../service';
import {
  listSyncPlanCancellationSteps,
  listSyncPlanWriteSteps,
  type SyncPlanWriteStep,
  type SyncPlanWriteStepResult,
} from './apply-plan';
import { type CacheValidators, type FetchedFeed, fetchFeed } from './fetch-feed';
import {
  finishSyncRun,
  finishSyncRunOfUnchangedCalendar,
  type SyncRunResult,
  SyncSourceLeaseLostError,
} from './finish-run';
import {
  type ClaimedSyncSource,
  claimSyncSource,
  releaseSyncSourceLease,
  SYNC_SOURCE_LEASE_MS,
  type SyncRunPropertyColumns,
  type SyncSourceLease,
} from './lease.repository';
import {
  getBookingSourceOfSyncSource,
  planSyncRun,
  readStayClassifications,
  type SyncPlanWithInputs,
} from './make-plan';
import {
  buildSyncOutcomeForFeedFailure,
  buildSyncOutcomeForSuccessfulFeedRead,
  type SyncRunOutcome,
  UNCHANGED_CALENDAR_SYNC_OUTCOME,
} from './outcome-messages';
import {
  doesOwnerMailSetMatchSyncPlan,
  EMPTY_SYNC_RUN_MAILS,
  renderSyncFailureMails,
  renderSyncRunMails,
  type SyncRunMails,
} from './owner-mails';
import type { SyncRunTrigger } from './report';

/**
 * The number of writes per transaction. A first import of thousands of bookings must not block all
 * other writers.
 */
const OPERATIONS_PER_TRANSACTION = 25;

interface Run {
  readonly scope: Scope;
  readonly source: SyncSource;
  readonly property: SyncRunPropertyColumns;
  readonly lease: SyncSourceLease;
  readonly trigger: SyncRunTrigger;
  readonly started_by: string | null;
  readonly started_at: Date;
  readonly started_ms: number;
  readonly context: FeedInterpretationContext;
}

type BodyAnswer = Extract<FetchedFeed, { kind: 'body' }>;

/**
 * Runs a calendar now, and returns the source after the run even if the run failed. Throws
 * resource_missing, sync_not_supported, sync_source_disabled and sync_in_progress.
 */
export async function runSyncOfSource(scope: Scope, id: string, trigger: SyncRunTrigger): Promise<SyncSource> {
  const source = await retrieveSyncSource(scope, id);
  if (source.feed_url === null) throw new AppError('sync_not_supported');
  if (!source.enabled) throw new AppError('sync_source_disabled');
  const claimed = await claimSyncSource(id, scope);
  if (!claimed) throw new AppError('sync_in_progress');
  return runSyncOfClaimedSource(claimed, trigger, getTrailActorLabel(scope));
}

/** Runs a source whose lease is held. Throws sync_in_progress when the lease was lost. */
export async function runSyncOfClaimedSource(
  { row, lease, property }: ClaimedSyncSource,
  trigger: SyncRunTrigger,
  started_by: string | null = null,
): Promise<SyncSource> {
  // The trail names the sync, not the person who forced the run.
  const scope = createSystemScope(row.team_id, row.mode, 'calendar-sync');
  try {
    if (!property) throw new SyncSourceLeaseLostError('The property is gone.');
    const started_at = clock().now();
    const time_zone = getValidTimeZoneOrUtc(property.timezone);
    const context = {
      kind: row.kind as FeedInterpretationContext['kind'],
      time_zone,
      today: getLocalDate(started_at, time_zone),
    };
    const run = {
      scope,
      source: row,
      property,
      lease,
      trigger,
      started_by,
      started_at,
      started_ms: performance.now(),
      context,
    };
    return await runFetched(run).catch((error) => {
      if (error instanceof SyncSourceLeaseLostError) throw error;
      logger().error({ err: error, sync_source_id: row.id }, 'a calendar run failed');
      return fail(run, { http_status: null, excerpt: null, retry_after: null }, OUR_FAULT);
    });
  } catch (error) {
    await releaseSyncSourceLease(row.id, lease);
    if (error instanceof SyncSourceLeaseLostError) throw new AppError('sync_in_progress', { internal: error });
    throw error;
  }
}

const OUR_FAULT: SyncRunOutcome = {
  last_status: 'failed',
  last_error: createRefusal('calendar.not_applied'),
  failed: true,
};

async function runFetched(run: Run): Promise<SyncSource> {
  const { source } = run;
  const fetched = await fetchFeed(decryptFeedUrl(source) ?? '', mayAskForChanges(run) ? source : null);
  if (fetched.kind === 'failed') return fail(run, fetched, fetched.outcome);
  const http_status = fetched.http_status;
  if (fetched.kind === 'not_modified') return unchanged(run, http_status, validatorsOf(source));
  const opened = await parseCalendarIfChanged({
    bytes: fetched.bytes,
    content_type: fetched.content_type,
    context: run.context,
    settings: settingsOf(source, readStayClassifications(source)),
    known_fingerprint: mayStop(source) ? source.fingerprint : null,
  });
  if (!opened.ok) {
    const excerpt = toStorableText(opened.excerpt).trim() || null;
    return fail(run, { http_status, excerpt, retry_after: null }, buildSyncOutcomeForFeedFailure(opened));
  }
  if (opened.feed === null) return unchanged(run, http_status, validatorColumns(fetched, opened.whole));
  return apply(run, fetched, opened, opened.feed);
}

/**
 * Returns whether a run may stop if the calendar is unchanged: the last run did not fail, and its
 * plan does not require another run.
 */
const mayStop = (source: SyncSource) => !source.waiting && source.consecutive_failures === 0;

/**
 * Returns whether a conditional request is enough. The request must be unconditional if the host's
 * settings, the property's zone or (for repeating events) the day changed since the last run,
 * because the same content may then give a different result.
 */
function mayAskForChanges(run: Run): boolean {
  const conditions = fingerprintOf(run, { fingerprint: '', repeats: false }, readStayClassifications(run.source));
  return mayStop(run.source) && run.source.fingerprint?.endsWith(conditions) === true;
}

/** The values that identify a calendar's content. */
type Content = Pick<DecodedFeed, 'fingerprint' | 'repeats'>;

function fingerprintOf({ source, context }: Run, content: Content, marks: readonly StayClassification[]): string {
  return computeFeedFingerprint(content, context, settingsOf(source, marks));
}

/** Returns a hash of the source's settings that affect how its content is interpreted. */
function settingsOf({ closures_are_blocks, reading }: SyncSource, marks: readonly StayClassification[]): string {
  const settings = JSON.stringify([
    closures_are_blocks,
    marks.map(({ checkin_date, checkout_date, as }) => [checkin_date, checkout_date, as ?? 'block']),
    feedEntryInterpretationJsonColumn.read(reading),
  ]);
  return sha256Hex(settings).slice(0, 16);
}

/**
 * Returns the validators to store, or none for a truncated body. If they were stored, the server
 * would report the complete calendar as unchanged.
 */
const validatorColumns = ({ validators }: BodyAnswer, whole: boolean): CacheValidators =>
  whole ? { ...validators } : { etag: null, last_modified: null };

const validatorsOf = ({ etag, last_modified }: SyncSource): CacheValidators => ({ etag, last_modified });

/** Statuses of the last full run that still apply while the calendar is unchanged. */
const LASTING: ReadonlySet<string | null> = new Set(['ok_with_problems', 'incomplete', 'empty', 'shrunk', 'held']);

async function unchanged(run: Run, http_status: number | null, validators: CacheValidators): Promise<SyncSource> {
  const { scope, source, lease } = run;
  const { last_status, last_error } = source;
  const outcome = LASTING.has(last_status)
    ? { ...UNCHANGED_CALENDAR_SYNC_OUTCOME, last_status, last_error: parseStoredRefusal(last_error) }
    : UNCHANGED_CALENDAR_SYNC_OUTCOME;
  const result = { ...base(run), status: 'unchanged' as const, outcome: outcome as SyncRunOutcome, http_status };
  return finishSyncRunOfUnchangedCalendar(scope, source, lease, { ...result, validators });
}

async function fail(
  run: Run,
  about: { http_status: number | null; excerpt: string | null; retry_after: string | null },
  outcome: SyncRunOutcome,
): Promise<SyncSource> {
  const { http_status, excerpt, retry_after } = about;
  const shown = excerpt && withoutLink(excerpt, decryptFeedUrl(run.source));
  const result = { ...base(run), status: 'failed' as const, outcome, http_status, excerpt: shown, retry_after };
  const mails = await renderSyncFailureMails(run, outcome, result.now);
  return inTransaction(run.scope, () => finishSyncRun(run.scope, run.source, run.lease, result, mails));
}

function base({ trigger, started_by, started_at, started_ms }: Run) {
  return {
    trigger,
    started_by,
    started_at,
    now: clock().now(),
    duration_ms: Math.round(performance.now() - started_ms),
    counts: ZERO_SYNC_RUN_COUNTS,
    skipped: [] as readonly SkippedFeedEntry[],
    changes: [] as readonly SyncRunChange[],
    retry_after: null,
    excerpt: null,
  };
}

/** A plan, and the source's row at the time of planning. */
interface Step extends SyncPlanWithInputs {
  readonly current: SyncSource;
}

async function apply(run: Run, fetched: BodyAnswer, content: Content, feed: ParsedFeed): Promise<SyncSource> {
  const { scope, source, lease, context } = run;
  const done: SyncPlanWriteStepResult[] = [];
  let planned: Step | null = null;
  let left: SyncPlanWriteStep[] = [];
  let mails: SyncRunMails = EMPTY_SYNC_RUN_MAILS;
  for (;;) {
    const step = await inTransaction(scope, async (): Promise<SyncSource | Step | null> => {
      if (!(await lockProperty(scope, source.property_id))) throw new SyncSourceLeaseLostError('The property is gone.');
      const running_until = new Date(clock().now().getTime() + SYNC_SOURCE_LEASE_MS);
      // While the calendar was fetched, the host may have decided about a stay or answered a
      // question.
      const current = await repository.saveSyncSourceWhileLeased(scope, source.id, lease.token, { running_until });
      if (!current) throw new SyncSourceLeaseLostError('Another run took over, or the settings changed.');
      if (!planned) {
        const { marked_blocks, reading, held } = current;
        const made = {
          ...(await planSyncRun(scope, { ...source, marked_blocks, reading, held }, feed, context.today)),
          current,
        };
        // The rendered mails belong to an earlier plan. The caller renders the mails for this plan
        // outside the transaction and calls again, which makes the same plan.
        if (!doesOwnerMailSetMatchSyncPlan(mails, current, made.plan)) return made;
        planned = made;
        left = listSyncPlanWriteSteps(made.plan, scope, source, getBookingSourceOfSyncSource(source));
      }
      const batch = takeBatch(left);
      const last = left.length === 0;
      if (last) batch.push(...listSyncPlanCancellationSteps(planned.plan, scope));
      await repository.lockReservations(
        scope,
        batch.flatMap(({ rows }) => rows),
      );
      for (const operation of batch) done.push(...(await operation.run()));
      if (!last) return null;
      return finishSyncRun(
        scope,
        source,
        lease,
        resultOf(run, fetched, content, feed, planned, done, current),
        mails.mails,
      );
    });
    if (step && 'plan' in step) mails = await renderSyncRunMails(run, step);
    else if (step) {
      if (done.some(({ change }) => change)) await compareNights(scope, source.property_id);
      return step;
    }
  }
}

/**
 * Detects double bookings immediately instead of in the next sweep, because a host may be waiting
 * for the result. If this fails, the sweep repeats it.
 */
async function compareNights(scope: Scope, property_id: string): Promise<void> {
  await detectDoubleBookingsOfProperty(scope, property_id).catch((error) =>
    logger().error({ err: error, property_id }, 'a property could not be checked for double bookings'),
  );
}

/** Removes and returns as many writes as fit into a transaction, at least one. */
function takeBatch(left: SyncPlanWriteStep[]): SyncPlanWriteStep[] {
  const batch: SyncPlanWriteStep[] = [];
  let weight = 0;
  while (left[0] && (batch.length === 0 || weight + left[0].weight <= OPERATIONS_PER_TRANSACTION)) {
    weight += left[0].weight;
    batch.push(left.shift() as SyncPlanWriteStep);
  }
  return batch;
}

function resultOf(
  run: Run,
  fetched: BodyAnswer,
  content: Content,
  feed: ParsedFeed,
  { plan, marks }: SyncPlanWithInputs,
  done: readonly SyncPlanWriteStepResult[],
  current: SyncSource,
): SyncRunResult {
  const { source, context } = run;
  const counts: SyncRunCounts = {
    ...ZERO_SYNC_RUN_COUNTS,
    seen: feed.event_count,
    unchanged: plan.unchanged.length,
    skipped: plan.skipped.length,
    problems: feed.problems.length,
  };
  for (const { as } of done) counts[as] += 1;
  const outcome = buildSyncOutcomeForSuccessfulFeedRead({
    health_reason: plan.health.reason,
    question: plan.health.reason === 'asks' ? plan.held.question : null,
    booking_count: countBookingEntriesInFeed(feed),
    last_healthy_count: source.last_healthy_count,
    problem_count: feed.problems.length,
    unknown_count: getBookingSourceOfSyncSource(source) === 'direct' ? 0 : plan.skipped.filter(isUnknown).length,
    asked: plan.held.asked,
  });
  const stored = (from: readonly StayClassification[]) =>
    filterCurrentStayClassifications([...from, ...plan.new_marks], context.today);
  const end = base(run);
  const empty = plan.health.reason === 'no_events';
  return {
    ...end,
    status: 'succeeded',
    outcome,
    counts,
    skipped: skippedOf(feed, plan),
    changes: done.flatMap(({ change }) => change ?? []),
    http_status: fetched.http_status,
    columns: {
      ...validatorColumns(fetched, feed.whole),
      // The fingerprint includes only the marks on stays that this run knew. If the host has marked
      // a stay meanwhile, the next run gets another fingerprint and plans again.
      fingerprint: fingerprintOf(run, content, stored(marks)),
      last_healthy_count: plan.health.healthy_count,
      shrunk_since: plan.health.shrunk_since,
      waiting: plan.waiting,
      marked_blocks: stayClassificationsJsonColumn.write(stored(readStayClassifications(current))),
      held: calendarQuestionsAndHostAnswersJsonColumn.write(storable(plan.held)),
      // A truncated calendar does not contain all blocked nights.
      ...(feed.whole && {
        blocked_nights: blockedNightsJsonColumn.write(
          listBlockedNights(plan.skipped, context.today).map((one) => ({ ...one, words: toStorableText(one.words) })),
        ),
      }),
      ...(empty && { empty_since: source.empty_since ?? end.now }),
      ...(!empty && feed.whole && { empty_since: null, empty_mailed_at: null }),
    },
  };
}

const isUnknown = ({ reason }: { reason: string }) => reason === 'unknown_words';

/** Makes names and UIDs from the calendar storable in the database. */
function storable({ question, kept, asked }: CalendarQuestionsAndHostAnswers): CalendarQuestionsAndHostAnswers {
  const would = question?.would.map((one) => ({
    ...one,
    guest_name: one.guest_name && toStorableText(one.guest_name),
    external_ids: one.external_ids.map((id) => toStorableText(id)),
  }));
  const named = asked?.map((ask) => ({
    ...ask,
    entries: ask.entries.map((entry) => ({ ...entry, guest_name: toStorableText(entry.guest_name) })),
  }));
  return { question: question && { ...question, would: would ?? [] }, kept, ...(named && { asked: named }) };
}

function skippedOf(feed: ParsedFeed, plan: SyncPlan): SkippedFeedEntry[] {
  return [
    ...feed.problems.map(({ reason, message, summary }) => ({
      reason,
      message: { key: message.key, values: message.values },
      summary: summary && toStorableText(summary),
      checkin_date: null,
      checkout_date: null,
      reservation_id: null,
    })),
    ...plan.skipped.map(({ reason, entry, id }) => ({
      reason,
      message: null,
      // The calendar still contains the name of a guest whose data was erased here.
      summary: reason === 'redacted' ? null : toStorableText(entry.summary, 255),
      checkin_date: entry.checkin_date,
      checkout_date: entry.checkout_date,
      reservation_id: id,
    })),
  ];
}

/**
 * Removes the feed's URL from a text. Some error pages repeat the URL, and anyone who has it can
 * read the calendar.
 */
function withoutLink(excerpt: string, url: string | null): string {
  if (!url || !URL.canParse(url)) return excerpt;
  const { pathname, search } = new URL(url);
  const secrets = [url, pathname + search, ...pathname.split('/').filter((part) => part.length >= 12)];
  return createResponseSecretMasker(secrets.filter((secret) => secret.length > 8)).mask(excerpt);
}
