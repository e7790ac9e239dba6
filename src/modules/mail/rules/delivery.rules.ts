/** Decides when to retry a mail, when to give up, and when a mail is too old to be useful. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The delay after each failed attempt. The sum is less than the lifetime of the provider's
 * idempotency key.
 */
const RETRY_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 8 * HOUR];

/**
 * The provider stores idempotency keys for 24 hours. A retry after that could send the mail twice.
 */
const KEY_LIFETIME_MS = 23 * HOUR;

/** Templates of mails that contain the signing link. */
export const SIGNING_LINK_MAIL_TEMPLATES = ['packet', 'reminder_24h', 'reminder_2h'] as const;

/** Templates of mails to a guest. The reservation's trail records these mails. */
export const GUEST_MAIL_TEMPLATES = [...SIGNING_LINK_MAIL_TEMPLATES, 'one_time_code', 'signed_copy'] as const;

/** The mail that a report is about. */
export interface MailNamedInDeliveryReport {
  id: string;
  team_id: string | null;
  mode: 'live' | 'test' | null;
  reservation_id: string | null;
  template: string;
  to: string;
}

/** The result of sending a mail. The reservation's trail records it. */
export interface MailDeliveryReport {
  type: 'mail.delivered' | 'mail.bounced' | 'mail.complained' | 'mail.suppressed' | 'mail.failed';
  reason?: string;
}

/** Called at least once for each result of a mail (reservations/mail-reports.ts). */
export type MailDeliveryReportHandler = (mail: MailNamedInDeliveryReport, report: MailDeliveryReport) => Promise<void>;

/** How long a mail is useful, by template. Mails of other templates are always useful. */
const USEFUL_FOR_MS: Record<string, number> = {
  one_time_code: 10 * MINUTE,
  reminder_24h: 12 * HOUR,
  reminder_2h: 2 * HOUR,
  late_alert: 24 * HOUR,
  reset_password: HOUR,
};

export interface MailAwaitingDeliveryAttempt {
  template: string;
  created_at: Date;
  /** Null before the first attempt. */
  first_attempted_at: Date | null;
}

/** Returns why a queued mail must not be sent any more, or null. */
export function findMailDropReason(mail: MailAwaitingDeliveryAttempt, now: Date): string | null {
  const useful_for = USEFUL_FOR_MS[mail.template];
  if (useful_for !== undefined && now.getTime() - mail.created_at.getTime() > useful_for) {
    return 'It was too old to be of use when it could be sent.';
  }
  if (mail.first_attempted_at && now.getTime() - mail.first_attempted_at.getTime() > KEY_LIFETIME_MS) {
    return 'It was first tried too long ago to be tried again without the risk of sending it twice.';
  }
  return null;
}

/** The response of an SMTP server, and the command that it answers. */
export interface SmtpReply {
  code: number;
  /** One of `CONN`, `EHLO`, `STARTTLS`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`. */
  command: string;
}

/** An error response of the provider. */
export interface MailProviderError {
  name: string;
  message: string;
  /** The HTTP status. Null when there was no response. */
  status: number | null;
  retry_after_s: number | null;
  /** The response of the SMTP server. Absent or null for other errors. */
  reply?: SmtpReply | null;
}

/** A mail in the form in which the provider receives it. */
export interface MailProviderRequest {
  /**
   * The idempotency key for Resend, which prevents duplicates. For SMTP it is part of the
   * Message-ID.
   */
  id: string;
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  reply_to: string | null;
  attachments: readonly MailAttachment[];
}

export interface MailAttachment {
  filename: string;
  content: Uint8Array;
}

export type MailProviderResponse = { ok: true; provider_id: string } | { ok: false; error: MailProviderError };

/**
 * Returns whether the response rejects this recipient or this mail permanently. A 5xx response to
 * any other command, for example because of a wrong password, is not final, because the operator
 * can fix the cause.
 */
const isFinalReply = ({ code, command }: SmtpReply) => code >= 500 && /^(?:RCPT|DATA)/i.test(command);

/** Returns whether a retry cannot succeed. */
function isFinal(error: MailProviderError): boolean {
  const { status, name, reply } = error;
  if (reply) return isFinalReply(reply);
  if (status === null || status >= 500 || status === 429 || status === 408) return false;
  // Not final: another request with the same key is in progress, or the operator has to correct the
  // API key.
  if (name === 'concurrent_idempotent_requests' || status === 401 || status === 403) return false;
  return status >= 400;
}

/**
 * Returns the time of the next attempt, or null to give up. `attempts` includes the failed attempt.
 * The time is never earlier than the provider's Retry-After.
 */
export function getMailRetryTime(error: MailProviderError, attempts: number, now: Date): Date | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (isFinal(error) || delay === undefined) return null;
  return new Date(now.getTime() + Math.max(delay, (error.retry_after_s ?? 0) * SECOND));
}
