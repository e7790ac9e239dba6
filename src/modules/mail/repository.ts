/** Queries on mail. */
import type { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { BEYOND_SCOPE, Prisma as Sql, scopedDb, transactionDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export async function insertMail(
  scope: Scope,
  data: Omit<Prisma.MailMessageUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<void> {
  await transactionDb(scope).mailMessage.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Queues a mail that belongs to no scope: an account’s, or background work's over all teams. */
export async function insertSystemMail(data: Prisma.MailMessageUncheckedCreateInput): Promise<void> {
  await systemDb().mailMessage.create({ data });
}

export function countMails(scope: Scope, template: string, since: Date): Promise<number> {
  return scopedDb(scope).mailMessage.count({ where: { template, created_at: { gt: since } } });
}

export async function findStatus(id: string): Promise<string | null> {
  const row = await systemDb().mailMessage.findUnique({ where: { id }, select: { status: true } });
  return row?.status ?? null;
}

export function findByOpenToken(hash: string) {
  return systemDb().mailMessage.findUnique({
    where: { open_token_hash: hash },
    select: { id: true, team_id: true, mode: true, reservation_id: true, opened_at: true },
  });
}

export function findByProviderId(provider_id: string) {
  return systemDb().mailMessage.findUnique({
    where: { provider_id },
    select: {
      id: true,
      team_id: true,
      mode: true,
      reservation_id: true,
      opened_at: true,
      template: true,
      to: true,
    },
  });
}

/** Whether a mail to one of the addresses, in lower case, may be with the provider though its id there is not known yet. */
export async function isHandingOver(addresses: readonly string[]): Promise<boolean> {
  const rows = await systemDb().$queryRaw<object[]>(Sql.sql`
    SELECT 1 FROM mail_messages
    WHERE status = 'queued' AND first_attempted_at IS NOT NULL AND lower("to") = ANY (${[...addresses]}::text[]) LIMIT 1`);
  return rows.length > 0;
}

export async function markOpened(id: string, now: Date): Promise<void> {
  await systemDb().mailMessage.updateMany({ where: { id, opened_at: null }, data: { opened_at: now } });
}

/** A mail that the provider took and could not deliver. */
export async function markUndelivered(id: string, last_error: string): Promise<void> {
  await systemDb().mailMessage.updateMany({ where: { id, status: 'sent' }, data: { status: 'failed', last_error } });
}

/** Puts addresses on the list of those that are never mailed again; the first reason stays. */
export async function suppress(emails: readonly string[], reason: 'bounced' | 'complained', now: Date): Promise<void> {
  await systemDb().mailSuppression.createMany({
    data: emails.map((email) => ({ email, reason, created_at: now })),
    skipDuplicates: true,
  });
}

export async function hasProviderEvent(id: string): Promise<boolean> {
  return (await systemDb().providerEvent.findUnique({ where: { id } })) !== null;
}

export async function insertProviderEvent(id: string, now: Date): Promise<void> {
  await systemDb().providerEvent.createMany({ data: [{ id, created_at: now }], skipDuplicates: true });
}

/** Whether an address, in lower case, must not be mailed; also inside a transaction of the scope. */
export async function isSuppressed(scope: Scope, email: string): Promise<boolean> {
  const rows = await scopedDb(scope).$queryRaw<object[]>(Sql.sql`${BEYOND_SCOPE}
    SELECT 1 FROM teams JOIN mail_suppressions ON email = ${email} WHERE teams.id = ${scope.team_id}`);
  return rows.length > 0;
}
