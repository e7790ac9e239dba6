/** Queries on mail. */
import type { MailMessage, Prisma } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { type ScopedDb, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

export async function insertMail(
  scope: Scope,
  data: Omit<Prisma.MailMessageUncheckedCreateInput, 'team_id' | 'mode'>,
  db: ScopedDb,
): Promise<void> {
  await db.mailMessage.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

/** Mail of an account (reset, invitation) belongs to no team's mode. */
export async function insertAccountMail(data: Prisma.MailMessageUncheckedCreateInput): Promise<void> {
  await systemDb().mailMessage.create({ data });
}

export function findMailOfReservation(scope: Scope, reservation_id: string): Promise<MailMessage[]> {
  return scopedDb(scope).mailMessage.findMany({
    where: { reservation_id },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
  });
}

export function findByOpenToken(hash: string) {
  return systemDb().mailMessage.findUnique({
    where: { open_token_hash: hash },
    select: { id: true, team_id: true, mode: true, reservation_id: true, opened_at: true },
  });
}

export async function isSuppressed(email: string): Promise<boolean> {
  return (await systemDb().mailSuppression.findUnique({ where: { email: email.toLowerCase() } })) !== null;
}
