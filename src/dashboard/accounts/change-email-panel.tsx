'use client';
import { useTranslations } from 'use-intl/react';
import type { EmailAddressChangeView } from '@/modules/accounts/schemas';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { LinkButton } from '../ui/link-button';
import { postAuthRequest } from './auth-client';
import { AuthFormLayout } from './auth-form';
import { useFormSubmit } from './use-submit';

/** The page that a mail to a new address links to. Opening the page changes nothing. */
export function ChangeEmailPanel({ token, view: { email, state } }: { token: string; view: EmailAddressChangeView }) {
  const t = useTranslations('accounts');
  const { submit, pending, error } = useFormSubmit(async () => {
    await postAuthRequest('/confirm-email-change', { token });
    window.location.assign(paths.settings_section('security'));
  });
  const here = `/change-email?token=${encodeURIComponent(token)}`;
  return (
    <AuthFormLayout title={t('change_email')} lead={t(`lead_change_${state}`, { email })} error={error}>
      {state === 'open' ? (
        <Button size="lg" pending={pending} onClick={() => submit(undefined)}>
          {t('use_this_address')}
        </Button>
      ) : null}
      {state === 'sign_in' ? (
        <LinkButton size="lg" href={`${paths.sign_in}?next=${encodeURIComponent(here)}`}>
          {t('sign_in')}
        </LinkButton>
      ) : null}
    </AuthFormLayout>
  );
}
