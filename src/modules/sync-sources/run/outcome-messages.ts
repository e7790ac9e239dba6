/**
 * What a host reads about a calendar's last run: one word for `last_status`, one or two sentences for `last_error` that
 * say what happened and what to do. Pure text.
 */
import type { FeedFailure, FeedFailureReason } from '../feed/text';
import type { Ask } from '../plan/asks';
import type { HeldQuestion } from '../plan/held';

/** How a fetch went wrong before there was an answer; the kinds of the outbound client. */
export type FetchFailureKind =
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'refused'
  | 'redirect'
  | 'blocked_address'
  | 'reset'
  | 'body_too_large'
  | 'protocol';

export type LastStatus =
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

export interface RunOutcome {
  readonly last_status: LastStatus;
  /** Null when there is nothing a host should know. */
  readonly last_error: string | null;
  /** A failure backs off and counts towards the owner's mail; the rest runs on at its pace. */
  readonly failed: boolean;
}

const CHANNEL_SETTINGS = 'Copy the calendar link again from the channel’s settings and paste it here.';
const PASSES = 'This usually passes; we try again by ourselves.';

/** The outcome of an HTTP answer outside 2xx and 304. */
/** @param wait_ms how long the answer asks to wait, by its Retry-After */
export function httpOutcome(
  status: number,
  retry_after: string | null = null,
  wait_ms: number | null = null,
): RunOutcome {
  const failed = (last_status: LastStatus, text: string): RunOutcome => ({
    last_status,
    last_error: `The calendar answered ${status}: ${text}`,
    failed: true,
  });
  if (status === 404 || status === 410) {
    return failed('link_invalid', `the link was probably reset in the channel's settings. ${CHANNEL_SETTINGS}`);
  }
  if (status === 401 || status === 403) {
    return failed('access_denied', `the channel does not let us read it, or the link was reset. ${CHANNEL_SETTINGS}`);
  }
  if (status === 400 || status === 422)
    return failed('link_invalid', `the link seems to be cut or mistyped. ${CHANNEL_SETTINGS}`);
  if (status === 429) {
    const when = retry_after ? 'when the channel asked us to' : 'more slowly';
    return failed('rate_limited', `the channel wants fewer requests. We try again ${when}.`);
  }
  if (status === 304) {
    return failed(
      'channel_error',
      `it says that nothing has changed, though we asked for the whole calendar. ${PASSES}`,
    );
  }
  if (status >= 500 && wait_ms) {
    const minutes = Math.ceil(wait_ms / 60_000);
    const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
    return failed(
      'channel_error',
      `the channel has a problem on its side and asked us to wait ${wait}. We try again after that.`,
    );
  }
  if (status >= 500) return failed('channel_error', `the channel has a problem on its side. ${PASSES}`);
  if (status >= 300 && status < 400)
    return failed('link_invalid', `it sent us on to another address. ${CHANNEL_SETTINGS}`);
  return failed('failed', `that is not a calendar. ${CHANNEL_SETTINGS}`);
}

const FETCH: Record<FetchFailureKind, readonly [LastStatus, string]> = {
  dns: [
    'unreachable',
    `The calendar’s server could not be found. Check the link for typing errors; if it is right, ${PASSES.charAt(0).toLowerCase()}${PASSES.slice(1)}`,
  ],
  tls: [
    'unreachable',
    `The calendar’s server did not prove its identity (its certificate is not valid), so nothing was read. ${PASSES}`,
  ],
  timeout: ['timeout', `The calendar did not answer in time. ${PASSES}`],
  refused: ['unreachable', `The calendar’s server did not accept the connection. ${PASSES}`],
  redirect: ['link_invalid', `The link sent us on too often or to an address we do not follow. ${CHANNEL_SETTINGS}`],
  blocked_address: ['link_invalid', `The link leads to a private address, which is not read. ${CHANNEL_SETTINGS}`],
  reset: ['unreachable', `The connection to the calendar broke off. ${PASSES}`],
  body_too_large: [
    'too_large',
    'The calendar is larger than 5 MB, which is more than we read. Check that the link is the calendar of one listing.',
  ],
  protocol: ['failed', `The calendar’s server answered in a way that could not be understood. ${PASSES}`],
};

