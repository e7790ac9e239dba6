/**
 * Sends a queued mail. A conditional update starts each attempt, so that only one of several
 * concurrent callers makes it. The row's id is the provider's idempotency key. If a process crashes
 * after the provider accepted the mail, the repeated request therefore does not send the mail
 * twice.
 */
import { logger } from '@/infra/logger';
import { clock, MAX_CLOCK_SKEW_MS } from '@/shared/clock';
import { toStorableText } from '@/shared/text/storable-text';
import { decryptMailContent, encryptMailContent } from './content';
import { sendMailViaProvider } from './provider';
import * as queue from './queue.repository';
import {
  findMailDropReason,
  getMailRetryTime,
  type MailAttachment,
  type MailDeliveryReportHandler,
} from './rules/delivery.rules';
import { maskMailLinksAndCodes } from './rules/mask.rules';

/**
 * A mail is due again after this time if its attempt has no result. Longer than the provider's
 * timeout.
 */
const ATTEMPT_MS = 30_000;
const OBSOLETE = 'The reservation went on before it could be sent: its link would have been dead.';
const GONE = 'What was to go with it is no longer there.';

export type MailOutcome =
  | { outcome: 'sent' | 'suppressed' }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'retry'; reason: string; retry_at: Date }
  /** The mail was sent already, or must not be sent any more. */
  | { outcome: 'not_due' };

/**
 * Loads the files to attach. Returns null when they no longer exist, and the mail is then not sent.
 */
export type MailAttachmentLoader = (
  mail: queue.QueuedMail & { attachment: string },
) => Promise<readonly MailAttachment[] | null>;

/** Callbacks of the modules that depend on this one. */
export interface MailDeliveryCallbacks {
  onReport: MailDeliveryReportHandler;
  attachment: MailAttachmentLoader;
}

/** Makes one attempt to send a mail. */
export async function attemptMailDelivery(
  id: string,
  { onReport, attachment }: MailDeliveryCallbacks,
): Promise<MailOutcome> {
  const now = clock().now();
  const mail = await queue.beginMailAttempt(id, now, new Date(now.getTime() + ATTEMPT_MS));
  if (!mail) {
    // If the previous attempt crashed without a result, the mail is queued but not due yet.
    const due_at = await queue.findMailDueTime(id);
    return due_at ? { outcome: 'retry', reason: 'It is due later.', retry_at: due_at } : { outcome: 'not_due' };
  }
  if ((await queue.findSuppressedEmailAddresses([mail.to])).size > 0)
    return drop(mail, { outcome: 'suppressed' }, onReport);
  const reason = (await queue.findMailsWithObsoleteSigningLink([id])).has(id)
    ? OBSOLETE
    : findMailDropReason(mail, now);
  if (reason) return drop(mail, { outcome: 'failed', reason }, onReport);
  if (!mail.attachment) return handOver(mail, [], onReport);
  const attached = await attachment({ ...mail, attachment: mail.attachment });
  return attached ? handOver(mail, attached, onReport) : drop(mail, { outcome: 'failed', reason: GONE }, onReport);
}

async function drop(
  mail: queue.QueuedMail,
  outcome: { outcome: 'suppressed' } | { outcome: 'failed'; reason: string },
  onReport: MailDeliveryReportHandler,
): Promise<MailOutcome> {
  const { outcome: fate, ...why } = outcome;
  // The outcome is reported before the status is stored. If the process crashes in between, the
  // mail is reported twice, and the receiver ignores the second report.
  await onReport(mail, { type: `mail.${fate}`, ...why });
  const last_error = outcome.outcome === 'failed' ? { last_error: outcome.reason } : {};
  await queue.saveMailAttemptResult(mail, { ...ended(mail), status: outcome.outcome, ...last_error });
  return outcome;
}

/** Returns the content to store for a mail that is finished, without links and codes. */
function ended(mail: queue.QueuedMail) {
  return { content: encryptMailContent(maskMailLinksAndCodes(decryptMailContent(mail), mail.template)) };
}

async function handOver(
  mail: queue.QueuedMail,
  attachments: readonly MailAttachment[],
  onReport: MailDeliveryReportHandler,
): Promise<MailOutcome> {
  const { id, from, to, reply_to } = mail;
  const answer = await sendMailViaProvider({ id, from, to, reply_to, attachments, ...decryptMailContent(mail) });
  const now = clock().now();
  if (answer.ok) {
    const sent = { status: 'sent', provider_id: answer.provider_id, sent_at: now, last_error: null };
    await queue.saveMailAttemptResult(mail, { ...ended(mail), ...sent });
    return { outcome: 'sent' };
  }
  const { error } = answer;
  const retry_at = getMailRetryTime(error, mail.attempts, now);
  const reason = toStorableText(`${error.name}: ${error.message}`, 500);
  logger().warn(
    { mail_id: id, error: reason, retry_at },
    retry_at ? 'a mail will be retried' : 'a mail could not be sent',
  );
  if (!retry_at) return drop(mail, { outcome: 'failed', reason }, onReport);
  // The engine's run that made this attempt also makes the next one.
  await queue.saveMailAttemptResult(mail, { due_at: retry_at, last_error: reason });
  return { outcome: 'retry', reason, retry_at };
}

/** Returns mails that became due after `since` and have had no attempt. */
export const findUnattemptedMailsDueSince = (since: Date) => queue.findDueQueuedMails(clock().now(), since);

/** The maximum number of mails per query. The next query returns the rest. */
const OVERDUE_AT_ONCE = 1_000;

/** Returns all due mails, even if the durable engine has no run for them. */
export function findDueMails() {
  return queue.findDueQueuedMails(clock().now(), null, OVERDUE_AT_ONCE);
}

/** Reschedules mails that a wrong clock dated in the future. */
export function rescheduleMailsDatedByFastClock(): Promise<void> {
  const now = clock().now();
  return queue.rescheduleQueuedMailsDatedByFastClock(now, new Date(now.getTime() + ATTEMPT_MS), MAX_CLOCK_SKEW_MS);
}

/** Makes mails with unfinished attempts due at once. Called after a restart of the only process. */
export const recoverUnfinishedMailAttempts = () => queue.makeUnfinishedMailAttemptsDue(clock().now());
