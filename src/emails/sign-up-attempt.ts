import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface SignUpAttemptEmailProps {
  sign_in_url: string;
  reset_url: string;
}

/** Somebody signed up with an address that has an account. The page tells nobody; its owner is told here. */
export async function renderSignUpAttemptEmail(props: SignUpAttemptEmailProps): Promise<RenderedEmail> {
  return renderOwnerMail({
    subject: 'You already have a Threshold account',
    preview: 'Somebody tried to create an account with your address.',
    heading: 'You already have an account',
    paragraphs: [
      'Somebody, perhaps you, tried to create an account with this address. There is one already, and nothing about it has changed.',
      `If you do not know its password, choose a new one: ${props.reset_url}`,
    ],
    action: { label: 'Sign in', href: props.sign_in_url },
    notes: ['If it was not you, there is nothing to do.'],
    why: 'You receive this e-mail because your address was used to create a Threshold account.',
  });
}