/** The outcome of a fetch that got no usable answer. */
export function fetchOutcome(kind: FetchFailureKind): RunOutcome {
  const [last_status, last_error] = FETCH[kind];
  return { last_status, last_error, failed: true };
}

const FEED: Record<FeedFailureReason, LastStatus> = {
  too_large: 'too_large',
  too_many_events: 'too_large',
  empty_body: 'empty',
  placeholder: 'channel_error',
  html: 'not_a_calendar',
  not_a_calendar: 'not_a_calendar',
  took_too_long: 'too_large',
  too_much_memory: 'too_large',
};

/** The outcome of a body that is no calendar. */
export function feedFailureOutcome(failure: FeedFailure): RunOutcome {
  return { last_status: FEED[failure.reason], last_error: failure.message, failed: true };
}

/** The outcome of 304, or of a body whose fingerprint is the stored one. */
export const UNCHANGED: RunOutcome = { last_status: 'unchanged', last_error: null, failed: false };

/** The outcome of a calendar that was read. */
export function readOutcome(run: {
  readonly health_reason: 'not_whole' | 'no_events' | 'shrunk' | 'asks' | null;
  /** What the run would have done, where it asks. */
  readonly question: HeldQuestion | null;
  readonly booking_count: number;
  readonly last_healthy_count: number | null;
  readonly problem_count: number;
  /** Entries that were skipped because nobody knows their words. */
  readonly unknown_count?: number | undefined;
  /** Questions about single stays that wait for an answer. */
  readonly asked?: readonly Ask[] | undefined;
}): RunOutcome {
  const warned = (last_status: LastStatus, last_error: string): RunOutcome => ({
    last_status,
    last_error,
    failed: false,
  });
  const bookings = (count: number) => (count === 1 ? '1 booking' : `${count} bookings`);
  if (run.question) return warned('held', heldMessage(run.question));
  if (run.health_reason === 'not_whole') {
    return warned(
      'incomplete',
      'The calendar broke off before its end. What could be read was used, and nothing was cancelled.',
    );
  }
  if (run.health_reason === 'no_events') {
    // An empty calendar is what a new listing has; only one that had bookings is worth a word.
    if (!run.last_healthy_count) return { last_status: 'empty', last_error: null, failed: false };
    return warned(
      'empty',
      'The calendar is empty now. Nothing was cancelled, because channels sometimes send an empty calendar by mistake.',
    );
  }
  if (run.health_reason === 'shrunk') {
    return warned(
      'shrunk',
      `The calendar has ${bookings(run.booking_count)}, down from ${run.last_healthy_count ?? 0}. If it stays so for a day, the missing bookings are cancelled; until then nothing is.`,
    );
  }
  const open = (run.asked ?? []).filter(({ answer }) => answer === null);
  if (open.length > 0) return warned('held', askedMessage(open));
  if (run.problem_count > 0) {
    const what =
      run.problem_count === 1
        ? '1 event could not be read and was'
        : `${run.problem_count} events could not be read and were`;
    return warned('ok_with_problems', `${what} skipped. The run’s details name them.`);
  }
  if (run.unknown_count) {
    const what =
      run.unknown_count === 1
        ? '1 entry is in words that we do not know and was'
        : `${run.unknown_count} entries are in words that we do not know and were`;
    return warned('ok_with_problems', `${what} skipped. Say on the calendar’s page what they are.`);
  }
  return { last_status: 'ok', last_error: null, failed: false };
}

/** What of single stays the host is asked. */
export function askedMessage(open: readonly Ask[]): string {
  return open.every(({ kind }) => kind === 'moved')
    ? 'A booking is gone from the calendar, and a new one has the same guest’s name. Say in the dashboard whether it is the same guest.'
    : 'Some stays in the calendar no longer match the reservations one to one. They were not changed. Say in the dashboard which are right.';
}

/** Why nothing was changed and the host is asked. */
export function heldMessage({ reason }: HeldQuestion): string {
  return reason === 'another_listing'
    ? 'The calendar has none of the bookings it had, and others instead: it looks like another listing’s. Nothing was changed. Say in the dashboard whether it is right.'
    : 'All bookings ahead are gone from the calendar at once. Nothing was changed. Say in the dashboard whether that is right.';
}
