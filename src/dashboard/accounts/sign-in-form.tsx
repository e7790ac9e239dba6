'use client';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { lazyComponent } from '../ui/lazy-component';
import { Link } from '../ui/link';
import { postAuthRequest } from './auth-client';
import { AuthFormLayout, TEXT_LINK_CLASS_NAMES } from './auth-form';
import { CompanySignInButton, describeRefusedSignIn } from './company-sign-in';
import { SecondFactorForm } from './second-factor-form';
import { useFormSubmit } from './use-submit';

const PasskeySignIn = lazyComponent(() => import('./passkey-sign-in').then((file) => file.PasskeySignIn));

interface Values {
  email: string;
  password: string;
}

interface Way {
  /**
   * The path of this site to open after signing in. It is opened with a full page load, so that no
   * state of this page remains.
   */
  next: string;
  email?: string;
  confirmed?: boolean;
  /** The name of the company's provider. Undefined without a provider. */
  company?: string;
  /** The error code of a failed sign-in with the company's provider, from the URL. */
  refused?: string;
}

export function SignInForm({ next, email, confirmed, company, refused }: Way) {
  const t = useTranslations('accounts');
  const form = useForm<Values>({ defaultValues: { email: email ?? '', password: '' } });
  const [secondFactor, setSecondFactor] = useState(false);
  const { submit, pending, error } = useFormSubmit(async (values: Values) => {
    const answer = await postAuthRequest<{ twoFactorRedirect?: boolean }>('/sign-in/email', { ...values });
    if (answer.twoFactorRedirect) setSecondFactor(true);
    else window.location.assign(next);
  });
  const { errors } = form.formState;

  if (secondFactor) return <SecondFactorForm next={next} />;
  return (
    <AuthFormLayout
      title={t('sign_in')}
      lead={confirmed ? t('your_address_is_confirmed') : undefined}
      error={error ?? (refused ? describeRefusedSignIn(refused, t) : null)}
      onSubmit={form.handleSubmit(submit)}
      after={
        <div className="grid gap-6">
          <PasskeySignIn next={next} />
          {company ? <CompanySignInButton name={company} next={next} /> : null}
          <p>
            {t('new_here')}{' '}
            <Link className={TEXT_LINK_CLASS_NAMES} href={paths.sign_up}>
              {t('create_an_account')}
            </Link>
          </p>
        </div>
      }
    >
      <Field label={t('e_mail')} error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username webauthn"
            autoFocus
            {...form.register('email', { required: t('enter_your_e_mail_address') })}
          />
        )}
      </Field>
      <Field label={t('password')} error={errors.password?.message}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="current-password"
            {...form.register('password', { required: t('enter_your_password') })}
          />
        )}
      </Field>
      <Link className={`${TEXT_LINK_CLASS_NAMES} w-fit text-sm`} href={paths.reset_password}>
        {t('forgot_your_password')}
      </Link>
      <Button type="submit" size="lg" pending={pending}>
        {t('sign_in')}
      </Button>
    </AuthFormLayout>
  );
}
