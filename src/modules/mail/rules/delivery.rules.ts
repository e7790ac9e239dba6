/** Decides when a mail is retried, given up, or too old to be useful. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The delays after the first, second, … failure. Their sum is less than the lifetime of the
 * provider's key.
 */
const RETRY_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 8 * HOUR];

/** The provider stores idempotency keys for 24 hours. A later retry could send a second mail. */
const KEY_LIFETIME_MS = 23 * HOUR;

/** Mails with the signing link. */
export const LINK_MAILS = ['packet', 'reminder_24h', 'reminder_2h'] as const;

/** Mails to a guest, which are in the reservation's trail. */
export const GUEST_MAILS = [...LINK_MAILS, 'one_time_code', 'signed_copy'] as const;

/** The facts of a mail in a report. */
export interface ReportedMail {
  id: string;
  team_id: string | null;
  mode: 'live' | 'test' | null;
  reservation_id: string | null;
  template: string;
  to: string;
}

/** The result of a queued mail, which is recorded in the trail of its object. */
export interface MailReport {
  type: 'mail.delivered' | 'mail.bounced' | 'mail.complained' | 'mail.suppressed' | 'mail.failed';
  reason?: string;
}

/** Called at least once for each result (reservations/mail-reports.ts). */
export type OnMailReport = (mail: ReportedMail, report: MailReport) => Promise<void>;

/** The time for which mails of a template are useful. Other mails always are. */
const USEFUL_FOR_MS: Record<string, number> = {
  one_time_code: 10 * MINUTE,
  reminder_24h: 12 * HOUR,
  reminder_2h: 2 * HOUR,
  late_alert: 24 * HOUR,
  reset_password: HOUR,
};

export interface AttemptedMail {
  template: string;
  created_at: Date;
  /** Null before the first attempt. */
  first_attempted_at: Date | null;
}

/** Returns why a queued mail must not be sent any more, or null. */
export function findDropReason(mail: AttemptedMail, now: Date): string | null {
  const useful_for = USEFUL_FOR_MS[mail.template];
  if (useful_for !== undefined && now.getTime() - mail.created_at.getTime() > useful_for) {
    return 'It was too old to be of use when it could be sent.';
  }
  if (mail.first_attempted_at && now.getTime() - mail.first_attempted_at.getTime() > KEY_LIFETIME_MS) {
    return 'It was first tried too long ago to be tried again without the risk of sending it twice.';
  }
  return null;
}

/** The response of an SMTP server, and the command to which it responds. */
export interface SmtpReply {
  code: number;
  /** `CONN`, `EHLO`, `STARTTLS`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`. */
  command: string;
}

/** An error response of the provider. */
export interface ProviderError {
  name: string;
  message: string;
  /** Null without a response. */
  status: number | null;
  retry_after_s: number | null;
  /** The response of an SMTP server, if any. */
  reply?: SmtpReply | null;
}

/** A mail for the provider. */
export interface ProviderMail {
  /** Resend's idempotency key, which prevents a second mail. Part of the Message-ID by SMTP. */
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

export type ProviderAnswer = { ok: true; provider_id: string } | { ok: false; error: ProviderError };

/**
 * Returns whether the response is a 5xx about this recipient or mail. A 5xx about us (password,
 * sender, …) is not final, because the operator can fix its cause.
 */
const isFinalReply = ({ code, command }: SmtpReply) => code >= 500 && /^(?:RCPT|DATA)/i.test(command);

/** Returns whether the refusal will not change with time. */
function isFinal(error: ProviderError): boolean {
  const { status, name, reply } = error;
  if (reply) return isFinalReply(reply);
  if (status === null || status >= 500 || status === 429 || status === 408) return false;
  // A request with the same key is in progress, or the operator must correct the API key.
  if (name === 'concurrent_idempotent_requests' || status === 401 || status === 403) return false;
  return status >= 400;
}

/**
 * Returns when to retry after a failed attempt (included in `attempts`), or null to give up. The
 * time is never before the provider's Retry-After.
 */
export function getMailRetryTime(error: ProviderError, attempts: number, now: Date): Date | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (isFinal(error) || delay === undefined) return null;
  return new Date(now.getTime() + Math.max(delay, (error.retry_after_s ?? 0) * SECOND));
}
