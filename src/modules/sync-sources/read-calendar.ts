/** Parses calendars off the event loop, with a time and memory budget. */
import { getParserStopReason, runParserJob } from '@/infra/parser-pool';
import type { CalendarParseJob, FingerprintedCalendar } from './feed/calendar-job';
import type { ParsedFeed } from './feed/reader';
import { createFeedParserStoppedFailure, type FeedFailure } from './feed/text';

/**
 * Opens a calendar and parses it unless its fingerprint is known. Never throws because of the
 * calendar's content.
 */
export async function parseCalendarIfChanged(
  job: CalendarParseJob & { readonly known_fingerprint?: undefined },
): Promise<FingerprintedCalendar<ParsedFeed> | FeedFailure>;
export async function parseCalendarIfChanged(job: CalendarParseJob): Promise<FingerprintedCalendar | FeedFailure>;
export async function parseCalendarIfChanged(job: CalendarParseJob): Promise<FingerprintedCalendar | FeedFailure> {
  // The thread takes ownership of the transferred memory, so it gets a copy.
  const bytes = new Uint8Array(job.bytes);
  try {
    return await runParserJob({ ...job, type: 'calendar', bytes }, bytes);
  } catch (error) {
    const reason = getParserStopReason(error);
    if (reason === null) throw error;
    return createFeedParserStoppedFailure(reason);
  }
}
