import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface SignUpAttemptEmailProps {
  sign_in_url: string;
  reset_url: string;
}

/**
 * Renders the mail to the owner of an account after someone tried to sign up with its address. The
 * sign-up page does not reveal that the account exists.
 */
export async function renderSignUpAttemptEmail(props: SignUpAttemptEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: 'You already have a Threshold account',
    preview: 'Someone tried to create an account with your address.',
    heading: 'You already have an account',
    paragraphs: [
      'Someone, perhaps you, tried to create an account with this address. You already have one, and it has not changed.',
      `If you do not know its password, choose a new one: ${props.reset_url}`,
    ],
    action: { label: 'Sign in', href: props.sign_in_url },
    notes: ['If it was not you, you do not need to do anything.'],
    why: 'You receive this email because your address was used to create a Threshold account.',
  });
}
