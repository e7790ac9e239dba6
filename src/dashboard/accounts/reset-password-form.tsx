'use client';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Link } from '../ui/link';
import { authPost } from './auth-client';
import { AuthForm, textLink } from './auth-form';
import { useSubmit } from './use-submit';

const back = (
  <Link className={textLink} href={paths.sign_in}>
    Back to sign in
  </Link>
);

/** Asks for the link. The answer is the same whether the address has an account or not. */
export function RequestResetForm() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm<{ email: string }>({ defaultValues: { email: '' } });
  const { submit, pending, error } = useSubmit(async ({ email }: { email: string }) => {
    await authPost('/request-password-reset', { email });
    setSentTo(email);
  });
  if (sentTo) {
    return (
      <AuthForm title="Look into your mail" after={back}>
        <p className="flex gap-3 rounded-md bg-tint px-4 py-3 text-sm leading-relaxed" role="status">
          <MailCheck className="mt-0.5 size-4 shrink-0 text-primary" aria-hidden />
          If {sentTo} has an account, a link to choose a new password is on its way. It works for one hour.
        </p>
      </AuthForm>
    );
  }
  return (
    <AuthForm
      title="Reset your password"
      lead="We mail you a link with which you choose a new one."
      error={error}
      onSubmit={form.handleSubmit(submit)}
      after={back}
    >
      <Field label="E-mail" error={form.formState.errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            autoFocus
            {...form.register('email', { required: 'Enter your e-mail address.' })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        Mail me the link
      </Button>
    </AuthForm>
  );
}

/** Where no mail is sent there is no link to ask for: the operator makes one. */
export const NoResetByMail = () => (
  <AuthForm
    title="Reset your password"
    lead="No mail is sent on this installation. Ask whoever runs it for a link with which you choose a new password."
    after={back}
  />
);

/** Where the link leads: the new password. It ends every session of the account. */
export function NewPasswordForm({ token }: { token: string }) {
  const [done, setDone] = useState(false);
  const form = useForm<{ password: string }>({ defaultValues: { password: '' } });
  const { submit, pending, error } = useSubmit(async ({ password }: { password: string }) => {
    await authPost('/reset-password', { token, newPassword: password });
    setDone(true);
  });
  if (done) {
    return (
      <AuthForm title="Your password is changed" lead="You were signed out everywhere. Sign in with the new password.">
        <Button asChild size="lg">
          <Link href={paths.sign_in}>Sign in</Link>
        </Button>
      </AuthForm>
    );
  }
  return (
    <AuthForm title="Choose a new password" error={error} onSubmit={form.handleSubmit(submit)} after={back}>
      <Field label="New password" hint="At least 8 characters." error={form.formState.errors.password?.message}>
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            autoFocus
            {...form.register('password', {
              required: 'Choose a password.',
              minLength: { value: 8, message: 'The password needs at least 8 characters.' },
            })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        Change password
      </Button>
    </AuthForm>
  );
}
