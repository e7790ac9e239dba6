/**
 * Queries of the dashboard's outbox. Account mails (password reset, invitation) belong to no team,
 * so the outbox does not list them.
 */
import type { MailMessage } from '@/generated/prisma/client';
import { listRowsByKeyset, type Page } from '@/infra/db/keyset';
import { scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';
import type { MailListQuery } from './schemas';

export type MailWithoutContent = Omit<MailMessage, 'content'>;

export function listOutboxMails(scope: Scope, query: MailListQuery): Promise<Page<MailWithoutContent>> {
  const { mailMessage } = scopedDb(scope);
  const delegate = {
    findFirst: (args: { where: object; select: object }) => mailMessage.findFirst(args as never),
    findMany: (args: { where: object; orderBy: object[]; take: number }) =>
      mailMessage.findMany({ ...args, omit: { content: true } }),
  };
  const { status, template, reservation } = query;
  const where = {
    ...(status && { status }),
    ...(template && { template }),
    ...(reservation && { reservation_id: reservation }),
  };
  return listRowsByKeyset<MailWithoutContent>(delegate, 'mailMessage', 'mail', where, query);
}

/** Returns a reservation's mails with these templates, oldest first. */
export function findReservationMails(
  scope: Scope,
  reservation_id: string,
  templates: readonly string[],
): Promise<MailWithoutContent[]> {
  return scopedDb(scope).mailMessage.findMany({
    where: { reservation_id, template: { in: [...templates] } },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
    omit: { content: true },
  });
}

export function findOutboxMail(scope: Scope, id: string): Promise<MailMessage | null> {
  return scopedDb(scope).mailMessage.findFirst({ where: { id } });
}
