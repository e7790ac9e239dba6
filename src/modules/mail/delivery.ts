/**
 * Sends a queued mail. A conditional update begins an attempt, so that only one of several
 * concurrent callers makes it. The row's id is the provider's idempotency key. If a process dies
 * after the provider accepted the mail, the repeated request sends no second mail.
 */
import { logger } from '@/infra/logger';
import { CLOCK_SKEW_MS, clock } from '@/shared/clock';
import { toStorableText } from '@/shared/text/storable-text';
import { openContent, sealContent } from './content';
import { sendViaProvider } from './provider';
import * as queue from './queue.repository';
import { findDropReason, getMailRetryTime, type MailAttachment, type OnMailReport } from './rules/delivery.rules';
import { maskSecrets } from './rules/mask.rules';

/**
 * The time after which a mail is due again if its attempt has no result. Longer than the provider's
 * timeout.
 */
const ATTEMPT_MS = 30_000;
const OBSOLETE = 'The reservation went on before it could be sent: its link would have been dead.';
const GONE = 'What was to go with it is no longer there.';

export type MailOutcome =
  | { outcome: 'sent' | 'suppressed' }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'retry'; reason: string; retry_at: Date }
  /** The mail was sent meanwhile, or must not be sent any more. */
  | { outcome: 'not_due' };

/** Opens the files that a mail's row references. Returns null when they no longer exist. */
export type OpenAttachment = (
  mail: queue.QueuedMail & { attachment: string },
) => Promise<readonly MailAttachment[] | null>;

/** Callbacks that the modules above this one provide. A mail is not sent without its attachment. */
export interface MailCallbacks {
  fated: OnMailReport;
  attachment: OpenAttachment;
}

/** Makes one attempt to send a mail. */
export async function sendMail(id: string, { fated, attachment }: MailCallbacks): Promise<MailOutcome> {
  const now = clock().now();
  const mail = await queue.beginAttempt(id, now, new Date(now.getTime() + ATTEMPT_MS));
  if (!mail) {
    // The process of the previous attempt may have died before the engine knew the next due time.
    const due_at = await queue.findDueTime(id);
    return due_at ? { outcome: 'retry', reason: 'It is due later.', retry_at: due_at } : { outcome: 'not_due' };
  }
  if ((await queue.findSuppressedAddresses([mail.to])).size > 0) return drop(mail, { outcome: 'suppressed' }, fated);
  const reason = (await queue.findObsoleteMails([id])).has(id) ? OBSOLETE : findDropReason(mail, now);
  if (reason) return drop(mail, { outcome: 'failed', reason }, fated);
  if (!mail.attachment) return handOver(mail, [], fated);
  const attached = await attachment({ ...mail, attachment: mail.attachment });
  return attached ? handOver(mail, attached, fated) : drop(mail, { outcome: 'failed', reason: GONE }, fated);
}

async function drop(
  mail: queue.QueuedMail,
  outcome: { outcome: 'suppressed' } | { outcome: 'failed'; reason: string },
  fated: OnMailReport,
): Promise<MailOutcome> {
  const { outcome: fate, ...why } = outcome;
  // The report comes first. If the process dies in between, the mail is reported again and recorded
  // once.
  await fated(mail, { type: `mail.${fate}`, ...why });
  const last_error = outcome.outcome === 'failed' ? { last_error: outcome.reason } : {};
  await queue.storeMail(mail, { ...ended(mail), status: outcome.outcome, ...last_error });
  return outcome;
}

/** Returns the content without secrets, for a mail that will not be sent again. */
function ended(mail: queue.QueuedMail) {
  return { content: sealContent(maskSecrets(openContent(mail), mail.template)) };
}

async function handOver(
  mail: queue.QueuedMail,
  attachments: readonly MailAttachment[],
  fated: OnMailReport,
): Promise<MailOutcome> {
  const { id, from, to, reply_to } = mail;
  const answer = await sendViaProvider({ id, from, to, reply_to, attachments, ...openContent(mail) });
  const now = clock().now();
  if (answer.ok) {
    const sent = { status: 'sent', provider_id: answer.provider_id, sent_at: now, last_error: null };
    await queue.storeMail(mail, { ...ended(mail), ...sent });
    return { outcome: 'sent' };
  }
  const { error } = answer;
  const retry_at = getMailRetryTime(error, mail.attempts, now);
  const reason = toStorableText(`${error.name}: ${error.message}`, 500);
  logger().warn(
    { mail_id: id, error: reason, retry_at },
    retry_at ? 'a mail will be retried' : 'a mail could not be sent',
  );
  if (!retry_at) return drop(mail, { outcome: 'failed', reason }, fated);
  // The run that made this attempt also makes the next one.
  await queue.storeMail(mail, { due_at: retry_at, last_error: reason });
  return { outcome: 'retry', reason, retry_at };
}

/** Returns mails that became due after `since` and were never tried. */
export const findNewMails = (since: Date) => queue.findDueQueuedMails(clock().now(), since);

/** The most mails found by one query. The next query finds the rest. */
const OVERDUE_AT_ONCE = 1_000;

/** Returns mails that are due, whether or not a run exists for them. */
export function findDueMails() {
  return queue.findDueQueuedMails(clock().now(), null, OVERDUE_AT_ONCE);
}

/** Reschedules mails that are dated in the future because the clock was wrong. */
export function rescheduleFutureDatedMails(): Promise<void> {
  const now = clock().now();
  return queue.rescheduleFutureDated(now, new Date(now.getTime() + ATTEMPT_MS), CLOCK_SKEW_MS);
}

/** Makes mails due whose attempts were in progress when the only process died. */
export const recoverMailAttempts = () => queue.endAttempts(clock().now());
