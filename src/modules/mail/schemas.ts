/** Mail as the dashboard's outbox shows it. */
import { z } from 'zod';
import { listLimit } from '@/shared/schemas';

const date_time = z.iso.datetime();

export const MAIL_STATUSES = ['queued', 'sent', 'captured', 'failed', 'suppressed'] as const;
const MailStatus = z.enum(MAIL_STATUSES);

export const MailQuery = z.strictObject({
  limit: listLimit,
  starting_after: z.string().max(64).optional(),
  ending_before: z.string().max(64).optional(),
  status: MailStatus.optional(),
  reservation: z.string().trim().min(1).max(100).optional(),
});
export type MailQuery = z.infer<typeof MailQuery>;

export const MailEntry = z.object({
  id: z.string(),
  /** Which mail it is: `packet`, `reminder_24h`, … */
  template: z.string(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  /** `captured`: there is no mail provider, or it is test mode; nobody got it. */
  status: MailStatus,
  reservation_id: z.string().nullable(),
  attempts: z.int(),
  last_error: z.string().nullable(),
  sent_at: date_time.nullable(),
  opened_at: date_time.nullable(),
  created_at: date_time,
});
export type MailEntry = z.infer<typeof MailEntry>;

export const MailPage = z.object({ data: z.array(MailEntry), has_more: z.boolean() });
export const MailDetail = MailEntry.extend({ html: z.string(), text: z.string() });
export type MailDetail = z.infer<typeof MailDetail>;
export const MailId = z.strictObject({ id: z.string().trim().min(1).max(100) });
