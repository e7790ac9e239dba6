/**
 * Sends queued mail. Each row's id is the provider's idempotency key, so that a process that dies after the provider
 * accepted and before the row says so repeats the request and nobody is mailed twice.
 */
import { logger } from '@/infra/logger';
import { clock } from '@/shared/clock';
import { openContent, sealContent } from './content';
import { mailRetryAt, reasonToDrop } from './delivery.rules';
import { maskSecrets } from './mask.rules';
import { handToProvider } from './provider';
import {
  type ClaimedMail,
  claimMail,
  endMailLeases,
  mailQueueState,
  obsoleteAmong,
  storeMail,
  suppressedAmong,
} from './queue.repository';

/** At once: the provider's own limit is a few requests a second. */
const BATCH = 4;
const LEASE_MS = 60_000;
const OBSOLETE = 'The reservation went on before it could be sent: its link would have been dead.';

export interface MailReport {
  sent: number;
  failed: number;
  /** The limit was reached: there may be more to do. */
  more: boolean;
}

/** Sends what is due, at most `limit` mails. */
export async function sendDueMail(limit = 100): Promise<MailReport> {
  const report: MailReport = { sent: 0, failed: 0, more: false };
  while (report.sent + report.failed < limit) {
    const now = clock().now();
    const mails = await claimMail(now, new Date(now.getTime() + LEASE_MS), BATCH);
    if (mails.length === 0) return report;
    const suppressed = await suppressedAmong(mails.map((mail) => mail.to));
    const obsolete = await obsoleteAmong(mails.map((mail) => mail.id));
    const sent = await Promise.all(
      mails.map((mail) => {
        if (suppressed.has(mail.to.toLowerCase())) return drop(mail, { status: 'suppressed' });
        const reason = obsolete.has(mail.id) ? OBSOLETE : reasonToDrop(mail, now);
        return reason ? drop(mail, { status: 'failed', last_error: reason }) : sendOne(mail);
      }),
    );
    for (const ok of sent) report[ok ? 'sent' : 'failed'] += 1;
  }
  return { ...report, more: true };
}

async function drop(mail: ClaimedMail, changes: { status: string; last_error?: string }): Promise<false> {
  await storeMail(mail, { ...ended(mail), ...changes });
  return false;
}

/** A mail that is not sent again has no more use for its secrets. */
function ended(mail: ClaimedMail) {
  return { content: sealContent(maskSecrets(openContent(mail), mail.template)), html: null, text: null };
}

/** Hands one over; whether the provider took it. */
async function sendOne(mail: ClaimedMail): Promise<boolean> {
  const { id, from, to } = mail;
  const answer = await handToProvider({ id, from, to, ...openContent(mail) });
  const now = clock().now();
  if (answer.ok) {
    await storeMail(mail, {
      ...ended(mail),
      status: 'sent',
      provider_id: answer.provider_id,
      sent_at: now,
      last_error: null,
    });
    return true;
  }
  const { error } = answer;
  const retry_at = mailRetryAt(error, mail.attempts, now);
  const last_error = `${error.name}: ${error.message}`.slice(0, 500);
  await storeMail(mail, retry_at ? { due_at: retry_at, last_error } : { ...ended(mail), status: 'failed', last_error });
  logger().warn(
    { mail_id: id, error: last_error, retry_at },
    retry_at ? 'a mail will be tried again' : 'a mail could not be sent',
  );
  return false;
}

/** Whether a mail could be sent now, and when the next one falls due. */
export const mailState = mailQueueState;
/** Frees what a dead predecessor held; only for a process that is alone on its database. */
export const freeHeldMail = endMailLeases;
