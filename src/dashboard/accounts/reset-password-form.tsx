'use client';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Link } from '../ui/link';
import { LinkButton } from '../ui/link-button';
import { postAuthRequest } from './auth-client';
import { AuthFormLayout, TEXT_LINK_CLASS_NAMES } from './auth-form';
import { useFormSubmit } from './use-submit';

function Back() {
  const t = useTranslations('accounts');
  return (
    <Link className={TEXT_LINK_CLASS_NAMES} href={paths.sign_in}>
      {t('back_to_sign_in')}
    </Link>
  );
}

/** Requests the reset link. The response does not reveal whether the address has an account. */
export function RequestPasswordResetForm() {
  const t = useTranslations('accounts');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<{ email: string }>({ defaultValues: { email: '' } });
  const { submit, pending, error } = useFormSubmit(async ({ email }: { email: string }) => {
    await postAuthRequest('/request-password-reset', { email });
    setSentTo(email);
  });
  if (sentTo) {
    return (
      <AuthFormLayout title={t('look_into_your_mail')} after={<Back />}>
        <p className="flex gap-3 rounded-md bg-tint px-4 py-3 text-sm leading-relaxed" role="status">
          <MailCheck className="mt-0.5 size-4 shrink-0 text-primary" aria-hidden />
          {t('if_sentto_has_an_account_a_link', { sentTo })}
        </p>
      </AuthFormLayout>
    );
  }
  return (
    <AuthFormLayout
      title={t('reset_your_password')}
      lead={t('lead_mail_a_link')}
      error={error}
      onSubmit={form.handleSubmit(submit)}
      after={<Back />}
    >
      <Field label={t('e_mail')} error={form.formState.errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.register('email', { required: t('enter_your_e_mail_address') })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        {t('mail_me_the_link')}
      </Button>
    </AuthFormLayout>
  );
}

/** Shown when this installation does not send mail. The operator has to create the reset link. */
export const PasswordResetUnavailableNotice = () => {
  const t = useTranslations('accounts');
  return <AuthFormLayout title={t('reset_your_password')} lead={t('lead_no_mail_here')} after={<Back />} />;
};

/**
 * The page that the reset mail links to, with the field for the new password. Setting a password
 * ends every session of the account.
 */
export function NewPasswordForm({ token }: { token: string }) {
  const t = useTranslations('accounts');
  const [done, setDone] = useState(false);
  const form = useForm<{ password: string }>({ defaultValues: { password: '' } });
  const { submit, pending, error } = useFormSubmit(async ({ password }: { password: string }) => {
    await postAuthRequest('/reset-password', { token, newPassword: password });
    setDone(true);
  });
  if (done) {
    return (
      <AuthFormLayout title={t('your_password_is_changed')} lead={t('lead_signed_out_everywhere')}>
        <LinkButton size="lg" href={paths.sign_in}>
          {t('sign_in')}
        </LinkButton>
      </AuthFormLayout>
    );
  }
  return (
    <AuthFormLayout
      title={t('choose_a_new_password')}
      error={error}
      onSubmit={form.handleSubmit(submit)}
      after={<Back />}
    >
      <Field
        label={t('new_password')}
        hint={t('at_least_8_characters')}
        error={form.formState.errors.password?.message}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            autoFocus
            {...form.register('password', {
              required: t('choose_a_password'),
              minLength: { value: 8, message: t('the_password_needs_at_least_8_characters') },
            })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        {t('change_password')}
      </Button>
    </AuthFormLayout>
  );
}
