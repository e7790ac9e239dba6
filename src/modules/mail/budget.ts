/**
 * One budget for all kinds of mail, so that no account can relay spam. The budget is counted in the
 * transaction that queues the mail, under the team's lock. A mail beyond the budget is refused,
 * delayed by a day, or stored as failed, depending on its kind (docs/operating.md).
 */
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './budget.repository';
import {
  DELAYABLE_MAILS,
  findBudgetRefusal,
  MAX_SHARED_LINK_ADDRESSES,
  MEMBER_MAILS,
  WINDOW_MS,
} from './rules/budget.rules';

/** Columns of a mail that may not be sent now. */
type Held = { due_at: Date } | { status: 'failed'; last_error: string } | Record<string, never>;

/**
 * Returns columns that hold a mail back, or an empty object when the mail may be sent. Throws
 * rate_limit_exceeded for mail that a person waits for or that is retried.
 */
export async function decideMailHold(
  of: Scope | { team_id: string },
  { template, to }: { template: string; to: string },
): Promise<Held> {
  const now = clock().now();
  const to_member = MEMBER_MAILS.includes(template);
  if ('actor' in of && !to_member) await repository.lockRecipient(of, to);
  const found = await repository.countRecentMails(of, to, now);
  const message = found && findBudgetRefusal(template, found.team, found.mailed, now);
  if (!message) return {};
  logger().warn({ team_id: of.team_id, template }, 'a mail is beyond the budget of its team or recipient');
  if (to_member) return { status: 'failed', last_error: String(message) };
  if (DELAYABLE_MAILS.includes(template)) return { due_at: new Date(now.getTime() + WINDOW_MS) };
  throw new AppError('rate_limit_exceeded', { message, retryAfter: 3_600 });
}

/**
 * Returns whether a reservation's share link may mail a code to an address. The host's consent is
 * for the guest, not for everyone who opens the link. Call it under the lock on the reservation's
 * codes.
 */
export async function canMailCodeTo(scope: Scope, reservation_id: string, to: string): Promise<boolean> {
  return (await repository.countOtherCodeAddresses(scope, reservation_id, to)) < MAX_SHARED_LINK_ADDRESSES;
}

/**
 * Throws rate_limit_exceeded when the team is beyond its budget. Call it before queueing an
 * account's mail about a team.
 */
export async function assertTeamMayMail(team_id: string, mail: { template: string; to: string }): Promise<void> {
  await decideMailHold({ team_id }, mail);
}
