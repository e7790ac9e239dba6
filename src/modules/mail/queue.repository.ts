/**
 * The mail queue of all teams: rows with status `queued`, the number of attempts and the next due
 * time. An attempt belongs to the caller whose conditional update started it.
 */
import type { MailMessage, Prisma as Types } from '@/generated/prisma/client';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { hashSuppressedEmailAddress } from './repository';
import { SIGNING_LINK_MAIL_TEMPLATES } from './rules/delivery.rules';

/** The columns of a mail that an attempt needs. */
export type QueuedMail = Pick<
  MailMessage,
  | 'id'
  | 'team_id'
  | 'mode'
  | 'reservation_id'
  | 'template'
  | 'to'
  | 'from'
  | 'subject'
  | 'content'
  | 'attempts'
  | 'created_at'
  | 'first_attempted_at'
  | 'reply_to'
  | 'attachment'
>;

const at = (time: Date) => Prisma.sql`${time.toISOString()}::timestamptz`;
const UNDER_WAY = Prisma.sql`attempts > 0 AND last_error IS NULL`;

/**
 * Starts the next attempt of a due mail. Returns null when the mail is not due or not queued, or
 * when another caller has started the attempt. The mail is due again at `due_again` if the attempt
 * has no result by then. During an attempt `last_error` is null.
 */
export async function beginMailAttempt(id: string, now: Date, due_again: Date): Promise<QueuedMail | null> {
  const [begun] = await systemDb().$queryRaw<QueuedMail[]>(Prisma.sql`
    UPDATE mail_messages SET attempts = attempts + 1, due_at = ${at(due_again)}, last_error = NULL,
      first_attempted_at = coalesce(first_attempted_at, ${at(now)})
    WHERE id = ${id} AND status = 'queued' AND due_at <= ${at(now)}
    RETURNING id, team_id, mode, reservation_id, template, "to", "from", subject, content, attempts, created_at,
      first_attempted_at, reply_to, attachment`);
  return begun ?? null;
}

/** Returns when a queued mail is due, or null when it is not queued. */
export async function findMailDueTime(id: string): Promise<Date | null> {
  const mail = await systemDb().mailMessage.findFirst({ where: { id, status: 'queued' }, select: { due_at: true } });
  return mail?.due_at ?? null;
}

/** Stores the result of an attempt. Does nothing when a later attempt was started. */
export async function saveMailAttemptResult(
  mail: QueuedMail,
  data: Types.MailMessageUpdateManyMutationInput,
): Promise<void> {
  await systemDb().mailMessage.updateMany({
    where: { id: mail.id, status: 'queued', attempts: mail.attempts },
    data,
  });
}

/**
 * Returns due mails. The mail that has been due longest is first. With `since`, returns only mails
 * that became due after it and have had no attempt.
 */
export function findDueQueuedMails(now: Date, since: Date | null, limit?: number) {
  return systemDb().mailMessage.findMany({
    where: { status: 'queued', due_at: { lte: now, ...(since && { gt: since }) }, ...(since && { attempts: 0 }) },
    select: { id: true, team_id: true, template: true, due_at: true },
    orderBy: [{ due_at: 'asc' }, { id: 'asc' }],
    ...(limit && { take: limit }),
  });
}

/**
 * Reschedules mails that a wrong clock dated in the future. `later` is the time by which running
 * attempts have ended.
 */
export async function rescheduleQueuedMailsDatedByFastClock(now: Date, later: Date, skew_ms: number): Promise<void> {
  const ahead = at(new Date(now.getTime() + skew_ms));
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE mail_messages SET due_at = CASE WHEN ${UNDER_WAY} THEN ${at(later)} ELSE ${at(now)} END
    WHERE status = 'queued' AND due_at > ${at(later)} AND (created_at > ${ahead} OR first_attempted_at > ${ahead})`);
}

/**
 * Makes mails with unfinished attempts due at once. Call it only when no process is making an
 * attempt.
 */
export async function makeUnfinishedMailAttemptsDue(now: Date): Promise<void> {
  await systemDb().mailMessage.updateMany({
    where: { status: 'queued', due_at: { gt: now }, attempts: { gt: 0 }, last_error: null },
    data: { due_at: now },
  });
}

/** Returns the given addresses that are on the suppression list, in lower case. */
export async function findSuppressedEmailAddresses(addresses: readonly string[]): Promise<Set<string>> {
  const by_key = new Map(addresses.map((address) => [hashSuppressedEmailAddress(address), address.toLowerCase()]));
  const rows = await systemDb().mailSuppression.findMany({
    where: { email: { in: [...by_key.keys()] } },
    select: { email: true },
  });
  return new Set(rows.flatMap(({ email }) => by_key.get(email) ?? []));
}

/**
 * Returns the mails whose signing link no longer works, because the reservation was deleted,
 * signed, cancelled, expired or mailed again. A mail may become obsolete while it waits for a
 * provider or server that is down.
 */
export async function findMailsWithObsoleteSigningLink(ids: readonly string[]): Promise<Set<string>> {
  const rows = await systemDb().$queryRaw<{ id: string }[]>(Prisma.sql`
    SELECT m.id FROM mail_messages m LEFT JOIN reservations_with_open_link r ON r.id = m.reservation_id
    WHERE m.id IN (${Prisma.join([...ids])}) AND m.reservation_id IS NOT NULL
      AND m.template IN (${Prisma.join([...SIGNING_LINK_MAIL_TEMPLATES])})
      AND (r.id IS NULL OR EXISTS (
        SELECT 1 FROM mail_messages n
        WHERE n.reservation_id = m.reservation_id AND n.template = 'packet' AND (n.created_at, n.id) > (m.created_at, m.id)))`);
  return new Set(rows.map((row) => row.id));
}
