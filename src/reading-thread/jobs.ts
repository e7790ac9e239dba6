/** What the reading threads do; this file and what it imports is what is bundled for them. Pure. */
import { type MailJob, takeApart } from '@/modules/forwarded-mail/mail/mail-job';
import { type CalendarJob, openCalendar } from '@/modules/sync-sources/feed/calendar-job';

export type ReadingJob = ({ readonly type: 'calendar' } & CalendarJob) | ({ readonly type: 'mail' } & MailJob);

/** Reads what is to be read. */
export const read = (job: ReadingJob) => (job.type === 'mail' ? takeApart(job) : openCalendar(job));
