/**
 * Queries that confirm an account's e-mail address, or revoke access that was set up before the
 * confirmation.
 */
import { systemDb } from '@/infra/db/client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { buildPendingEmailChangeRowId } from '../email-change/email-change.repository';
import { VERIFICATION_LINK_LIFETIME_MINUTES } from '../mailer';

const browserOf = (user_id: string) => `sign-up-browser:${user_id}`;

/** Stores the hash of the secret in the sign-up browser's cookie, until the mailed link expires. */
export async function insertSignUpBrowserCookieHash(user_id: string, hash: string): Promise<void> {
  const now = clock().now();
  const expiresAt = new Date(now.getTime() + VERIFICATION_LINK_LIFETIME_MINUTES * 60_000);
  const identifier = browserOf(user_id);
  const row = { identifier, value: hash, expiresAt, createdAt: now, updatedAt: now };
  await systemDb().verification.create({ data: { id: identifier, ...row } });
}

/** Returns the account with its password hash and the hash of its sign-up browser's secret. */
export async function findSignUpAccountByEmail(email: string) {
  const user = await systemDb().user.findUnique({
    where: { email: email.toLowerCase() },
    include: { accounts: { where: { providerId: 'credential' }, select: { password: true } } },
  });
  if (!user) return null;
  const where = { identifier: browserOf(user.id), expiresAt: { gt: clock().now() } };
  const browser = await systemDb().verification.findFirst({ where, select: { value: true } });
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    confirmed: user.emailVerified,
    browser_hash: browser?.value ?? null,
    password_hash: user.accounts[0]?.password ?? null,
  };
}

/** Marks the account's e-mail address as confirmed. */
export function markEmailAddressConfirmed(user_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().user.updateMany({ where: { id: user_id }, data: { emailVerified: true } });
    await systemDb().verification.deleteMany({ where: { identifier: browserOf(user_id) } });
  });
}

/**
 * Deletes the user's sessions, passkeys, device logins, assistants and pending links. Call it
 * inside a transaction.
 */
async function endAccess(user_id: string): Promise<void> {
  const db = systemDb();
  await db.session.deleteMany({ where: { userId: user_id } });
  await db.passkey.deleteMany({ where: { userId: user_id } });
  await db.deviceLogin.deleteMany({ where: { member: { userId: user_id } } });
  await disconnectAssistants(user_id);
  // These rows are half-finished sign-ins, trusted browsers, other reset links, the sign-up
  // browser's secret and a pending change of address.
  await db.verification.deleteMany({
    where: {
      OR: [{ value: user_id }, { identifier: browserOf(user_id) }, { id: buildPendingEmailChangeRowId(user_id) }],
    },
  });
}

/**
 * Revokes the second factor, invitations and API keys of a user who never confirmed the address.
 * Call it inside a transaction. Returns the number of revoked API keys.
 */
async function endUnprovenAccess(user_id: string): Promise<number> {
  const db = systemDb();
  await db.twoFactor.deleteMany({ where: { userId: user_id } });
  await db.invitation.updateMany({ where: { inviterId: user_id, status: 'pending' }, data: { status: 'canceled' } });
  const { count } = await db.apiKey.updateMany({
    where: { created_by: user_id, revoked_at: null },
    data: { revoked_at: clock().now() },
  });
  return count;
}

/** Deletes unused OAuth authorization codes whose stored JSON has all the given fields. */
export async function deleteUnusedAuthorizationCodes(fields: Record<string, string>): Promise<void> {
  const parts = Object.entries(fields).map(([name, value]) => JSON.stringify({ [name]: value }).slice(1, -1));
  await systemDb().verification.deleteMany({
    where: {
      value: { startsWith: '{"type":"authorization_code"' },
      AND: parts.map((part) => ({ value: { contains: part } })),
    },
  });
}

/** Disconnects the user's AI assistants. */
export async function disconnectAssistants(user_id: string): Promise<void> {
  const where = { userId: user_id };
  await systemDb().oauthConsent.deleteMany({ where });
  await deleteUnusedAuthorizationCodes({ userId: user_id });
  await systemDb().oauthAccessToken.deleteMany({ where });
  await systemDb().oauthRefreshToken.deleteMany({ where });
}

/**
 * Ends all of the user's sessions except `keep_ids`, and the user's half-finished sign-ins, reset
 * links and assistants. Called when an account gets its first second factor, because the ended
 * sessions were opened without it.
 */
export function revokeOtherSessionsAndResetLinks(user_id: string, keep_ids: readonly string[]): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().session.deleteMany({ where: { userId: user_id, id: { notIn: [...keep_ids] } } });
    await disconnectAssistants(user_id);
    await revokePasswordResetLinks(user_id);
  });
}

/** Deletes the account's reset links, half-finished sign-ins and pending new address. */
export async function revokePasswordResetLinks(user_id: string): Promise<void> {
  await systemDb().verification.deleteMany({
    where: { OR: [{ value: user_id }, { id: buildPendingEmailChangeRowId(user_id) }] },
  });
}

/**
 * Deletes all of the account's reset links except the given one. When several links are opened at
 * once, only the first request succeeds. The other requests wait for the lock and then find their
 * links deleted.
 */
export function deleteOtherPasswordResetLinks(user_id: string, verification_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().$executeRaw`SELECT 1 FROM users WHERE id = ${user_id} FOR UPDATE`;
    if ((await systemDb().verification.count({ where: { id: verification_id } })) === 0) return;
    await systemDb().verification.deleteMany({ where: { value: user_id, id: { not: verification_id } } });
  });
}

/**
 * The number of API keys that were revoked when an unconfirmed account was taken over. Null when
 * the address was already confirmed, so that nobody took the account over.
 */
export type UnconfirmedAccountRevocationResult = { revoked_keys: number } | null;

/**
 * Ends every session and device login after a password reset by mail. Removes passkeys too, because
 * a stranger may have added one. Two-factor stays on for a confirmed address. If the address was
 * not confirmed, a stranger may have created the account, so two-factor and API keys are removed as
 * well.
 */
export function revokeAccessAfterPasswordReset(user_id: string): Promise<UnconfirmedAccountRevocationResult> {
  return inSystemTransaction(async () => {
    const { count } = await systemDb().user.updateMany({
      where: { id: user_id, emailVerified: false },
      data: { emailVerified: true, twoFactorEnabled: false },
    });
    await endAccess(user_id);
    return count === 1 ? { revoked_keys: await endUnprovenAccess(user_id) } : null;
  });
}

/** Transfers an unconfirmed account to the person whose address an identity provider confirmed. */
export function takeOverUnconfirmedAccount(user_id: string, name: string): Promise<UnconfirmedAccountRevocationResult> {
  return inSystemTransaction(async () => {
    const db = systemDb();
    const { count } = await db.user.updateMany({
      where: { id: user_id, emailVerified: false },
      data: { emailVerified: true, twoFactorEnabled: false, name },
    });
    if (count === 0) return null;
    await endAccess(user_id);
    await db.account.deleteMany({ where: { userId: user_id } });
    return { revoked_keys: await endUnprovenAccess(user_id) };
  });
}

/**
 * Marks the address as unconfirmed and deletes the account's identities, password, passkeys and
 * sessions. The next person who proves access to the mailbox takes the account over.
 */
export function resetAccountToUnconfirmed(user_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().user.update({ where: { id: user_id }, data: { emailVerified: false } });
    await systemDb().account.deleteMany({ where: { userId: user_id } });
    await endAccess(user_id);
  });
}
