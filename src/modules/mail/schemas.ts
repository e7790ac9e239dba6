/** Mail in the dashboard's outbox. */
import { z } from 'zod';
import { listLimit, pastedIdField } from '@/shared/schemas';

const date_time = z.iso.datetime();

export const MAIL_STATUSES = ['queued', 'sent', 'captured', 'failed', 'suppressed'] as const;
const MailStatus = z.enum(MAIL_STATUSES);

export const MailQuery = z.strictObject({
  limit: listLimit,
  starting_after: z.string().max(64).optional(),
  ending_before: z.string().max(64).optional(),
  status: MailStatus.optional(),
  template: z.string().trim().min(1).max(60).optional(),
  reservation: pastedIdField.optional(),
});
export type MailQuery = z.infer<typeof MailQuery>;

export const MailEntry = z.object({
  id: z.string(),
  /** `packet`, `reminder_24h`, … */
  template: z.string(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  /** `captured`: stored and not sent, in test mode or without a mail provider. */
  status: MailStatus,
  reservation_id: z.string().nullable(),
  /** The certificate whose sealed PDF is attached. */
  attachment: z.string().nullable(),
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
/** A mail with sample data. */
export const MailTemplate = z.object({
  name: z.string(),
  label: z.string(),
  /** The recipient and the occasion of the mail. */
  when: z.string(),
  audience: z.enum(['guest', 'owner', 'account']),
});
export type MailTemplate = z.infer<typeof MailTemplate>;
export const TemplateQuery = z.strictObject({
  name: z.string().trim().min(1).max(60),
  /** The language of guests' mails. The others are in English. */
  locale: z.string().trim().max(20).default('en'),
});
export type TemplateQuery = z.input<typeof TemplateQuery>;
export const RenderedTemplate = z.object({ subject: z.string(), html: z.string(), text: z.string() });
export type RenderedTemplate = z.infer<typeof RenderedTemplate>;
export const MailId = z.strictObject({ id: pastedIdField });
