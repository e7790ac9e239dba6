import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface SignInFailuresEmailProps {
  /** The input that was wrong. The code is only checked after a correct password. */
  kind: 'password' | 'code';
  reset_url: string;
}

/**
 * Renders the mail about repeated wrong passwords or codes. It is sent once for a series of
 * attempts.
 */
export async function renderSignInFailuresEmail({ kind, reset_url }: SignInFailuresEmailProps): Promise<RenderedEmail> {
  const password = kind === 'password';
  return renderOwnerMail({
    subject: password ? 'Wrong passwords for your account' : 'Wrong codes for your account',
    preview: 'Someone may be trying to sign in to your Threshold account.',
    heading: password ? 'Someone is trying passwords' : 'Someone is trying codes',
    paragraphs: [
      password
        ? 'Several wrong passwords were entered for your account within an hour. None of them worked, and further attempts are delayed. You can still sign in, though it may take a few seconds longer.'
        : 'Several wrong codes were entered for your account within an hour. Whoever entered them knows your password. If it was not you, choose a new one.',
    ],
    action: { label: 'Choose a new password', href: reset_url },
    notes: ['If it was you, ignore this email.'],
    why: 'You receive this email because you have a Threshold account.',
  });
}
