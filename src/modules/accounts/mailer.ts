/** Renders account mails and adds them to the mail queue. */
import { config } from '@/config';
import { renderEmailAddressChangeEmail } from '@/emails/email-change';
import { renderEmailVerificationEmail } from '@/emails/email-verification';
import { renderInvitationEmail } from '@/emails/invitation';
import { renderPasswordResetEmail } from '@/emails/password-reset';
import { type AccountSecurityChange, renderSecurityChangeEmail } from '@/emails/security-change';
import { renderSignInFailuresEmail } from '@/emails/sign-in-failures';
import { renderSignUpAttemptEmail } from '@/emails/sign-up-attempt';
import { queueAccountMail } from '@/modules/mail/service';
import { normalizeMailboxAddress } from '@/shared/text/mailbox';
import { toSafeSenderName } from '@/shared/text/plain-name';
import { countAttemptAndGetWindowTotal } from './attempt-counters/attempt-counter.repository';
import type { Role } from './schemas';

/** The lifetimes of mailed links. auth.ts and members.service.ts use these values too. */
export const VERIFICATION_LINK_LIFETIME_MINUTES = 24 * 60;
export const PASSWORD_RESET_LINK_LIFETIME_MINUTES = 60;
export const EMAIL_CHANGE_LINK_LIFETIME_MINUTES = 60;
export const INVITATION_LIFETIME_DAYS = 7;

export type AccountMail =
  | { template: 'verify_email'; to: string; url: string }
  | { template: 'reset_password'; to: string; url: string }
  | { template: 'email_change'; to: string; url: string }
  | { template: 'sign_up_attempt'; to: string }
  | { template: 'sign_in_failures'; to: string; kind: 'password' | 'code' }
  | { template: 'security_change'; to: string; change: AccountSecurityChange; subject: string }
  | {
      template: 'invitation';
      id: string;
      to: string;
      team_name: string;
      inviter_name: string;
      role: Role;
      url: string;
    };

/**
 * Limits on mails of one kind to one address, which protect mailboxes from floods. After twenty
 * mails in a day, one mail an hour is still sent, so that a stranger who causes mails cannot
 * prevent the owner from resetting the password. Each kind of security change has its own count.
 * The notice of a changed address is always mailed. Invitations have a limit of their own.
 */
const MAX_PER_HOUR = 5;
const MAX_PER_DAY = 20;
const HOUR_MS = 3_600_000;

/** The lifetime in minutes of the secret in a mail, by template. */
const SECRET_MINUTES: Partial<Record<AccountMail['template'], number>> = {
  verify_email: VERIFICATION_LINK_LIFETIME_MINUTES,
  reset_password: PASSWORD_RESET_LINK_LIFETIME_MINUTES,
  email_change: EMAIL_CHANGE_LINK_LIFETIME_MINUTES,
  invitation: INVITATION_LIFETIME_DAYS * 24 * 60,
};

function render(mail: AccountMail) {
  const { app_url } = config();
  switch (mail.template) {
    case 'sign_up_attempt':
      return renderSignUpAttemptEmail({ sign_in_url: `${app_url}/sign-in`, reset_url: `${app_url}/reset-password` });
    case 'sign_in_failures':
      return renderSignInFailuresEmail({ kind: mail.kind, reset_url: `${app_url}/reset-password` });
    case 'email_change':
      return renderEmailAddressChangeEmail({
        confirm_url: mail.url,
        expires_in_minutes: EMAIL_CHANGE_LINK_LIFETIME_MINUTES,
      });
    case 'security_change':
      return renderSecurityChangeEmail({
        change: mail.change,
        subject: toSafeSenderName(mail.subject, '–'),
        sign_in_url: `${app_url}/sign-in`,
        reset_url: `${app_url}/reset-password`,
      });
    case 'verify_email':
      return renderEmailVerificationEmail({
        verify_url: mail.url,
        expires_in_minutes: VERIFICATION_LINK_LIFETIME_MINUTES,
      });
    case 'reset_password':
      return renderPasswordResetEmail({
        reset_url: mail.url,
        expires_in_minutes: PASSWORD_RESET_LINK_LIFETIME_MINUTES,
      });
    case 'invitation':
      return renderInvitationEmail({
        team_name: toSafeSenderName(mail.team_name, 'a team'),
        inviter_name: toSafeSenderName(mail.inviter_name, 'Somebody'),
        role: mail.role,
        accept_url: mail.url,
        expires_in_days: INVITATION_LIFETIME_DAYS,
      });
  }
}

async function mayMail(mail: AccountMail): Promise<boolean> {
  const change = mail.template === 'security_change' ? mail.change : null;
  if (mail.template === 'invitation' || change === 'email_changed') return true;
  const subject = `mail:${change ?? mail.template}:${normalizeMailboxAddress(mail.to)}`;
  if ((await countAttemptAndGetWindowTotal(subject, HOUR_MS)) > MAX_PER_HOUR) return false;
  // A mail refused by the hourly limit does not count toward the daily limit.
  if ((await countAttemptAndGetWindowTotal(`${subject}:day`, 24 * HOUR_MS)) <= MAX_PER_DAY) return true;
  return (await countAttemptAndGetWindowTotal(`${subject}:after`, HOUR_MS)) <= 1;
}

/**
 * Queues a mail about an account. The mail belongs to no team, so that no team can read a reset
 * link.
 */
export async function sendAccountMail(mail: AccountMail): Promise<void> {
  const { template, to } = mail;
  if (!(await mayMail(mail))) return;
  const id = template === 'invitation' ? mail.id : undefined;
  await queueAccountMail({ id, template, to, secret_minutes: SECRET_MINUTES[template], ...(await render(mail)) });
}
