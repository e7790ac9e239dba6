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
import { postAuthRequest } from './auth-client';
import { AuthFormLayout, TEXT_LINK_CLASS_NAMES } from './auth-form';
import { CompanySignInButton } from './company-sign-in';
import { useFormSubmit } from './use-submit';

interface Values {
  name: string;
  email: string;
  password: string;
}

/** Returns the invitation's token when `next` is the path of an invitation. */
const invitationIn = (next: string) => /^\/invite\/([\w-]+)$/.exec(next)?.[1];

/**
 * Shown after signing up. The text is the same for every address, so it does not reveal whether an
 * account exists.
 */
function ConfirmAddress({ email, signIn }: { email: string; signIn: string }) {
  const t = useTranslations('accounts');
  const { submit, pending, error } = useFormSubmit(() => postAuthRequest('/send-verification-email', { email }));
  return (
    <AuthFormLayout
      title={t('look_into_your_mail')}
      error={error}
      after={
        <Link className={TEXT_LINK_CLASS_NAMES} href={signIn}>
          {t('sign_in')}
        </Link>
      }
    >
      <p className="flex gap-3 rounded-md bg-tint px-4 py-3 text-sm leading-relaxed" role="status">
        <MailCheck className="mt-0.5 size-4 shrink-0 text-primary" aria-hidden />
        {t('we_have_sent_a_link_to_email', { email })}
      </p>
      <Button variant="secondary" pending={pending} onClick={() => submit(undefined)}>
        {t('send_it_again')}
      </Button>
    </AuthFormLayout>
  );
}

/**
 * Creates an account. With an invitation, the address is fixed and the next page is the invitation.
 * Without one, the next page creates a team.
 */
export function SignUpForm({ next, email, company }: { next: string; email?: string; company?: string }) {
  const t = useTranslations('accounts');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<Values>({ defaultValues: { name: '', email: email ?? '', password: '' } });
  const sign_in = email ? `${paths.sign_in}?next=${encodeURIComponent(next)}` : paths.sign_in;
  const { submit, pending, error } = useFormSubmit(async (values: Values) => {
    const invitation = invitationIn(next);
    await postAuthRequest('/sign-up/email', { ...values, ...(invitation ? { invitation } : {}) });
    // The response to signing up does not reveal whether the address is confirmed, so the form
    // tries to sign in.
    const signed_in = await postAuthRequest<{ twoFactorRedirect?: boolean }>('/sign-in/email', {
      email: values.email,
      password: values.password,
    }).catch(() => null);
    if (!signed_in) setSentTo(values.email);
    else window.location.assign(signed_in.twoFactorRedirect ? sign_in : next);
  });
  const { errors } = form.formState;
  if (sentTo) return <ConfirmAddress email={sentTo} signIn={sign_in} />;
  return (
    <AuthFormLayout
      title={t('create_an_account')}
      lead={t('lead_sign_up')}
      error={error}
      onSubmit={form.handleSubmit(submit)}
      after={
        <div className="grid gap-6">
          {company ? <CompanySignInButton name={company} next={next} /> : null}
          <p>
            {t('have_one_already')}{' '}
            <Link className={TEXT_LINK_CLASS_NAMES} href={sign_in}>
              {t('sign_in')}
            </Link>
          </p>
        </div>
      }
    >
      <Field label={t('your_name')} error={errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            autoFocus
            {...form.register('name', { required: t('enter_your_name') })}
          />
        )}
      </Field>
      <Field label={t('e_mail')} error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            readOnly={Boolean(email)}
            {...form.register('email', {
              required: t('enter_your_e_mail_address'),
              pattern: { value: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, message: t('this_is_not_an_e_mail_address') },
            })}
          />
        )}
      </Field>
      <Field label={t('password')} hint={t('at_least_8_characters_a_few_words')} error={errors.password?.message}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            {...form.register('password', {
              required: t('choose_a_password'),
              minLength: { value: 8, message: t('the_password_needs_at_least_8_characters') },
            })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        {t('create_account')}
      </Button>
    </AuthFormLayout>
  );
}
