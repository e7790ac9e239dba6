/** The mail queue: rows with status `queued`, over all teams. Whoever sends one marks its row; the mark ends with its process. */
import type { MailMessage, Prisma as Types } from '@/generated/prisma/client';
import { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { heldByTheDead } from '@/infra/process/processes';
import { LINK_MAILS } from './rules/delivery.rules';

/** A leased mail. */
export type ClaimedMail = Pick<
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
  | 'lease_token'
  | 'reply_to'
  | 'attachment'
>;

const at = (time: Date) => Prisma.sql`${time.toISOString()}::timestamptz`;
const FREE = (now: Date) => Prisma.sql`status = 'queued' AND (lease_until IS NULL OR lease_until <= ${at(now)})`;
/** Whoever tries again in time may be a little early. */
const EARLY_MS = 5_000;

/** Takes a due mail that nobody else has in hand, and counts the attempt before it is made: a crash must not make it look untried. */
export async function claimMail(id: string, now: Date, lease_until: Date, token: string): Promise<ClaimedMail | null> {
  const [claimed] = await systemDb().$queryRaw<ClaimedMail[]>(Prisma.sql`
    UPDATE mail_messages m
    SET lease_until = ${at(lease_until)}, lease_token = ${token}, attempts = m.attempts + 1,
      first_attempted_at = coalesce(m.first_attempted_at, ${at(now)})
    FROM (
      SELECT q.id, q.first_attempted_at FROM mail_messages q
      WHERE q.id = ${id} AND q.due_at <= ${at(new Date(now.getTime() + EARLY_MS))} AND ${FREE(now)}
      -- Waited for and not skipped: who notes that it was asked for holds the row for a moment.
      FOR UPDATE
    ) due
    WHERE m.id = due.id
    RETURNING m.id, m.team_id, m.mode, m.reservation_id, m.template, m."to", m."from", m.subject, m.content, m.attempts, m.created_at, m.lease_token, m.reply_to, m.attachment, due.first_attempted_at`);
  return claimed ?? null;
}

/** When a mail is due that waits in nobody's hands for a later time; null for any other. */
export async function findLaterDue(id: string, now: Date): Promise<Date | null> {
  const waiting = await systemDb().mailMessage.findFirst({
    where: { id, status: 'queued', lease_token: null, due_at: { gt: now } },
    select: { due_at: true },
  });
  return waiting?.due_at ?? null;
}

/** Stores what became of a mail whose mark is still held; false when it is not. */
export async function storeMail(
  mail: ClaimedMail,
  changes: Types.MailMessageUpdateManyMutationInput,
): Promise<boolean> {
  const { count } = await systemDb().mailMessage.updateMany({
    where: { id: mail.id, status: 'queued', lease_token: mail.lease_token },
    data: { ...changes, lease_until: null, lease_token: null },
  });
  return count === 1;
}

/** A mail for which a run is to be asked. */
export interface WaitingMail {
  mail_id: string;
  team_id: string;
  template: string;
  attempts: number;
  wake_at: Date | null;
}

/** A run that came to nothing is asked for again after so long. */
const LOST_MS = 5 * 60_000;

/** Due mails for which no run was asked, the longest due first. */
export function findUnasked(now: Date, limit: number): Promise<WaitingMail[]> {
  return systemDb().$queryRaw<WaitingMail[]>(Prisma.sql`
    SELECT id AS mail_id, team_id, template, attempts, wake_at FROM mail_messages
    WHERE ${FREE(now)} AND due_at <= ${at(now)}
      AND (wake_at IS NULL OR wake_at > ${at(now)} OR wake_at <= ${at(new Date(now.getTime() - LOST_MS))})
    ORDER BY due_at, id LIMIT ${limit}::int`);
}

export async function noteAsked(ids: readonly string[], now: Date): Promise<void> {
  await systemDb().mailMessage.updateMany({ where: { id: { in: [...ids] } }, data: { wake_at: now } });
}

/** Every run that was asked for counts as lost. */
export async function forgetAsked(): Promise<void> {
  await systemDb().mailMessage.updateMany({
    where: { status: 'queued', wake_at: { not: null } },
    data: { wake_at: new Date(0) },
  });
}

/** What a clock that was ahead put off is due now. */
export async function pullBackFuture(now: Date, skew_ms: number): Promise<void> {
  const ahead = at(new Date(now.getTime() + skew_ms));
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE mail_messages SET due_at = ${at(now)}, wake_at = NULL
    WHERE ${FREE(now)} AND due_at > ${at(now)} AND (created_at > ${ahead} OR first_attempted_at > ${ahead})`);
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
    SELECT m.id FROM mail_messages m LEFT JOIN reservations_with_open_link r ON r.id = m.reservation_id
    WHERE m.id IN (${Prisma.join([...ids])}) AND m.reservation_id IS NOT NULL
      AND m.template IN (${Prisma.join([...LINK_MAILS])})
      AND (r.id IS NULL OR EXISTS (
        SELECT 1 FROM mail_messages n
        WHERE n.reservation_id = m.reservation_id AND n.template = 'packet' AND (n.created_at, n.id) > (m.created_at, m.id)))`);
  return new Set(rows.map((row) => row.id));
}

/** Frees what dead processes held. */
export async function freeHeldMail(): Promise<void> {
  await systemDb().$executeRaw(Prisma.sql`
    UPDATE mail_messages SET lease_until = NULL, lease_token = NULL, wake_at = NULL
    WHERE status = 'queued' AND ${heldByTheDead('lease_token')}`);
}
