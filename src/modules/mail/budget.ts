/**
 * Limits the number of mails from a team and to a recipient, so that no account can send spam. All
 * kinds of mail share one budget. Mails are counted in the transaction that queues a mail, while
 * the team is locked. Depending on its kind, a mail beyond the budget is refused, delayed by a day,
 * or stored as failed (docs/operating.md).
 */
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { AppError } from '@/shared/errors';
import type { Scope } from '@/shared/scope';
import * as repository from './budget.repository';
import {
  DELAYABLE_MAIL_TEMPLATES,
  findMailBudgetRefusal,
  MAIL_BUDGET_WINDOW_MS,
  MAX_CODE_RECIPIENTS_PER_SHARE_LINK,
  MEMBER_MAIL_TEMPLATES,
} from './rules/budget.rules';

/** Columns of a mail that delay it or mark it as failed. Empty when the mail may be sent. */
type Held = { due_at: Date } | { status: 'failed'; last_error: string } | Record<string, never>;

/**
 * Returns the columns for a mail beyond the budget, which is delayed or marked as failed. Returns
 * an empty object for a mail within the budget. Throws rate_limit_exceeded for kinds of mail that
 * are neither delayed nor marked as failed.
 */
export async function buildMailColumnsIfBudgetExceeded(
  of: Scope | { team_id: string },
  { template, to }: { template: string; to: string },
): Promise<Held> {
  const now = clock().now();
  const to_member = MEMBER_MAIL_TEMPLATES.includes(template);
  if ('actor' in of && !to_member) await repository.lockRecipientEmailAddress(of, to);
  const found = await repository.countMailsInBudgetWindow(of, to, now);
  const message = found && findMailBudgetRefusal(template, found.team, found.mailed, now);
  if (!message) return {};
  logger().warn({ team_id: of.team_id, template }, 'a mail is beyond the budget of its team or recipient');
  if (to_member) return { status: 'failed', last_error: String(message) };
  if (DELAYABLE_MAIL_TEMPLATES.includes(template)) return { due_at: new Date(now.getTime() + MAIL_BUDGET_WINDOW_MS) };
  throw new AppError('rate_limit_exceeded', { message, retryAfter: 3_600 });
}

/**
 * Returns whether a reservation's share link may mail a code to the address. The number of
 * addresses is limited, because anyone may open a share link. Call it while the reservation's codes
 * are locked.
 */
export async function canMailOneTimeCodeToAddress(scope: Scope, reservation_id: string, to: string): Promise<boolean> {
  return (
    (await repository.countOneTimeCodeRecipientsExceptAddress(scope, reservation_id, to)) <
    MAX_CODE_RECIPIENTS_PER_SHARE_LINK
  );
}

/**
 * Throws rate_limit_exceeded when the team is beyond its budget. Call it before queueing an account
 * mail for which the team is responsible.
 */
export async function assertTeamWithinMailBudget(
  team_id: string,
  mail: { template: string; to: string },
): Promise<void> {
  await buildMailColumnsIfBudgetExceeded({ team_id }, mail);
}
