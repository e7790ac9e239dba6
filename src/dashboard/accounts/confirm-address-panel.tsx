'use client';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import type { EmailConfirmationView } from '@/modules/accounts/schemas';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Link } from '../ui/link';
import { LinkButton } from '../ui/link-button';
import { postAuthRequest } from './auth-client';
import { AuthFormLayout, TEXT_LINK_CLASS_NAMES } from './auth-form';
import { useFormSubmit } from './use-submit';

interface Props {
  /** The secret token in the mailed link. */
  token: string;
  view: EmailConfirmationView;
}

/** The page that a confirmation mail links to. Opening the page changes nothing. */
export function ConfirmEmailAddressPanel({ token, view }: Props) {
  const t = useTranslations('accounts');
  const { email, name, state, this_browser } = view;
  const form = useForm<{ password: string }>({ defaultValues: { password: '' } });
  const { submit, pending, error } = useFormSubmit(async ({ password }: { password: string }) => {
    await postAuthRequest('/confirm-address', this_browser ? { token } : { token, password });
    // In a browser other than the one used to sign up, the form asks for the password, which is
    // then also used to sign in.
    const signed_in = this_browser
      ? null
      : await postAuthRequest<{ twoFactorRedirect?: boolean }>('/sign-in/email', { email, password }).catch(() => null);
    window.location.assign(signed_in && !signed_in.twoFactorRedirect ? paths.home : paths.confirmed(email));
  });
  const claim = useFormSubmit(async () => {
    const { url } = await postAuthRequest<{ url: string }>('/claim-address', { token });
    window.location.assign(url);
  });
  if (state === 'confirmed') {
    return (
      <AuthFormLayout title={t('your_address_is_confirmed')}>
        <LinkButton size="lg" href={paths.sign_in}>
          {t('sign_in')}
        </LinkButton>
      </AuthFormLayout>
    );
  }
  return (
    <AuthFormLayout
      title={t('confirm_this_address')}
      lead={t('lead_confirm', { email, name })}
      error={error ?? claim.error}
      onSubmit={form.handleSubmit(submit)}
      after={
        <div className="grid gap-3">
          <p>{t('not_your_account')}</p>
          <Button variant="secondary" pending={claim.pending} onClick={() => claim.submit(undefined)}>
            {t('choose_a_new_password')}
          </Button>
        </div>
      }
    >
      {this_browser ? null : (
        <Field
          label={t('password')}
          hint={t('password_of_another_browser')}
          error={form.formState.errors.password?.message}
        >
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              autoFocus
              {...form.register('password', { required: t('enter_your_password') })}
            />
          )}
        </Field>
      )}
      <Button type="submit" size="lg" pending={pending}>
        {t('confirm_address')}
      </Button>
    </AuthFormLayout>
  );
}

/** Shown for an unknown or expired link. */
export function ExpiredConfirmationLinkNotice({
  lead = 'lead_link_expired',
}: {
  lead?: 'lead_link_expired' | 'lead_change_expired';
}) {
  const t = useTranslations('accounts');
  return (
    <AuthFormLayout
      title={t('this_link_has_expired')}
      lead={t(lead)}
      after={
        lead === 'lead_link_expired' ? (
          <Link className={TEXT_LINK_CLASS_NAMES} href={paths.reset_password}>
            {t('reset_your_password')}
          </Link>
        ) : null
      }
    />
  );
}
