/** The mails of this module: rendered and put into the queue that every mail goes through. */
import { config } from '@/config';
import { renderEmailVerificationEmail } from '@/emails/email-verification';
import { renderInvitationEmail } from '@/emails/invitation';
import { renderPasswordResetEmail } from '@/emails/password-reset';
import { renderSignInFailuresEmail } from '@/emails/sign-in-failures';
import { renderSignUpAttemptEmail } from '@/emails/sign-up-attempt';
import { queueAccountMail } from '@/modules/mail/service';
import { mailboxOf } from '@/shared/text/mailbox';
import { plainName } from '@/shared/text/plain-name';
import type { Role } from './schemas';
import { countUp } from './tallies/tally.repository';

/** How long the links work; auth.ts and members.service.ts hold to these. */
export const VERIFY_LINK_MINUTES = 24 * 60;
export const RESET_LINK_MINUTES = 60;
export const INVITATION_DAYS = 7;

export type AccountMail =
  | { template: 'verify_email'; to: string; url: string }
  | { template: 'reset_password'; to: string; url: string }
  | { template: 'sign_up_attempt'; to: string }
  | { template: 'sign_in_failures'; to: string; kind: 'password' | 'code' }
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
 * Mails of one kind to one address in an hour, so that nobody's mailbox is filled. After twenty in a day there is one an
 * hour: a stranger who requests many cannot keep the owner from a reset. Invitations have a limit of their own.
 */
const AN_HOUR = 5;
const A_DAY = 20;
const HOUR_MS = 3_600_000;

/** How long what a mail brings opens something. */
const SECRET_MINUTES: Partial<Record<AccountMail['template'], number>> = {
  verify_email: VERIFY_LINK_MINUTES,
  reset_password: RESET_LINK_MINUTES,
  invitation: INVITATION_DAYS * 24 * 60,
};

function render(mail: AccountMail) {
  const { app_url } = config();
  switch (mail.template) {
    case 'sign_up_attempt':
      return renderSignUpAttemptEmail({ sign_in_url: `${app_url}/sign-in`, reset_url: `${app_url}/reset-password` });
    case 'sign_in_failures':
      return renderSignInFailuresEmail({ kind: mail.kind, reset_url: `${app_url}/reset-password` });
    case 'verify_email':
      return renderEmailVerificationEmail({ verify_url: mail.url, expires_in_minutes: VERIFY_LINK_MINUTES });
    case 'reset_password':
      return renderPasswordResetEmail({ reset_url: mail.url, expires_in_minutes: RESET_LINK_MINUTES });
    case 'invitation':
      return renderInvitationEmail({
        team_name: plainName(mail.team_name, 'a team'),
        inviter_name: plainName(mail.inviter_name, 'Somebody'),
        role: mail.role,
        accept_url: mail.url,
        expires_in_days: INVITATION_DAYS,
      });
  }
}

async function mayMail(template: AccountMail['template'], to: string): Promise<boolean> {
  const subject = `mail:${template}:${mailboxOf(to)}`;
  if ((await countUp(subject, HOUR_MS)) > AN_HOUR) return false;
  // Only mail that leaves is counted here, for the day.
  if ((await countUp(`${subject}:day`, 24 * HOUR_MS)) <= A_DAY) return true;
  return (await countUp(`${subject}:after`, HOUR_MS)) <= 1;
}

/** Queues a mail about an account. It belongs to no team: a reset link is nobody's to read in a team's outbox. */
export async function sendAccountMail(mail: AccountMail): Promise<void> {
  const { template, to } = mail;
  if (template !== 'invitation' && !(await mayMail(template, to))) return;
  const id = template === 'invitation' ? mail.id : undefined;
  await queueAccountMail({ id, template, to, secret_minutes: SECRET_MINUTES[template], ...(await render(mail)) });
}
