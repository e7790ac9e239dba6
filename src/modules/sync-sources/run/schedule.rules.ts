/** Decides when a source runs next, and when its owner gets a mail about a failure. Pure. */

export const SYNC_RUN_INTERVAL_MS = 15 * 60 * 1_000;
export const MAX_SYNC_BACKOFF_MS = 6 * 60 * 60 * 1_000;
/** The longest wait that a server's Retry-After can cause. */
export const MAX_RETRY_AFTER_HEADER_WAIT_MS = 24 * 60 * 60 * 1_000;
export const SYNC_FAILURE_OWNER_MAIL_DELAY_MS = 24 * 60 * 60 * 1_000;
/**
 * A calendar that is empty for longer than this is no longer considered a temporary failure of the
 * channel.
 */
export const EMPTY_CALENDAR_MAIL_DELAY_MS = 3 * 24 * 60 * 60 * 1_000;

/**
 * Returns the next run of a source that succeeded, between 7.5 and 22.5 minutes from `now`. The
 * moment within each quarter hour depends on the source's id, so that runs are spread evenly and a
 * restart does not change that.
 */
export function getNextSyncRunTimeAfterSuccess(source_id: string, now: Date): Date {
  const offset = spread(source_id) * SYNC_RUN_INTERVAL_MS;
  const earliest = now.getTime() + SYNC_RUN_INTERVAL_MS / 2;
  return new Date(Math.ceil((earliest - offset) / SYNC_RUN_INTERVAL_MS) * SYNC_RUN_INTERVAL_MS + offset);
}

/**
 * Returns the next run of a source that failed. The wait is 15 minutes, doubles up to six hours,
 * and is extended by up to a tenth to spread the sources of one failing server. It is never shorter
 * than the server's Retry-After.
 * @param failures the number of consecutive failures, including this one
 */
export function getNextSyncRunTimeAfterFailure(
  source_id: string,
  failures: number,
  retry_after: string | null,
  now: Date,
): Date {
  const doubled = SYNC_RUN_INTERVAL_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 10);
  const delay = Math.min(doubled * (1 + spread(source_id) / 10), MAX_SYNC_BACKOFF_MS);
  return new Date(now.getTime() + Math.round(Math.max(delay, parseRetryAfterHeaderAsMs(retry_after, now) ?? 0)));
}

/**
 * Returns the milliseconds of a Retry-After header, at most a day. Returns null if the header is
 * missing or malformed.
 */
export function parseRetryAfterHeaderAsMs(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  const wanted = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : httpDate(text) - now.getTime();
  return Number.isNaN(wanted) ? null : Math.min(Math.max(wanted, 0), MAX_RETRY_AFTER_HEADER_WAIT_MS);
}

/**
 * Returns whether the source has failed for a day and no mail about this failure was sent to its
 * owner yet.
 */
export function shouldMailOwnerAboutFailure(
  source: { readonly failing_since: Date | null; readonly failure_mailed_at: Date | null },
  now: Date,
): boolean {
  const { failing_since, failure_mailed_at } = source;
  if (failing_since === null || now.getTime() - failing_since.getTime() < SYNC_FAILURE_OWNER_MAIL_DELAY_MS)
    return false;
  return failure_mailed_at === null || failure_mailed_at < failing_since;
}

/**
 * Returns whether the calendar has been empty for three days although there are future bookings,
 * and no mail about this was sent to its owner yet.
 */
export function shouldMailAboutEmptyCalendar(
  source: { readonly empty_since: Date | null; readonly empty_mailed_at: Date | null },
  plan: { readonly health: { readonly reason: string | null }; readonly missing: number },
  now: Date,
): boolean {
  const { empty_since, empty_mailed_at } = source;
  if (plan.health.reason !== 'no_events' || plan.missing === 0) return false;
  if (empty_since === null || empty_mailed_at !== null) return false;
  return now.getTime() - empty_since.getTime() >= EMPTY_CALENDAR_MAIL_DELAY_MS;
}

const httpDate = (text: string) => (/^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN);

/**
 * Returns a number in [0, 1) derived from the id (FNV-1a, mixed again because ids differ in their
 * last letters).
 */
function spread(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index += 1) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
