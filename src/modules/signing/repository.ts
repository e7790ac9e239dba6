/** Queries for guests' actions: links, one-time codes and signatures. */
import type { GuestCode, Prisma, Signature, Snapshot } from '@/generated/prisma/client';
import { systemDb } from '@/infra/db/client';
import { requireTransactionDb, Prisma as Sql, scopedDb } from '@/infra/db/scoped-client';
import type { Scope } from '@/shared/scope';

/** Finds the reservation of a signing link or a shared link. The token is the permission. */
export function findReservationBySigningLinkToken(hash: string) {
  return systemDb().reservation.findFirst({
    where: { OR: [{ signing_token_hash: hash }, { share_token_hash: hash }] },
    select: { id: true, team_id: true, mode: true, signing_token_hash: true },
  });
}

/** Finds a link's token that was replaced by a newer link. */
export function findRetiredSigningLinkToken(hash: string) {
  return systemDb().retiredToken.findUnique({ where: { hash } });
}

/**
 * Locks the reservation, so that its requests for codes run one after another. Returns whether it
 * is redacted.
 */
export async function lockReservationForCodeRequest(
  scope: Scope,
  reservation_id: string,
): Promise<{ redacted: boolean } | null> {
  const rows = await requireTransactionDb(scope).$queryRaw<{ redacted: boolean }[]>(Sql.sql`
    SELECT redacted FROM reservations
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${reservation_id} FOR NO KEY UPDATE`);
  return rows[0] ?? null;
}

export function countConfirmationCodesSince(scope: Scope, reservation_id: string, since: Date): Promise<number> {
  return scopedDb(scope).guestCode.count({ where: { reservation_id, created_at: { gt: since } } });
}

export async function insertConfirmationCode(
  scope: Scope,
  data: Omit<Prisma.GuestCodeUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<void> {
  await scopedDb(scope).guestCode.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export function findLatestConfirmationCode(
  scope: Scope,
  where: { reservation_id: string; purpose: string; email: string },
): Promise<GuestCode | null> {
  return scopedDb(scope).guestCode.findFirst({ where, orderBy: [{ created_at: 'desc' }, { id: 'desc' }] });
}

/** Counts an attempt to enter a code. Returns false when there were already `max_attempts`. */
export async function countConfirmationCodeAttempt(scope: Scope, id: string, max_attempts: number): Promise<boolean> {
  const { count } = await scopedDb(scope).guestCode.updateMany({
    where: { id, attempts: { lt: max_attempts } },
    data: { attempts: { increment: 1 } },
  });
  return count > 0;
}

/**
 * Resets the attempts and records the confirmation. Returns whether this was the code's first
 * confirmation.
 */
export async function recordGuestEmailCodeConfirmation(scope: Scope, id: string, confirmed_at: Date): Promise<boolean> {
  await scopedDb(scope).guestCode.updateMany({ where: { id }, data: { attempts: 0 } });
  const { count } = await scopedDb(scope).guestCode.updateMany({
    where: { id, confirmed_at: null },
    data: { confirmed_at },
  });
  return count > 0;
}

/** Locks the packet against edits and returns its version. */
export async function lockPacketAndReadVersion(scope: Scope, id: string): Promise<number | null> {
  const rows = await requireTransactionDb(scope).$queryRaw<{ version: number }[]>(Sql.sql`
    SELECT version FROM packets
    WHERE team_id = ${scope.team_id} AND mode = ${scope.mode}::"Mode" AND id = ${id} FOR SHARE`);
  return rows[0]?.version ?? null;
}

export function insertAgreementSnapshot(scope: Scope, data: Omit<Snapshot, 'team_id' | 'mode'>): Promise<Snapshot> {
  return scopedDb(scope).snapshot.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}

export function insertSignature(
  scope: Scope,
  data: Omit<Prisma.SignatureUncheckedCreateInput, 'team_id' | 'mode'>,
): Promise<Signature> {
  return scopedDb(scope).signature.create({ data: { ...data, team_id: scope.team_id, mode: scope.mode } });
}
