import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface EmailAddressChangeEmailProps {
  confirm_url: string;
  expires_in_minutes: number;
}

/**
 * Renders the mail with the link that confirms an account's new address. The mail contains no name,
 * because the address may belong to a stranger.
 */
export async function renderEmailAddressChangeEmail(props: EmailAddressChangeEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: 'Confirm your new email address',
    preview: 'Confirm that your Threshold account should use this address.',
    heading: 'Confirm your new email address',
    paragraphs: ['Someone asked to use this email address for their Threshold account. If it was you, confirm it.'],
    action: { label: 'Confirm this address', href: props.confirm_url },
    notes: [
      `The link works for ${props.expires_in_minutes} minutes.`,
      'If it was not you, ignore this email. Opening the link changes nothing.',
    ],
    why: 'You receive this email because your address was entered for a Threshold account.',
  });
}
