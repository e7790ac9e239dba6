/** Reads calendars off the event loop, with a budget. Their bytes are read nowhere else. */
import { readInThread, stoppedBy } from '@/infra/reader';
import type { CalendarJob, OpenedCalendar } from './feed/calendar-job';
import type { ReadFeed } from './feed/reader';
import { type FeedFailure, feedStopped } from './feed/text';

/** Opens a calendar and, unless its fingerprint is the known one, reads it. Never throws for what is in the bytes. */
export async function readCalendar(
  job: CalendarJob & { readonly known_fingerprint?: undefined },
): Promise<OpenedCalendar<ReadFeed> | FeedFailure>;
export async function readCalendar(job: CalendarJob): Promise<OpenedCalendar | FeedFailure>;
export async function readCalendar(job: CalendarJob): Promise<OpenedCalendar | FeedFailure> {
  // A copy that owns its memory, so that it moves to the thread.
  const bytes = new Uint8Array(job.bytes);
  try {
    return await readInThread({ ...job, type: 'calendar', bytes }, bytes);
  } catch (error) {
    const reason = stoppedBy(error);
    if (reason === null) throw error;
    return feedStopped(reason);
  }
}
