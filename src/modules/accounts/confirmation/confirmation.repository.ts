/** The queries of confirming an address, and of ending what was set before it was confirmed. */
import { systemDb } from '@/infra/db/client';
import { inSystemTransaction } from '@/infra/db/transaction';
import { clock } from '@/shared/clock';
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

/** An account with what can confirm it. */
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

/** Inside a transaction: ends what a user is signed in with or could still come in by. */
async function endAccess(user_id: string): Promise<void> {
  const db = systemDb();
  await db.session.deleteMany({ where: { userId: user_id } });
  await db.deviceLogin.deleteMany({ where: { member: { userId: user_id } } });
  // Sign-ins between password and code, trusted browsers, other reset links, the browser that signed up.
  await db.verification.deleteMany({ where: { OR: [{ value: user_id }, { identifier: browserOf(user_id) }] } });
}

/** Inside a transaction: ends what somebody set who never proved the address. Returns how many API keys were revoked. */
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

/** Ends the account's reset links, and the sign-ins between password and code. */
export async function endResetLinks(user_id: string): Promise<void> {
  await systemDb().verification.deleteMany({ where: { value: user_id } });
}

/**
 * Makes a reset link the only one of its account. Of several that are followed at once the first one stays: the others wait
 * for the lock, and find that they are gone.
 */
export function claimResetLink(user_id: string, verification_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().$executeRaw`SELECT 1 FROM users WHERE id = ${user_id} FOR UPDATE`;
    if ((await systemDb().verification.count({ where: { id: verification_id } })) === 0) return;
    await systemDb().verification.deleteMany({ where: { value: user_id, id: { not: verification_id } } });
  });
}

/** What a takeover ended. Null: the address was confirmed before, so nothing was taken over. */
export type Takeover = { revoked_keys: number } | null;

/**
 * After a new password by the mailed link: every session and device login ends. If the address was not confirmed before,
 * whatever was set before is not its owner's and ends too.
 */
export function endAccessAfterReset(user_id: string): Promise<Takeover> {
  return inSystemTransaction(async () => {
    const { count } = await systemDb().user.updateMany({
      where: { id: user_id, emailVerified: false },
      data: { emailVerified: true, twoFactorEnabled: false },
    });
    await endAccess(user_id);
    return count === 1 ? { revoked_keys: await endUnprovenAccess(user_id) } : null;
  });
}

/** Gives an account that nobody confirmed to the person whose address a provider confirms. The password goes too. */
export function takeOverUnconfirmed(user_id: string, name: string): Promise<Takeover> {
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

/** Takes an account's confirmation, identities, passwords and sessions away, so that the next proof of its address takes it over. */
export function releaseAddress(user_id: string): Promise<void> {
  return inSystemTransaction(async () => {
    await systemDb().user.update({ where: { id: user_id }, data: { emailVerified: false } });
    await systemDb().account.deleteMany({ where: { userId: user_id } });
    await endAccess(user_id);
  });
}
