import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface PasswordResetEmailProps {
  reset_url: string;
  expires_in_minutes: number;
}

export async function renderPasswordResetEmail(props: PasswordResetEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: 'Set a new password for Threshold',
    preview: `The link works for ${props.expires_in_minutes} minutes.`,
    heading: 'Set a new password',
    paragraphs: ['Someone, hopefully you, asked to set a new password for your Threshold account.'],
    action: { label: 'Set a new password', href: props.reset_url },
    notes: [
      `The link works once, for ${props.expires_in_minutes} minutes.`,
      'A new password signs you out everywhere and removes all passkeys from the account.',
      'If you did not ask for it, ignore this email. Your password does not change.',
    ],
    why: 'You receive this email because your address belongs to a Threshold account.',
  });
}
