/** Queries on passkeys in addition to those of better-auth's plugin. */
import { systemDb } from '@/infra/db/client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { hasAnySecondFactor } from '../repository';

export const findPasskeys = (user_id: string) =>
  systemDb().passkey.findMany({
    where: { userId: user_id },
    select: { id: true, name: true, createdAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });

export const findOwnPasskey = (user_id: string, id: string) =>
  systemDb().passkey.findFirst({ where: { id, userId: user_id }, select: { name: true } });

/** Finds a passkey by its credential id, which the authenticator assigned. */
export const findPasskey = (credential_id: string) =>
  systemDb().passkey.findUnique({
    where: { credentialID: credential_id },
    select: { id: true, user: { select: { emailVerified: true } } },
  });

/**
 * Returns whether the passkey that was just added is the account's only second factor. If so, marks
 * the session as one that used a second factor.
 */
export async function upgradeSessionIfPasskeyIsOnlySecondFactor(user_id: string, session_id: string): Promise<boolean> {
  const db = systemDb();
  const without_code = { OR: [{ twoFactorEnabled: null }, { twoFactorEnabled: false }] };
  const only = await db.user.count({ where: { id: user_id, ...without_code } });
  if (only === 0 || (await db.passkey.count({ where: { userId: user_id } })) !== 1) return false;
  await db.session.updateMany({
    where: { id: session_id, OR: [{ signedInWith: null }, { signedInWith: 'password' }] },
    data: { signedInWith: 'password_and_factor' },
  });
  return true;
}

/**
 * Ends the user's other sessions that used a removed second factor. Marks the user's assistants as
 * connected without a second factor. If the account has no other second factor, marks the current
 * session as opened by password.
 */
export function endSessionsUsingRemovedFactor(
  user_id: string,
  keep_id: string,
  used: 'passkey' | 'code',
): Promise<void> {
  return inSystemTransaction(async () => {
    const db = systemDb();
    const by = used === 'passkey' ? ['passkey', 'password_and_factor'] : ['password_and_factor'];
    await db.session.deleteMany({ where: { userId: user_id, signedInWith: { in: by }, id: { not: keep_id } } });
    await db.oauthConsent.updateMany({ where: { userId: user_id }, data: { factor_proven: false } });
    if (await hasAnySecondFactor(user_id)) return;
    await db.session.updateMany({
      where: { id: keep_id, signedInWith: { in: by } },
      data: { signedInWith: 'password' },
    });
  });
}
