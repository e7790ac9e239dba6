'use client';
import { useForm } from 'react-hook-form';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { Link } from '../ui/link';
import { authPost } from './auth-client';
import { AuthForm, textLink } from './auth-form';
import { useSubmit } from './use-submit';

interface Values {
  name: string;
  email: string;
  password: string;
}

/** A new account. With an invitation the address is given and the way leads back to it; else a team comes next. */
export function SignUpForm({ next, email }: { next: string; email?: string }) {
  const form = useForm<Values>({ defaultValues: { name: '', email: email ?? '', password: '' } });
  const { submit, pending, error } = useSubmit(async (values: Values) => {
    await authPost('/sign-up/email', { ...values });
    window.location.assign(next);
  });
  const { errors } = form.formState;
  const sign_in = email ? `${paths.sign_in}?next=${encodeURIComponent(next)}` : paths.sign_in;
  return (
    <AuthForm
      title="Create an account"
      lead="For hosts and their teams. Guests never need one."
      error={error}
      onSubmit={form.handleSubmit(submit)}
      after={
        <>
          Have one already?{' '}
          <Link className={textLink} href={sign_in}>
            Sign in
          </Link>
        </>
      }
    >
      <Field label="Your name" error={errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            autoFocus
            {...form.register('name', { required: 'Enter your name.' })}
          />
        )}
      </Field>
      <Field label="E-mail" error={errors.email?.message}>
        {(control) => (
          <Input
            {...control}
            type="email"
            autoComplete="username"
            readOnly={Boolean(email)}
            {...form.register('email', {
              required: 'Enter your e-mail address.',
              pattern: { value: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, message: 'This is not an e-mail address.' },
            })}
          />
        )}
      </Field>
      <Field
        label="Password"
        hint="At least 8 characters. A few words are better than symbols."
        error={errors.password?.message}
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            {...form.register('password', {
              required: 'Choose a password.',
              minLength: { value: 8, message: 'The password needs at least 8 characters.' },
            })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        Create account
      </Button>
    </AuthForm>
  );
}
