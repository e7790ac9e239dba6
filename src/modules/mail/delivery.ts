/**
 * Sends a queued mail. The row's id is the provider's idempotency key, so that a process that dies after the provider
 * accepted and before the row says so repeats the request and nobody is mailed twice.
 */
import { logger } from '@/infra/logger';
import { holderToken } from '@/infra/process/processes';
import { CLOCK_SKEW_MS, clock } from '@/shared/clock';
import { storableText } from '@/shared/text/storable-text';
import { openContent, sealContent } from './content';
import { handToProvider } from './provider';
import * as queue from './queue.repository';
import { type MailAttachment, mailRetryAt, type OnFate, reasonToDrop } from './rules/delivery.rules';
import { maskSecrets } from './rules/mask.rules';

/** Longer than the provider is waited for. */
const LEASE_MS = 30_000;
const OBSOLETE = 'The reservation went on before it could be sent: its link would have been dead.';
const GONE = 'What was to go with it is no longer there.';

export type MailOutcome =
  | { outcome: 'sent' | 'suppressed' }
  | { outcome: 'failed'; reason: string }
  | { outcome: 'retry'; reason: string; retry_at: Date }
  /** It was sent meanwhile, or is in another's hands. */
  | { outcome: 'not_due' };

/** Opens the files that a mail's row names. Returns null when they are no longer there. This module does not know what they are. */
export type OpenAttachment = (
  mail: queue.ClaimedMail & { attachment: string },
) => Promise<readonly MailAttachment[] | null>;

/** Who can open attachments; a mail that names one is not sent without it. */
export interface MailHelpers {
  fated: OnFate;
  attachment: OpenAttachment;
}

/** Makes one attempt to send a mail. */
export async function sendMail(id: string, { fated, attachment }: MailHelpers): Promise<MailOutcome> {
  const now = clock().now();
  const mail = await queue.claimMail(id, now, new Date(now.getTime() + LEASE_MS), holderToken());
  if (!mail) {
    // Whoever made the attempt before may have died before the engine knew of the next one: this run makes it.
    const due_at = await queue.findLaterDue(id, now);
    return due_at ? { outcome: 'retry', reason: 'It is due later.', retry_at: due_at } : { outcome: 'not_due' };
  }
  if ((await queue.suppressedAmong([mail.to])).size > 0) return drop(mail, { outcome: 'suppressed' }, fated);
  const reason = (await queue.obsoleteAmong([id])).has(id) ? OBSOLETE : reasonToDrop(mail, now);
  if (reason) return drop(mail, { outcome: 'failed', reason }, fated);
  if (!mail.attachment) return handOver(mail, [], fated);
  const attached = await attachment({ ...mail, attachment: mail.attachment });
  return attached ? handOver(mail, attached, fated) : drop(mail, { outcome: 'failed', reason: GONE }, fated);
}

async function drop(
  mail: queue.ClaimedMail,
  outcome: { outcome: 'suppressed' } | { outcome: 'failed'; reason: string },
  fated: OnFate,
): Promise<MailOutcome> {
  const { outcome: fate, ...why } = outcome;
  // Told first: who dies in between tells it again, and it is noted once.
  await fated(mail, { type: `mail.${fate}`, ...why });
  const last_error = outcome.outcome === 'failed' ? { last_error: outcome.reason } : {};
  await queue.storeMail(mail, { ...ended(mail), status: outcome.outcome, ...last_error });
  return outcome;
}

/** A mail that is not sent again has no more use for its secrets. */
function ended(mail: queue.ClaimedMail) {
  return { content: sealContent(maskSecrets(openContent(mail), mail.template)) };
}

async function handOver(
  mail: queue.ClaimedMail,
  attachments: readonly MailAttachment[],
  fated: OnFate,
): Promise<MailOutcome> {
  const { id, from, to, reply_to } = mail;
  const answer = await handToProvider({ id, from, to, reply_to, attachments, ...openContent(mail) });
  const now = clock().now();
  if (answer.ok) {
    const sent = { status: 'sent', provider_id: answer.provider_id, sent_at: now, last_error: null };
    await queue.storeMail(mail, { ...ended(mail), ...sent });
    return { outcome: 'sent' };
  }
  const { error } = answer;
  const retry_at = mailRetryAt(error, mail.attempts, now);
  const reason = storableText(`${error.name}: ${error.message}`, 500);
  logger().warn(
    { mail_id: id, error: reason, retry_at },
    retry_at ? 'a mail will be tried again' : 'a mail could not be sent',
  );
  if (!retry_at) return drop(mail, { outcome: 'failed', reason }, fated);
  // The run that made this attempt makes the next.
  await queue.storeMail(mail, { due_at: retry_at, wake_at: retry_at, last_error: reason });
  return { outcome: 'retry', reason, retry_at };
}

/** At most so many mails are asked for in one go. */
const ASKED_AT_ONCE = 200;

/** Asks for a run for each due mail that has none. `ask` may be repeated for a mail and an attempt. */
export async function askForMail(ask: (mails: queue.WaitingMail[]) => Promise<void>): Promise<void> {
  for (;;) {
    const now = clock().now();
    const waiting = await queue.findUnasked(now, ASKED_AT_ONCE);
    if (waiting.length === 0) return;
    await ask(waiting);
    // Noted only then: who dies in between has asked twice, not never.
    await queue.noteAsked(
      waiting.map(({ mail_id }) => mail_id),
      now,
    );
    if (waiting.length < ASKED_AT_ONCE) return;
  }
}

/** Runs that were asked for are lost: mails are asked for again, by events without an id. */
export const forgetAskedMails = queue.forgetAsked;
/** Puts right what a clock left behind that was ahead. */
export const pullBackMail = () => queue.pullBackFuture(clock().now(), CLOCK_SKEW_MS);
/** Frees what dead processes held. */
export const freeHeldMail = queue.freeHeldMail;
