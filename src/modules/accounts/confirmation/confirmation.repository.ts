/** Queries that confirm an address or revoke the access set up before the confirmation. */
import { systemDb } from '@/infra/db/client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
import { getEmailChangeId } from '../email-change/email-change.repository';
import { VERIFY_LINK_MINUTES } from '../mailer';

const browserOf = (user_id: string) => `sign-up-browser:${user_id}`;

/** Stores the hash of the browser that signed up, for as long as the mailed link works. */
export async function insertSignUpBrowser(user_id: string, hash: string): Promise<void> {
  const now = clock().now();
  const expiresAt = new Date(now.getTime() + VERIFY_LINK_MINUTES * 60_000);
  const identifier = browserOf(user_id);
  const row = { identifier, value: hash, expiresAt, createdAt: now, updatedAt: now };
  await systemDb().verification.create({ data: { id: identifier, ...row } });
}

/**
 * Returns the account with the hashes that can confirm it: those of the browser and the password.
 */
export async function findSignUp(email: string) {
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

/** Confirms the address. */
export function markConfirmed(user_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().user.updateMany({ where: { id: user_id }, data: { emailVerified: true } });
    await systemDb().verification.deleteMany({ where: { identifier: browserOf(user_id) } });
  });
}

/**
 * Deletes the user's sessions and everything that could still open one. Call it inside a
 * transaction.
 */
async function endAccess(user_id: string): Promise<void> {
  const db = systemDb();
  await db.session.deleteMany({ where: { userId: user_id } });
  await db.passkey.deleteMany({ where: { userId: user_id } });
  await db.deviceLogin.deleteMany({ where: { member: { userId: user_id } } });
  await disconnectAssistants(user_id);
  // This includes half-finished sign-ins, trusted browsers, other reset links, the browser that
  // signed up and a pending new address.
  await db.verification.deleteMany({
    where: { OR: [{ value: user_id }, { identifier: browserOf(user_id) }, { id: getEmailChangeId(user_id) }] },
  });
}

/**
 * Revokes everything that an unproven user set up. Call it inside a transaction. Returns the number
 * of revoked API keys.
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

/**
 * Deletes authorization codes with these values that were not exchanged yet. The provider stores
 * them as JSON.
 */
export async function deletePendingCodes(fields: Record<string, string>): Promise<void> {
  const parts = Object.entries(fields).map(([name, value]) => JSON.stringify({ [name]: value }).slice(1, -1));
  await systemDb().verification.deleteMany({
    where: {
      value: { startsWith: '{"type":"authorization_code"' },
      AND: parts.map((part) => ({ value: { contains: part } })),
    },
  });
}

/** Disconnects the user's assistants. */
export async function disconnectAssistants(user_id: string): Promise<void> {
  const where = { userId: user_id };
  await systemDb().oauthConsent.deleteMany({ where });
  await deletePendingCodes({ userId: user_id });
  await systemDb().oauthAccessToken.deleteMany({ where });
  await systemDb().oauthRefreshToken.deleteMany({ where });
}

/**
 * Ends other sessions, half-finished sign-ins, reset links and assistants after an account got a
 * second factor, because they did not use it.
 */
export function endOtherAccess(user_id: string, keep_ids: readonly string[]): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().session.deleteMany({ where: { userId: user_id, id: { notIn: [...keep_ids] } } });
    await disconnectAssistants(user_id);
    await endResetLinks(user_id);
  });
}

/** Deletes the account's reset links, half-finished sign-ins and pending new address. */
export async function endResetLinks(user_id: string): Promise<void> {
  await systemDb().verification.deleteMany({ where: { OR: [{ value: user_id }, { id: getEmailChangeId(user_id) }] } });
}

/**
 * Makes a reset link the only one of its account. Of several links followed at once only the first
 * one works: the other requests wait for the lock and then find their links deleted.
 */
export function claimResetLink(user_id: string, verification_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().$executeRaw`SELECT 1 FROM users WHERE id = ${user_id} FOR UPDATE`;
    if ((await systemDb().verification.count({ where: { id: verification_id } })) === 0) return;
    await systemDb().verification.deleteMany({ where: { value: user_id, id: { not: verification_id } } });
  });
}

/** The access that a takeover revoked. Null when the address was already confirmed. */
export type TakeoverResult = { revoked_keys: number } | null;

/**
 * Ends every session and device login after a password reset by mail. Removes passkeys too, because
 * a stranger may have added one. Two-factor stays. If the address was not confirmed, everything set
 * up before may be a stranger's and is revoked too.
 */
export function endAccessAfterReset(user_id: string): Promise<TakeoverResult> {
  return inSystemTransaction(async () => {
    const { count } = await systemDb().user.updateMany({
      where: { id: user_id, emailVerified: false },
      data: { emailVerified: true, twoFactorEnabled: false },
    });
    await endAccess(user_id);
    return count === 1 ? { revoked_keys: await endUnprovenAccess(user_id) } : null;
  });
}

/** Gives an unconfirmed account to the person whose address a provider confirms. */
export function takeOverUnconfirmedAccount(user_id: string, name: string): Promise<TakeoverResult> {
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
 * Deletes an account's confirmation, identities, passwords, passkeys and sessions, so that the next
 * person to prove the address takes the account over.
 */
export function releaseAddress(user_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().user.update({ where: { id: user_id }, data: { emailVerified: false } });
    await systemDb().account.deleteMany({ where: { userId: user_id } });
    await endAccess(user_id);
  });
}
