/** Queries on mail. */
import { createHmac } from 'node:crypto';
import { getAppSecret } from '@/config';
import type { Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { requireTransactionDb, Prisma as Sql, scopedDb, UNSCOPED_SQL_COMMENT } from '@/infra/db/scoped-client';
import { deriveEncryptionKey } from '@/infra/encryption';
import type { Scope } from '@/shared/scope';

export async function insertMail(
  scope: Scope,
  data: Omit<Prisma.MailMessageUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<void> {
  await requireTransactionDb(scope).mailMessage.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/**
 * Inserts a mail outside of a scope: an account mail, or a mail from background work over all
 * teams.
 */
export async function insertMailThroughSystemDb(data: Prisma.MailMessageUncheckedCreateInput): Promise<void> {
  await systemDb().mailMessage.create({ data });
}

export function countMails(scope: Scope, template: string, since: Date): Promise<number> {
  return scopedDb(scope).mailMessage.count({ where: { template, created_at: { gt: since } } });
}

export async function findMailStatus(id: string): Promise<string | null> {
  const row = await systemDb().mailMessage.findUnique({ where: { id }, select: { status: true } });
  return row?.status ?? null;
}

export function findMailByOpenTrackingTokenHash(hash: string) {
  return systemDb().mailMessage.findUnique({
    where: { open_token_hash: hash },
    select: { id: true, team_id: true, mode: true, reservation_id: true, opened_at: true },
  });
}

export function findMailByProviderMessageId(provider_id: string) {
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

/** Returns whether a mail to one of the addresses is being sent and has no provider id yet. */
export async function isAnyMailToAddressesBeingSent(addresses: readonly string[]): Promise<boolean> {
  const rows = await systemDb().$queryRaw<object[]>(Sql.sql`
    SELECT 1 FROM mail_messages
    WHERE status = 'queued' AND first_attempted_at IS NOT NULL AND lower("to") = ANY (${[...addresses]}::text[]) LIMIT 1`);
  return rows.length > 0;
}

export async function markMailAsOpened(id: string, now: Date): Promise<void> {
  await systemDb().mailMessage.updateMany({ where: { id, opened_at: null }, data: { opened_at: now } });
}

/** Marks an accepted mail as failed, because the provider could not deliver it. */
export async function markMailAsUndelivered(id: string, last_error: string): Promise<void> {
  await systemDb().mailMessage.updateMany({ where: { id, status: 'sent' }, data: { status: 'failed', last_error } });
}

/**
 * Returns the keyed hash under which a suppressed address is stored. A guest's erasure therefore
 * leaves no address behind and does not end the suppression.
 */
export const hashSuppressedEmailAddress = (address: string): string =>
  createHmac('sha256', deriveEncryptionKey(getAppSecret(), 'mail_suppression'))
    .update(address.toLowerCase())
    .digest('hex');

/**
 * Adds addresses to the suppression list, so that they are never mailed again. Keeps an existing
 * reason.
 */
export async function suppressEmailAddresses(
  addresses: readonly string[],
  reason: 'bounced' | 'complained',
  now: Date,
): Promise<void> {
  await systemDb().mailSuppression.createMany({
    data: addresses.map((address) => ({ email: hashSuppressedEmailAddress(address), reason, created_at: now })),
    skipDuplicates: true,
  });
}

export async function isMailProviderEventStored(id: string): Promise<boolean> {
  return (await systemDb().providerEvent.findUnique({ where: { id } })) !== null;
}

export async function insertMailProviderEvent(id: string, now: Date): Promise<void> {
  await systemDb().providerEvent.createMany({ data: [{ id, created_at: now }], skipDuplicates: true });
}

/** Returns whether the address is on the suppression list. */
export async function isEmailAddressOnSuppressionList(scope: Scope, address: string): Promise<boolean> {
  const rows = await scopedDb(scope).$queryRaw<object[]>(Sql.sql`${UNSCOPED_SQL_COMMENT}
    SELECT 1 FROM teams JOIN mail_suppressions ON email = ${hashSuppressedEmailAddress(address)} WHERE teams.id = ${scope.team_id}`);
  return rows.length > 0;
}
