/** The outbox: all mails of the team in one mode, sent or captured. */

import { config } from '@/config';
import { EMAIL_SAMPLES, type MailTemplateName } from '@/emails/samples';
import { clock } from '@/shared/clock';
import { AppError, createResourceMissingError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import { getDisplayableMailContent } from './content';
import * as repository from './outbox.repository';
import { GUEST_MAIL_TEMPLATES } from './rules/delivery.rules';
import type {
  MailListQuery,
  MailTemplate,
  OutboxMailDetail,
  OutboxMailListItem,
  RenderedMailTemplate,
} from './schemas';

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** Returns a page of mails, newest first. Throws invalid_cursor and conflicting_cursors. */
export async function listOutbox(
  scope: Scope,
  query: MailListQuery,
): Promise<{ data: OutboxMailListItem[]; has_more: boolean }> {
  const { data, has_more } = await repository.listOutboxMails(scope, query);
  return { data: data.map(serializeMail), has_more };
}

/**
 * Returns the mails to a reservation's guest, oldest first, with the provider's ids. Used for
 * exported logs.
 */
export async function listReservationMailLog(scope: Scope, reservation_id: string) {
  const rows = await repository.findReservationMails(scope, reservation_id, GUEST_MAIL_TEMPLATES);
  return rows.map((row) => {
    const { attachment: _attachment, reservation_id: _about, ...mail } = serializeMail(row);
    return { ...mail, provider_id: row.provider_id };
  });
}

/** Returns a mail as a host may see it. Throws resource_missing. */
export async function retrieveMail(scope: Scope, id: string): Promise<OutboxMailDetail> {
  const row = await repository.findOutboxMail(scope, id);
  if (!row) throw createResourceMissingError(scope, 'mail', id);
  const { subject, html, text } = getDisplayableMailContent(row);
  return { ...serializeMail(row), subject, html: withoutOpenPixel(html), text };
}

/**
 * Removes the tracking pixel. Otherwise a host's view would be recorded as an opening by the guest.
 */
const withoutOpenPixel = (html: string) =>
  html.replaceAll(/<img\b[^<>]*>/g, (tag) => (/\/o\/[^\s"/]+\.gif/.test(tag) ? '' : tag));

export function listMailTemplates(): MailTemplate[] {
  return Object.entries(EMAIL_SAMPLES).map(([name, { label, when, audience }]) => ({ name, label, when, audience }));
}

/** Renders a template with sample data. Throws resource_missing. */
export async function renderMailTemplate(name: string, locale: string): Promise<RenderedMailTemplate> {
  if (!Object.hasOwn(EMAIL_SAMPLES, name))
    throw new AppError('resource_missing', { message: `There is no mail "${name}".` });
  const { subject, html, text } = await EMAIL_SAMPLES[name as MailTemplateName].render({
    locale,
    app_url: config().app_url,
    now: clock().now(),
  });
  return { subject, html, text };
}

function serializeMail(row: repository.MailWithoutContent): OutboxMailListItem {
  return {
    id: row.id,
    template: row.template,
    to: row.to,
    from: row.from,
    subject: row.subject,
    status: row.status as OutboxMailListItem['status'],
    reservation_id: row.reservation_id,
    attachment: row.attachment,
    attempts: row.attempts,
    last_error: row.last_error,
    sent_at: iso(row.sent_at),
    opened_at: iso(row.opened_at),
    created_at: row.created_at.toISOString(),
  };
}
