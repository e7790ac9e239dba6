/**
 * Confirms an account's e-mail address. Opening the mailed link proves only access to the mailbox:
 * a stranger may have signed up with someone else's address. So the link opens a page, and a POST
 * from that page confirms the account if it comes from the browser that signed up or contains the
 * account's password. Otherwise the mailbox's owner can take the account over by a password reset,
 * which revokes all access set up earlier (`endUnprovenAccess`).
 */
import { verifyJWT } from 'better-auth/crypto';
import { recordTeamAuditEntry } from '@/modules/audit-log/service';
import { AppError } from '@/shared/errors';
import { toSafeSenderName } from '@/shared/text/plain-name';
import { countAttemptOrThrowOverLimit } from '../attempt-counters/attempts';
import { findMembershipsOfUser, findUserByEmail } from '../repository';
import type { EmailConfirmationView } from '../schemas';
import { CLIENT_IP_ADDRESS_HEADER } from '../session-headers';
import { createPasswordResetLink, getBetterAuth } from '../sign-in/auth';
import { verifyPassword } from '../sign-in/password';
import { runWithBruteForceDelay } from '../sign-in/sign-in-guard';
import * as repository from './confirmation.repository';
import { isRequestFromSignUpBrowser } from './sign-up-browser';

export { deleteUnusedAuthorizationCodes } from './confirmation.repository';

const HOUR_MS = 3_600_000;
const MAX_CLAIMS_PER_HOUR = 5;

const invalid = () => new AppError('resource_missing');

/** Finds the account of a mailed confirmation link. Returns null for an unknown or expired link. */
async function findByLink(token: string) {
  const { secret } = await getBetterAuth().$context;
  const payload = (await verifyJWT(token, secret)) as { email?: unknown; updateTo?: unknown } | null;
  if (typeof payload?.email !== 'string' || payload.updateTo !== undefined) return null;
  return repository.findSignUpAccountByEmail(payload.email);
}

/** Returns the content of the confirmation page, or null for an unknown or expired link. */
export async function loadEmailConfirmationView(
  token: string,
  headers: Headers,
): Promise<EmailConfirmationView | null> {
  const found = await findByLink(token);
  if (!found) return null;
  const { email, name, confirmed, browser_hash } = found;
  return {
    email,
    name: toSafeSenderName(name, '–'),
    state: confirmed ? 'confirmed' : 'open',
    this_browser: isRequestFromSignUpBrowser(headers, browser_hash),
  };
}

/**
 * Confirms the address. Returns `wrong` for a wrong password. Throws resource_missing and
 * rate_limit_exceeded.
 */
export async function confirmEmailAddress(
  { token, password }: { token: string; password: string | null },
  headers: Headers,
): Promise<'confirmed' | 'wrong'> {
  const found = await findByLink(token);
  if (!found) throw invalid();
  if (found.confirmed) return 'confirmed';
  const { id, email, browser_hash, password_hash } = found;
  if (!isRequestFromSignUpBrowser(headers, browser_hash)) {
    if (password === null) throw new AppError('missing_required_field', { param: 'password' });
    const ip = headers.get(CLIENT_IP_ADDRESS_HEADER);
    const is_right = await runWithBruteForceDelay({ kind: 'password', email, ip }, async () => {
      const result = password_hash !== null && (await verifyPassword(password_hash, password));
      return { result, proof: result ? 'right' : 'wrong' };
    });
    if (!is_right) return 'wrong';
  }
  await repository.markEmailAddressConfirmed(id);
  return 'confirmed';
}

/**
 * Returns a link for choosing a new password, for a mailbox's owner who did not sign up. Setting
 * the new password revokes all access set up earlier. Throws resource_missing and
 * rate_limit_exceeded.
 */
export async function createPasswordLinkToClaimAccount(token: string): Promise<{ url: string }> {
  const found = await findByLink(token);
  if (!found || found.confirmed) throw invalid();
  await countAttemptOrThrowOverLimit(`claim:${found.id}`, MAX_CLAIMS_PER_HOUR, HOUR_MS);
  return createPasswordResetLink(found.email);
}

/**
 * Releases an account's e-mail address on behalf of the operator. The next person who proves access
 * to the mailbox, by a sign-in at the provider or a password reset, takes over the account. Throws
 * resource_missing.
 */
export async function allowMailboxOwnerToTakeOverAccount(email: string): Promise<{ email: string; released: true }> {
  const user = await findUserByEmail(email);
  if (!user) throw new AppError('resource_missing', { message: `There is no account with the address ${email}.` });
  await repository.resetAccountToUnconfirmed(user.id);
  const teams = await findMembershipsOfUser(user.id);
  const entry = { action: 'user.address_released', actor: 'operator', object_id: user.id } as const;
  await recordTeamAuditEntry(...teams.map(({ organizationId }) => ({ team_id: organizationId, ...entry })));
  return { email: user.email, released: true };
}
