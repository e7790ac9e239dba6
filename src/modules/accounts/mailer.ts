/**
 * How this module's mails leave: the server registers a function at start, so that accounts and mail do not import
 * each other. Shared by both module copies of the process.
 */
import { logger } from '@/infra/logger';

export type AccountMail =
  | { template: 'verify_email'; to: string; name: string; url: string }
  | { template: 'reset_password'; to: string; name: string; url: string }
  | { template: 'invitation'; to: string; team_id: string; team_name: string; inviter_name: string; url: string };

export type AccountMailer = (mail: AccountMail) => Promise<void>;

const slot = globalThis as typeof globalThis & { __thresholdAccountMailer?: AccountMailer };

/** Registers the function that sends account mails. */
export function setAccountMailer(mailer: AccountMailer): void {
  slot.__thresholdAccountMailer = mailer;
}

/** Hands a mail to the registered mailer. Without one the mail is dropped with a warning: a sign-up must not fail for it. */
export async function sendAccountMail(mail: AccountMail): Promise<void> {
  if (slot.__thresholdAccountMailer) return slot.__thresholdAccountMailer(mail);
  logger().warn({ template: mail.template }, 'no account mailer is registered: a mail was not sent');
}
