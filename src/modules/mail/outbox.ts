/** The outbox: every mail of the team in one mode, sent or captured. */
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './outbox.repository';
import type { MailDetail, MailEntry, MailQuery } from './schemas';

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** Newest first. Throws invalid_cursor and conflicting_cursors. */
export async function listOutbox(scope: Scope, query: MailQuery): Promise<{ data: MailEntry[]; has_more: boolean }> {
  const { data, has_more } = await repository.listMail(scope, query);
  return { data: data.map(serializeMail), has_more };
}

/** A mail as it was rendered. Throws resource_missing. */
export async function retrieveMail(scope: Scope, id: string): Promise<MailDetail> {
  const row = await repository.findMail(scope, id);
  if (!row) throw new AppError('resource_missing', { message: `There is no ${scope.mode}-mode mail ${id}.` });
  return { ...serializeMail(row), html: row.html, text: row.text };
}

function serializeMail(row: repository.MailHead): MailEntry {
  return {
    id: row.id,
    template: row.template,
    to: row.to,
    from: row.from,
    subject: row.subject,
    status: row.status as MailEntry['status'],
    reservation_id: row.reservation_id,
    attempts: row.attempts,
    last_error: row.last_error,
    sent_at: iso(row.sent_at),
    opened_at: iso(row.opened_at),
    created_at: row.created_at.toISOString(),
  };
}
