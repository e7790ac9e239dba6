/** Messages to the host about a calendar's last run: `last_status` and `last_error`. Pure. */
import type { OutboundErrorKind } from '@/infra/outbound/errors';
import { createRefusal, type Refusal, type RefusalData } from '@/shared/refusals/refusal';
import type { FeedFailure, FeedFailureReason } from '../feed/text';
import type { QuestionToHostAboutCalendar, StoredStayQuestion } from '../json-columns.schemas';

export type SyncSourceLastStatus =
  | 'ok'
  | 'unchanged'
  | 'ok_with_problems'
  | 'incomplete'
  | 'empty'
  | 'shrunk'
  | 'held'
  | 'link_invalid'
  | 'access_denied'
  | 'rate_limited'
  | 'channel_error'
  | 'unreachable'
  | 'timeout'
  | 'not_a_calendar'
  | 'too_large'
  | 'failed';

export interface SyncRunOutcome {
  readonly last_status: SyncSourceLastStatus;
  /** Null when there is nothing to report to the host. */
  readonly last_error: RefusalData | null;
  /**
   * Whether the run failed. A failure delays the next run and counts towards the mail to the owner.
   */
  readonly failed: boolean;
}

const failed = (last_status: SyncSourceLastStatus, last_error: RefusalData): SyncRunOutcome => ({
  last_status,
  last_error,
  failed: true,
});

/**
 * Returns the outcome of a response with a status other than 2xx and 304. `wait_ms` is the
 * response's Retry-After.
 */
export function buildSyncOutcomeForHttpStatus(
  status: number,
  retry_after: string | null = null,
  wait_ms: number | null = null,
): SyncRunOutcome {
  if (status === 404 || status === 410) return failed('link_invalid', createRefusal('calendar.link_reset', { status }));
  if (status === 401 || status === 403)
    return failed('access_denied', createRefusal('calendar.access_denied', { status }));
  if (status === 400 || status === 422)
    return failed('link_invalid', createRefusal('calendar.link_mistyped', { status }));
  if (status === 429) {
    const key = retry_after ? 'calendar.rate_limited_until' : 'calendar.rate_limited';
    return failed('rate_limited', createRefusal(key, { status }));
  }
  if (status === 304) return failed('channel_error', createRefusal('calendar.not_modified', { status }));
  if (status >= 500 && wait_ms) {
    const count = Math.ceil(wait_ms / 60_000);
    return failed('channel_error', createRefusal('calendar.channel_error_wait', { status, count }));
  }
  if (status >= 500) return failed('channel_error', createRefusal('calendar.channel_error', { status }));
  if (status >= 300 && status < 400) return failed('link_invalid', createRefusal('calendar.redirected', { status }));
  return failed('failed', createRefusal('calendar.unexpected_status', { status }));
}

const FETCH: Record<OutboundErrorKind, SyncSourceLastStatus> = {
  dns: 'unreachable',
  tls: 'unreachable',
  timeout: 'timeout',
  refused: 'unreachable',
  redirect: 'link_invalid',
  blocked_address: 'link_invalid',
  reset: 'unreachable',
  body_too_large: 'too_large',
  protocol: 'failed',
};

/** Returns the outcome of a run whose fetch got no usable response. */
export const buildSyncOutcomeForFailedFeedFetch = (kind: OutboundErrorKind): SyncRunOutcome =>
  failed(FETCH[kind], createRefusal(`calendar.${kind === 'body_too_large' ? 'too_large' : kind}`));

const FEED: Record<FeedFailureReason, SyncSourceLastStatus> = {
  too_large: 'too_large',
  too_many_events: 'too_large',
  empty_body: 'empty',
  placeholder: 'channel_error',
  html: 'not_a_calendar',
  not_a_calendar: 'not_a_calendar',
  took_too_long: 'too_large',
  too_much_memory: 'too_large',
};

/** Returns the outcome of a run whose response body is not a calendar. */
export function buildSyncOutcomeForFeedFailure(failure: FeedFailure): SyncRunOutcome {
  return failed(FEED[failure.reason], failure.message);
}

/** The outcome of a 304 response, or of a body with the stored fingerprint. */
export const UNCHANGED_CALENDAR_SYNC_OUTCOME: SyncRunOutcome = {
  last_status: 'unchanged',
  last_error: null,
  failed: false,
};

/** Returns the outcome of a run whose calendar could be read. */
export function buildSyncOutcomeForSuccessfulFeedRead(run: {
  readonly health_reason: 'not_whole' | 'no_events' | 'shrunk' | 'asks' | null;
  /**
   * The question to the host about the whole calendar, with the planned changes. Null when the run
   * asks none.
   */
  readonly question: QuestionToHostAboutCalendar | null;
  readonly booking_count: number;
  readonly last_healthy_count: number | null;
  readonly problem_count: number;
  /** The number of entries that were skipped because their words are unknown. */
  readonly unknown_count?: number | undefined;
  readonly asked?: readonly StoredStayQuestion[] | undefined;
}): SyncRunOutcome {
  const warned = (last_status: SyncSourceLastStatus, last_error: Refusal): SyncRunOutcome => ({
    last_status,
    last_error,
    failed: false,
  });
  if (run.question) return warned('held', describeWhyRunAskedHostAboutCalendar(run.question));
  if (run.health_reason === 'not_whole') return warned('incomplete', createRefusal('calendar.incomplete'));
  if (run.health_reason === 'no_events') {
    // The calendar of a new listing is empty, so only a calendar that had bookings before gets a
    // message.
    if (!run.last_healthy_count) return { last_status: 'empty', last_error: null, failed: false };
    return warned('empty', createRefusal('calendar.empty'));
  }
  if (run.health_reason === 'shrunk') {
    const was = run.last_healthy_count ?? 0;
    return warned('shrunk', createRefusal('calendar.shrunk', { count: run.booking_count, was }));
  }
  const open = (run.asked ?? []).filter(({ answer }) => answer === null);
  if (open.length > 0) return warned('held', describeStaysAwaitingHostDecision(open));
  if (run.problem_count > 0)
    return warned('ok_with_problems', createRefusal('calendar.events_skipped', { count: run.problem_count }));
  if (run.unknown_count)
    return warned('ok_with_problems', createRefusal('calendar.unknown_words', { count: run.unknown_count }));
  return { last_status: 'ok', last_error: null, failed: false };
}

/** Returns the message to the host that some stays of the calendar need a decision. */
export const describeStaysAwaitingHostDecision = (open: readonly StoredStayQuestion[]): Refusal =>
  createRefusal(open.every(({ kind }) => kind === 'moved') ? 'calendar.stays_moved' : 'calendar.stays_rearranged');

/** Returns the reason why the run changed nothing. */
export const describeWhyRunAskedHostAboutCalendar = ({ reason }: QuestionToHostAboutCalendar): Refusal =>
  createRefusal(reason === 'another_listing' ? 'calendar.another_listing' : 'calendar.all_gone');
