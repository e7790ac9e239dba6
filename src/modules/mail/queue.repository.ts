/** The mail queue: rows with status `queued`, over all teams. A worker leases them, so that a dead process gives them back. */
import type { MailMessage, Prisma as Types } from '@/generated/prisma/client';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';

/** A leased mail. */
export type ClaimedMail = Pick<
  MailMessage,
  | 'id'
  | 'template'
  | 'to'
  | 'from'
  | 'subject'
  | 'content'
  | 'html'
  | 'text'
  | 'attempts'
  | 'created_at'
  | 'first_attempted_at'
  | 'lease_until'
>;

/** Leases due mails, oldest first, and counts the attempt before it is made: a crash must not make it look untried. */
export function claimMail(now: Date, lease_until: Date, limit: number): Promise<ClaimedMail[]> {
  const at = now.toISOString();
  return systemDb().$queryRaw<ClaimedMail[]>(Prisma.sql`
    UPDATE mail_messages m
    SET lease_until = ${lease_until.toISOString()}::timestamptz, attempts = m.attempts + 1,
      first_attempted_at = coalesce(m.first_attempted_at, ${at}::timestamptz)
    FROM (
      SELECT q.id, q.first_attempted_at FROM mail_messages q
      WHERE q.status = 'queued' AND q.due_at <= ${at}::timestamptz AND (q.lease_until IS NULL OR q.lease_until <= ${at}::timestamptz)
      ORDER BY q.due_at, q.id LIMIT ${limit}::int FOR UPDATE SKIP LOCKED
    ) due
    WHERE m.id = due.id
    RETURNING m.id, m.template, m."to", m."from", m.subject, m.content, m.html, m.text, m.attempts, m.created_at, m.lease_until, due.first_attempted_at`);
}

/** Stores what became of a mail whose lease is still held; false when it is not. */
export async function storeMail(
  mail: ClaimedMail,
  changes: Types.MailMessageUpdateManyMutationInput,
): Promise<boolean> {
  const { count } = await systemDb().mailMessage.updateMany({
    where: { id: mail.id, status: 'queued', lease_until: mail.lease_until },
    data: { ...changes, lease_until: null },
  });
  return count === 1;
}

/** Whether a mail could be sent now, and when the next one falls due. */
export async function mailQueueState(now: Date): Promise<{ due: boolean; next_at: Date | null }> {
  const at = now.toISOString();
  const [row] = await systemDb().$queryRaw<{ due: boolean; next_at: Date | null }[]>(Prisma.sql`
    SELECT
      EXISTS (SELECT 1 FROM mail_messages WHERE status = 'queued' AND due_at <= ${at}::timestamptz
        AND (lease_until IS NULL OR lease_until <= ${at}::timestamptz)) AS due,
      (SELECT min(due_at) FROM mail_messages WHERE status = 'queued' AND due_at > ${at}::timestamptz) AS next_at`);
  return row ?? { due: false, next_at: null };
}

/** The addresses of these that must not be mailed, in lower case. */
export async function suppressedAmong(addresses: readonly string[]): Promise<Set<string>> {
  const rows = await systemDb().mailSuppression.findMany({
    where: { email: { in: addresses.map((address) => address.toLowerCase()) } },
    select: { email: true },
  });
  return new Set(rows.map((row) => row.email));
}

/**
 * Those of the mails whose link is dead by now: the reservation is gone, signed, cancelled or expired, or was sent again.
 * Mail that waited (a provider or a server that was down) must not send guests to a dead end.
 */
export async function obsoleteAmong(ids: readonly string[]): Promise<Set<string>> {
  const rows = await systemDb().$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT m.id FROM mail_messages m LEFT JOIN reservations r ON r.id = m.reservation_id
    WHERE m.id IN (${Prisma.join([...ids])}) AND m.reservation_id IS NOT NULL
      AND m.template IN ('packet', 'reminder_24h', 'reminder_2h')
      AND (r.id IS NULL OR r.status::text NOT IN ('sent', 'opened', 'clicked') OR EXISTS (
        SELECT 1 FROM mail_messages n
        WHERE n.reservation_id = m.reservation_id AND n.template = 'packet' AND (n.created_at, n.id) > (m.created_at, m.id)))`);
  return new Set(rows.map((row) => row.id));
}

/** Ends every lease: for a process that is alone on its database and finds what its predecessor held. */
export async function endMailLeases(): Promise<void> {
  await systemDb().mailMessage.updateMany({
    where: { status: 'queued', lease_until: { not: null } },
    data: { lease_until: null },
  });
}

/** Some of the mail that was kept before contents were encrypted. */
export const findPlainMails = () =>
  systemDb().mailMessage.findMany({ where: { content: null, html: { not: null } }, take: 200 });

export async function encryptPlainMail(
  id: string,
  data: Pick<MailMessage, 'subject' | 'content' | 'content_until'> & { content: Uint8Array<ArrayBuffer> },
): Promise<void> {
  await systemDb().mailMessage.updateMany({ where: { id, content: null }, data: { ...data, html: null, text: null } });
}
