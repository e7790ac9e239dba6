import { renderOwnerMail } from './owner-mail';
import type { RenderedEmail } from './render';

export type AccountSecurityChange =
  | 'passkey_added'
  | 'passkey_removed'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'recovery_codes_renewed'
  | 'password_changed'
  | 'password_reset'
  | 'email_change_requested'
  | 'email_changed'
  | 'sign_in_rules_changed'
  | 'assistant_connected';

export interface SecurityChangeEmailProps {
  change: AccountSecurityChange;
  /**
   * The name of the passkey, team or assistant, or the new address. Empty for changes without a
   * name.
   */
  subject: string;
  sign_in_url: string;
  reset_url: string;
}

const WORDS: Record<
  AccountSecurityChange,
  { subject: string; heading: string; happened: (subject: string) => string }
> = {
  passkey_added: {
    subject: 'A passkey was added to your account',
    heading: 'A passkey was added',
    happened: (name) => `The passkey “${name}” was added to your Threshold account. It can be used to sign in.`,
  },
  passkey_removed: {
    subject: 'A passkey was removed from your account',
    heading: 'A passkey was removed',
    happened: (name) => `The passkey “${name}” was removed from your Threshold account. It can no longer be used.`,
  },
  two_factor_enabled: {
    subject: 'Two-factor was turned on for your account',
    heading: 'Two-factor was turned on',
    happened: () =>
      'Signing in to your Threshold account now takes a code from an authenticator app after the password. All other sessions and connected assistants were ended.',
  },
  two_factor_disabled: {
    subject: 'Two-factor was turned off for your account',
    heading: 'Two-factor was turned off',
    happened: () => 'Signing in to your Threshold account with the password no longer takes a code.',
  },
  recovery_codes_renewed: {
    subject: 'Your recovery codes were replaced',
    heading: 'Your recovery codes were replaced',
    happened: () => 'New recovery codes were made for your Threshold account. The earlier ones no longer work.',
  },
  password_changed: {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    happened: () =>
      'The password of your Threshold account was changed. All other sessions and connected assistants were ended.',
  },
  password_reset: {
    subject: 'Your password was reset',
    heading: 'Your password was reset',
    happened: () =>
      'The password of your Threshold account was replaced through a reset link. All sessions and connected assistants were ended, and all passkeys were removed. Add your passkeys again under Settings → Security.',
  },
  sign_in_rules_changed: {
    subject: 'The sign-in rules of your team were changed',
    heading: 'Sign-in rules were changed',
    happened: (team) =>
      `An owner changed how members of the team “${team}” have to sign in. The audit log shows who, and what was changed.`,
  },
  assistant_connected: {
    subject: 'An assistant was connected to your account',
    heading: 'An assistant was connected',
    happened: (name) =>
      `The assistant “${name}” was connected to your Threshold account and can act for you. You can disconnect it under Settings → Sessions. A new password disconnects all assistants.`,
  },
  email_change_requested: {
    subject: 'Your email address is about to change',
    heading: 'A new email address was requested',
    happened: (address) =>
      `Someone signed in to your Threshold account asked to change its email address to ${address}. It changes once that address is confirmed.`,
  },
  email_changed: {
    subject: 'Your email address was changed',
    heading: 'Your email address was changed',
    happened: (address) =>
      `Your Threshold account now uses the email address ${address}. This address can no longer be used to sign in.`,
  },
};

/**
 * Renders the mail about a change to an account's sign-in methods, or about a newly connected
 * assistant. It is sent to the address that the account had before the change.
 */
export async function renderSecurityChangeEmail(props: SecurityChangeEmailProps): Promise<RenderedEmail> {
  const { subject, heading, happened } = WORDS[props.change];
  const after = props.change === 'email_changed';
  return renderOwnerMail({
    subject,
    preview: 'If it was not you, act now.',
    heading,
    paragraphs: [
      happened(props.subject),
      after
        ? 'If it was not you, contact the operator of this installation.'
        : 'If it was not you, choose a new password and check the passkeys in your security settings.',
    ],
    action: after
      ? { label: 'Sign in', href: props.sign_in_url }
      : { label: 'Choose a new password', href: props.reset_url },
    notes: ['If it was you, ignore this email.'],
    why: 'You receive this email because you have a Threshold account.',
  });
}
