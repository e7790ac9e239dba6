/**
 * Who operates the installation, beyond owning a team in it: sees and retries its durable work. OPERATOR_EMAILS names
 * them. Without it: on the embedded database the owners of the first team, which is the one that `npm start` made for
 * whoever installed it; on an external one nobody. Where it is deleted nobody inherits that: the next may be a stranger's.
 */
import { config } from '@/config';
import { database } from '@/infra/db/client';
import { isFirstAmong } from './repository';

interface Candidate {
  email: string;
  /** An address that anyone could have typed names nobody. */
  email_verified: boolean;
}

export async function isOperator(
  user: Candidate,
  memberships: readonly { organizationId: string; role: string }[],
): Promise<boolean> {
  const { operator_emails } = config();
  if (operator_emails.length > 0) return user.email_verified && operator_emails.includes(user.email.toLowerCase());
  if (!database().pglite) return false;
  const owned = memberships.filter(({ role }) => role === 'owner').map(({ organizationId }) => organizationId);
  return isFirstAmong(owned);
}
