/**
 * Records users' actions on better-auth's own paths (signing in, passwords, two-factor) in the
 * audit log of each of their teams, and mails users about changes of their sign-in methods. A
 * failed write to the audit log is logged, and the action succeeds anyway.
 */

import type { AccountSecurityChange } from '@/emails/security-change';
import { logger } from '@/infra/logger';
import type { AuditAction, AuditEntryDetails } from '@/modules/audit-log/actions';
import { recordTeamAuditEntry } from '@/modules/audit-log/service';
import { sendAccountMail } from '../mailer';
import { findMembershipsOfUser } from '../repository';
import { CLIENT_IP_ADDRESS_HEADER } from '../session-headers';

export interface AuditedUser {
  id: string;
  name: string;
}

interface Owner extends AuditedUser {
  email: string;
}

/** Builds the headers from which `recordUserAuditEntry` reads the caller's IP address. */
export const buildClientIpHeaders = (ip: string | null): Headers =>
  new Headers(ip ? { [CLIENT_IP_ADDRESS_HEADER]: ip } : {});

/** Records what a user did on their own account. */
export async function recordUserAuditEntry(
  user: AuditedUser,
  action: AuditAction,
  headers: Headers | undefined,
  data: AuditEntryDetails = {},
): Promise<void> {
  try {
    const ip = headers?.get(CLIENT_IP_ADDRESS_HEADER) ?? null;
    const memberships = await findMembershipsOfUser(user.id);
    const entry = { action, actor: user.id, actor_name: user.name, object_id: user.id, ip, data };
    await recordTeamAuditEntry(...memberships.map(({ organizationId }) => ({ team_id: organizationId, ...entry })));
  } catch (error) {
    logger().error({ err: error, action }, 'the audit log could not be written');
  }
}

/** Records a change of a user's sign-in methods, and mails the user about it. */
export async function recordAndMailSecurityChange(
  user: Owner,
  change: AccountSecurityChange &
    ('password_changed' | 'password_reset' | `two_factor_${string}` | 'recovery_codes_renewed'),
  headers: Headers | undefined,
): Promise<void> {
  await recordUserAuditEntry(user, `user.${change}`, headers);
  await sendAccountMail({ template: 'security_change', to: user.email, change, subject: '' });
}

/** Paths on which a signed-in user changes their own sign-in methods. */
const OF_THE_SIGNED_IN: Record<string, Parameters<typeof recordAndMailSecurityChange>[1]> = {
  '/change-password': 'password_changed',
  '/two-factor/disable': 'two_factor_disabled',
  '/two-factor/generate-backup-codes': 'recovery_codes_renewed',
};

/**
 * Paths that open a session, or continue with a second factor if the account has one. The value is
 * the sign-in method.
 */
const SIGNS_IN: Record<string, string> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'password and code',
  '/two-factor/verify-backup-code': 'password and recovery code',
  '/passkey/verify-authentication': 'passkey',
};
/** Paths that sign in a user even if the browser already has a session. */
const ALWAYS_SIGNS_IN = new Set(['/sign-in/email', '/passkey/verify-authentication']);

type Session = { user: Owner & { twoFactorEnabled?: boolean | null } } | null;

/** Runs a browser's request and records its outcome. */
export async function runAuthRequestWithAudit(
  path: string,
  request: Request,
  answer: () => Promise<Response>,
  sessionOf: (headers: Headers) => Promise<Session>,
): Promise<Response> {
  const { headers } = request;
  const change = OF_THE_SIGNED_IN[path];
  const method = SIGNS_IN[path];
  if (!change && !method) return answer();
  // Signed-in users submit a code to turn two-factor on, which is not a sign-in.
  const before = ALWAYS_SIGNS_IN.has(path) ? null : await sessionOf(headers);
  const response = await answer();
  if (!response.ok) return response;
  if (change) {
    if (before) await recordAndMailSecurityChange(before.user, change, headers);
  } else if (before) {
    // Only a TOTP code turns two-factor on. A recovery code does not.
    if (path === '/two-factor/verify-totp' && !before.user.twoFactorEnabled)
      await recordAndMailSecurityChange(before.user, 'two_factor_enabled', headers);
  } else if (method) {
    const { user } = (await response.clone().json()) as { user?: AuditedUser };
    if (user) await recordUserAuditEntry(user, 'user.signed_in', headers, { with: method });
  }
  return response;
}
