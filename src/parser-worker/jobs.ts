/**
 * The jobs of the parser threads. This module and its imports are bundled for the threads. Pure.
 */
import { isWeakPassword, type PasswordStrengthJob } from '@/modules/accounts/sign-in/password-job';
import type { PdfVerificationJob } from '@/modules/certificates/verify/pdf';
import { type MailParseJob, runMailParseJob } from '@/modules/forwarded-mail/mail/mail-job';
import { type CalendarParseJob, fingerprintAndParseCalendar } from '@/modules/sync-sources/feed/calendar-job';

export type ParserJob =
  | ({ readonly type: 'calendar' } & CalendarParseJob)
  | ({ readonly type: 'mail' } & MailParseJob)
  | ({ readonly type: 'password' } & PasswordStrengthJob)
  | ({ readonly type: 'sealed_pdf' } & PdfVerificationJob);

export async function executeParserJob(job: ParserJob) {
  switch (job.type) {
    case 'calendar':
      return fingerprintAndParseCalendar(job);
    case 'mail':
      return runMailParseJob(job);
    case 'password':
      return isWeakPassword(job);
    case 'sealed_pdf': {
      // Loaded only when needed, because most threads only read calendars.
      const { verifySealedPdf } = await import('@/modules/certificates/verify/pdf');
      return verifySealedPdf(job.bytes, ...job.trusted_pems);
    }
  }
}
