/** Schemas of the dashboard's mail outbox. */
import { z } from 'zod';
import { listLimitField, pastedIdField } from '@/shared/schemas';

const date_time = z.iso.datetime();

export const MAIL_STATUSES = ['queued', 'sent', 'captured', 'failed', 'suppressed'] as const;
const MailStatus = z.enum(MAIL_STATUSES);

export const MailListQuery = z.strictObject({
  limit: listLimitField,
  starting_after: z.string().max(64).optional(),
  ending_before: z.string().max(64).optional(),
  status: MailStatus.optional(),
  template: z.string().trim().min(1).max(60).optional(),
  reservation: pastedIdField.optional(),
});
export type MailListQuery = z.infer<typeof MailListQuery>;

export const OutboxMailListItem = z.object({
  id: z.string(),
  /** The template's name, such as `packet` or `reminder_24h`. */
  template: z.string(),
  to: z.string(),
  from: z.string(),
  subject: z.string(),
  /**
   * The status. `captured` mail was stored instead of sent, in test mode or without a mail
   * provider.
   */
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
export type OutboxMailListItem = z.infer<typeof OutboxMailListItem>;

export const OutboxMailPage = z.object({ data: z.array(OutboxMailListItem), has_more: z.boolean() });
export const OutboxMailDetail = OutboxMailListItem.extend({ html: z.string(), text: z.string() });
export type OutboxMailDetail = z.infer<typeof OutboxMailDetail>;
/** A mail template. The dashboard renders it with sample data. */
export const MailTemplate = z.object({
  name: z.string(),
  label: z.string(),
  /** A sentence about the recipient and the occasion of the mail. */
  when: z.string(),
  audience: z.enum(['guest', 'owner', 'account']),
});
export type MailTemplate = z.infer<typeof MailTemplate>;
export const MailTemplateRenderingInput = z.strictObject({
  name: z.string().trim().min(1).max(60),
  /** The language for templates of guests' mails. Other templates are in English. */
  locale: z.string().trim().max(20).default('en'),
});
export type MailTemplateRenderingInput = z.input<typeof MailTemplateRenderingInput>;
export const RenderedMailTemplate = z.object({ subject: z.string(), html: z.string(), text: z.string() });
export type RenderedMailTemplate = z.infer<typeof RenderedMailTemplate>;
export const MailId = z.strictObject({ id: pastedIdField });
