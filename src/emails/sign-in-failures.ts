import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export interface SignInFailuresEmailProps {
  /** What was wrong each time. A wrong code came after the right password. */
  kind: 'password' | 'code';
  reset_url: string;
}

/** Somebody tries one password, or one code, after another. Once per burst. */
export async function renderSignInFailuresEmail({ kind, reset_url }: SignInFailuresEmailProps): Promise<RenderedEmail> {
  const password = kind === 'password';
  return renderOwnerMail({
    subject: password ? 'Wrong passwords for your account' : 'Wrong codes for your account',
    preview: 'Somebody may be trying to get into your Threshold account.',
    heading: password ? 'Somebody is trying passwords' : 'Somebody is trying codes',
    paragraphs: [
      password
        ? 'Within an hour several wrong passwords were given for your account. Nobody got in with them, and further tries have to wait. You can sign in as always; it may take a few seconds longer.'
        : 'Within an hour several wrong codes were given for your account. Whoever it was knows your password: if it was not you, choose another one.',
    ],
    action: { label: 'Choose a new password', href: reset_url },
    notes: ['If it was you, ignore this e-mail.'],
    why: 'You receive this e-mail because you have a Threshold account.',
  });
}
