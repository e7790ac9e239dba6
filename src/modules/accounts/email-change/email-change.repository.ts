/** Queries for changing a user's own e-mail address. Each user has at most one pending change. */
import { systemDb } from '@/infra/db/client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';

const PREFIX = 'email-change:';
/**
 * Returns the id of the row with the user's pending change of address. Taking over the account and
 * setting a new password delete this row.
 */
export const buildPendingEmailChangeRowId = (user_id: string) => `${PREFIX}${user_id}`;
const linkOf = (token_hash: string) => `${PREFIX}${token_hash}`;

/** Stores a pending change. Replaces the user's earlier one. */
export async function replacePendingEmailChange(
  user_id: string,
  email: string,
  token_hash: string,
  minutes: number,
): Promise<void> {
  const now = clock().now();
  const expiresAt = new Date(now.getTime() + minutes * 60_000);
  const row = { identifier: linkOf(token_hash), value: email, expiresAt, createdAt: now, updatedAt: now };
  const id = buildPendingEmailChangeRowId(user_id);
  await systemDb().verification.upsert({ where: { id }, create: { id, ...row }, update: row });
}

/** Returns the user's new address that awaits confirmation, or null. */
export async function findPendingNewEmailAddress(user_id: string): Promise<string | null> {
  const where = { id: buildPendingEmailChangeRowId(user_id), expiresAt: { gt: clock().now() } };
  return (await systemDb().verification.findFirst({ where, select: { value: true } }))?.value ?? null;
}

export async function findEmailChangeByTokenHash(
  token_hash: string,
): Promise<{ user_id: string; email: string } | null> {
  const where = { identifier: linkOf(token_hash), expiresAt: { gt: clock().now() } };
  const row = await systemDb().verification.findFirst({ where, select: { id: true, value: true } });
  return row && { user_id: row.id.slice(PREFIX.length), email: row.value };
}

export const deleteEmailChange = (user_id: string) =>
  systemDb().verification.deleteMany({ where: { id: buildPendingEmailChangeRowId(user_id) } });

/**
 * Deletes an account that has the address but never confirmed it and is in no team, because another
 * user has just proven access to the mailbox. Call it inside a transaction. Returns whether no
 * account has the address.
 */
async function freeAddress(email: string): Promise<boolean> {
  const db = systemDb();
  await db.user.deleteMany({ where: { email, emailVerified: false, members: { none: {} } } });
  return (await db.user.count({ where: { email } })) === 0;
}

/**
 * Applies a pending change: confirms the new address, ends the other sessions, and deletes the
 * links and pending sign-ins mailed to the old address. Returns the old and the new address.
 * Returns `taken` when another account has the new address, and null when no change was pending.
 */
export async function applyEmailChange(
  user_id: string,
  token_hash: string,
  session_id: string,
): Promise<{ from: string; to: string } | 'taken' | null> {
  try {
    return await inSystemTransaction(async () => {
      const db = systemDb();
      const where = {
        identifier: linkOf(token_hash),
        id: buildPendingEmailChangeRowId(user_id),
        expiresAt: { gt: clock().now() },
      };
      const pending = await db.verification.findFirst({ where, select: { value: true } });
      if (!pending || (await db.verification.deleteMany({ where })).count !== 1) return null;
      const { email: from } = await db.user.findUniqueOrThrow({ where: { id: user_id } });
      if (!(await freeAddress(pending.value))) return 'taken';
      await db.user.update({ where: { id: user_id }, data: { email: pending.value, emailVerified: true } });
      await db.session.deleteMany({ where: { userId: user_id, id: { not: session_id } } });
      await db.deviceLogin.deleteMany({ where: { member: { userId: user_id } } });
      await db.verification.deleteMany({ where: { value: user_id } });
      return { from, to: pending.value };
    });
  } catch (error) {
    // Another person signed up with the new address at the same moment.
    if ((error as { code?: string }).code === 'P2002') return 'taken';
    throw error;
  }
}
