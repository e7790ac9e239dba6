/**
 * What better-auth's own paths do, in the audit log of every team the user is in: signing in, passwords, two-factor. An
 * entry that cannot be written is logged and keeps nobody out.
 */
import { logger } from '@/infra/logger';
import type { AuditAction, AuditDetails } from '@/modules/audit-log/actions';
import { recordTeamAudit } from '@/modules/audit-log/service';
import { findMemberships } from '../repository';
import { CLIENT_ADDRESS_HEADER } from '../session-headers';

interface Person {
  id: string;
  name: string;
}

/** Notes what a user did about their own account. */
export async function recordUserAudit(
  user: Person,
  action: AuditAction,
  headers: Headers | undefined,
  data: AuditDetails = {},
): Promise<void> {
  try {
    const ip = headers?.get(CLIENT_ADDRESS_HEADER) ?? null;
    const memberships = await findMemberships(user.id);
    const note = { action, actor: user.id, actor_name: user.name, object_id: user.id, ip, data };
    await recordTeamAudit(...memberships.map(({ organizationId }) => ({ team_id: organizationId, ...note })));
  } catch (error) {
    logger().error({ err: error, action }, 'the audit log could not be written');
  }
}

/** Paths that act for whoever is signed in. */
const OF_THE_SIGNED_IN: Record<string, AuditAction> = {
  '/change-password': 'user.password_changed',
  '/two-factor/disable': 'user.two_factor_disabled',
  '/two-factor/generate-backup-codes': 'user.recovery_codes_renewed',
};

/** Paths that open a session, and by what. The first of them opens none when a second factor is asked for. */
const SIGNS_IN: Record<string, string> = {
  '/sign-in/email': 'password',
  '/two-factor/verify-totp': 'password and code',
  '/two-factor/verify-backup-code': 'password and recovery code',
};

type Session = { user: Person & { twoFactorEnabled?: boolean | null } } | null;

/** Answers a request of a browser and notes what came of it. */
export async function withAuditOf(
  path: string,
  request: Request,
  answer: () => Promise<Response>,
  sessionOf: (headers: Headers) => Promise<Session>,
): Promise<Response> {
  const { headers } = request;
  const action = OF_THE_SIGNED_IN[path];
  const method = SIGNS_IN[path];
  if (!action && !method) return answer();
  // A code is asked for in two places: to sign in, and, by someone signed in, to turn two-factor on.
  const before = path === '/sign-in/email' ? null : await sessionOf(headers);
  const response = await answer();
  if (!response.ok) return response;
  if (action) {
    if (before) await recordUserAudit(before.user, action, headers);
  } else if (before) {
    if (!before.user.twoFactorEnabled) await recordUserAudit(before.user, 'user.two_factor_enabled', headers);
  } else if (method) {
    const { user } = (await response.clone().json()) as { user?: Person };
    if (user) await recordUserAudit(user, 'user.signed_in', headers, { with: method });
  }
  return response;
}
