/** The mails of this module: rendered and put into the queue that every mail goes through. */
import { renderEmailVerificationEmail } from '@/emails/email-verification';
import { renderInvitationEmail } from '@/emails/invitation';
import { renderPasswordResetEmail } from '@/emails/password-reset';
import { queueAccountMail } from '@/modules/mail/service';
import type { Role } from './schemas';

/** How long the links work; auth.ts and members.service.ts hold to these. */
export const VERIFY_LINK_MINUTES = 24 * 60;
export const RESET_LINK_MINUTES = 60;
export const INVITATION_DAYS = 7;

export type AccountMail =
  | { template: 'verify_email'; to: string; url: string }
  | { template: 'reset_password'; to: string; url: string }
  | { template: 'invitation'; to: string; team_name: string; inviter_name: string; role: Role; url: string };

function render(mail: AccountMail) {
  switch (mail.template) {
    case 'verify_email':
      return renderEmailVerificationEmail({ verify_url: mail.url, expires_in_minutes: VERIFY_LINK_MINUTES });
    case 'reset_password':
      return renderPasswordResetEmail({ reset_url: mail.url, expires_in_minutes: RESET_LINK_MINUTES });
    case 'invitation':
      return renderInvitationEmail({
        team_name: mail.team_name,
        inviter_name: mail.inviter_name,
        role: mail.role,
        accept_url: mail.url,
        expires_in_days: INVITATION_DAYS,
      });
  }
}

/** Queues a mail about an account. It belongs to no team: a reset link is nobody's to read in a team's outbox. */
export async function sendAccountMail(mail: AccountMail): Promise<void> {
  await queueAccountMail({ template: mail.template, to: mail.to, ...(await render(mail)) });
}
