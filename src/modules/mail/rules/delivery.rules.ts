/** When a mail is tried again, when it is given up, and when it has lost its meaning. Pure. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits after the first, second, … failure. Their sum stays within the day for which the provider knows its keys. */
const RETRY_DELAYS_MS = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 8 * HOUR];

/** The provider keeps idempotency keys for 24 hours: beyond it a repeat could mail someone twice. */
const KEY_LIFETIME_MS = 23 * HOUR;

/** Mails that bring a guest the link to sign. */
export const LINK_MAILS = ['packet', 'reminder_24h', 'reminder_2h'] as const;

/** Mails to a guest; the others are not part of what happened with the guest. */
export const GUEST_MAILS = [...LINK_MAILS, 'one_time_code', 'signed_copy'] as const;

/** A mail as what it is about hears of it. */
export interface FatedMail {
  id: string;
  team_id: string | null;
  mode: 'live' | 'test' | null;
  reservation_id: string | null;
  template: string;
  to: string;
}

/** What became of a mail that was queued: entries of the trail of what it is about. */
export interface MailFate {
  type: 'mail.delivered' | 'mail.bounced' | 'mail.complained' | 'mail.suppressed' | 'mail.failed';
  reason?: string;
}

/** Told of each fate at least once; what it means there this module does not know (reservations/mail-reports.ts). */
export type OnFate = (mail: FatedMail, fate: MailFate) => Promise<void>;

/** How old a mail of a template may be and still make sense; others keep their sense. */
const USEFUL_FOR_MS: Record<string, number> = {
  one_time_code: 10 * MINUTE,
  reminder_24h: 12 * HOUR,
  reminder_2h: 2 * HOUR,
  late_alert: 24 * HOUR,
  reset_password: HOUR,
};

export interface TriedMail {
  template: string;
  created_at: Date;
  /** Null before the first attempt. */
  first_attempted_at: Date | null;
}

/** Why a queued mail must not be sent any more, or null. */
export function reasonToDrop(mail: TriedMail, now: Date): string | null {
  const useful_for = USEFUL_FOR_MS[mail.template];
  if (useful_for !== undefined && now.getTime() - mail.created_at.getTime() > useful_for) {
    return 'It was too old to be of use when it could be sent.';
  }
  if (mail.first_attempted_at && now.getTime() - mail.first_attempted_at.getTime() > KEY_LIFETIME_MS) {
    return 'It was first tried too long ago to be tried again without the risk of sending it twice.';
  }
  return null;
}

/** What an SMTP server said, and to which of the commands. */
export interface SmtpReply {
  code: number;
  /** `CONN`, `EHLO`, `STARTTLS`, `AUTH PLAIN`, `MAIL FROM`, `RCPT TO`, `DATA`. */
  command: string;
}

/** An answer of the provider that is not a success. */
export interface ProviderError {
  name: string;
  message: string;
  /** Null when no answer came. */
  status: number | null;
  retry_after_s: number | null;
  /** Of an SMTP server that answered. */
  reply?: SmtpReply | null;
}

/** A mail as it is handed over. */
export interface ProviderMail {
  /** Resend's idempotency key, by which the same id never leads to a second mail; part of the Message-ID by SMTP. */
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

/** What came of it. */
export type ProviderAnswer = { ok: true; provider_id: string } | { ok: false; error: ProviderError };

/** A 5xx about this recipient or this mail; one about us (name, password, sender, the connection) the operator puts right. */
const isFinalReply = ({ code, command }: SmtpReply) => code >= 500 && /^(?:RCPT|DATA)/i.test(command);

/** The provider's refusals that will not change by waiting. */
function isFinal(error: ProviderError): boolean {
  const { status, name, reply } = error;
  if (reply) return isFinalReply(reply);
  if (status === null || status >= 500 || status === 429 || status === 408) return false;
  // Another request with the same key is under way; and keys that the operator corrects in the configuration.
  if (name === 'concurrent_idempotent_requests' || status === 401 || status === 403) return false;
  return status >= 400;
}

/**
 * When to try again after a failed attempt (`attempts` counts it), or null to give up. The provider's own wish to wait
 * is heeded when it is longer.
 */
export function mailRetryAt(error: ProviderError, attempts: number, now: Date): Date | null {
  const delay = RETRY_DELAYS_MS[attempts - 1];
  if (isFinal(error) || delay === undefined) return null;
  return new Date(now.getTime() + Math.max(delay, (error.retry_after_s ?? 0) * SECOND));
}
