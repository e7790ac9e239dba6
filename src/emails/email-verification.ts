import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface EmailVerificationEmailProps {
  verify_url: string;
  expires_in_minutes: number;
}

/** Renders the mail with the link that confirms an account's address. */
export async function renderEmailVerificationEmail(props: EmailVerificationEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: 'Confirm your email address',
    preview: 'Confirm that this address is yours.',
    heading: 'Confirm your email address',
    paragraphs: ['Welcome to Threshold. Please confirm that this address is yours.'],
    action: { label: 'Confirm my address', href: props.verify_url },
    notes: [
      `The link works for ${props.expires_in_minutes} minutes.`,
      'If you did not create an account, ignore this email. Opening the link changes nothing.',
    ],
    why: 'You receive this email because your address was used to create a Threshold account.',
  });
}
