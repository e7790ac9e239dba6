/**
 * Decides who operates the installation, which includes viewing and retrying its durable work.
 * OPERATOR_EMAILS lists the operators. Without it, the owners of the first team are the operators
 * if the database is embedded, because `npm start` created that team for the person who installed
 * it. With an external database there is no operator. If the first team is deleted no other team
 * inherits the role, because the next team may be a stranger's.
 */
import { config } from '@/config';
import { database } from '@/infra/db/client';
import { isInstallationFirstTeamAmong } from './repository';

interface Candidate {
  email: string;
  /** Must be true for an operator, because anyone can sign up with an operator's address. */
  email_verified: boolean;
}

interface Membership {
  organizationId: string;
  role: string;
  /** Whether the session satisfies the team's sign-in rules. */
  is_open: boolean;
}

/**
 * Returns whether the session's user is an operator. A listed operator's session must satisfy the
 * sign-in rules of all of the operator's teams: otherwise an operator could bypass them by joining
 * a team without rules. An owner's session must satisfy the first team's rules.
 */
export async function isOperator(user: Candidate, memberships: readonly Membership[]): Promise<boolean> {
  const { operator_emails } = config();
  if (operator_emails.length > 0) {
    const is_named = user.email_verified && operator_emails.includes(user.email.toLowerCase());
    return is_named && memberships.every(({ is_open }) => is_open);
  }
  if (!database().pglite) return false;
  const owned = memberships.filter(({ role, is_open }) => role === 'owner' && is_open);
  return isInstallationFirstTeamAmong(owned.map(({ organizationId }) => organizationId));
}
