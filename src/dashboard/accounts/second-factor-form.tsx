'use client';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { authPost } from './auth-client';
import { AuthForm } from './auth-form';
import { useSubmit } from './use-submit';

/** The second step of signing in: a code of the authenticator app, or one of the recovery codes. */
export function SecondFactorForm({ next }: { next: string }) {
  const [recovery, setRecovery] = useState(false);
  const form = useForm<{ code: string }>({ defaultValues: { code: '' } });
  const { submit, pending, error } = useSubmit(async ({ code }: { code: string }) => {
    const path = recovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
    await authPost(path, { code: code.replace(/\s/g, '') });
    window.location.assign(next);
  });
  return (
    <AuthForm
      title="Enter your code"
      lead={
        recovery
          ? 'One of the recovery codes you kept. Each works once.'
          : 'The six digits your authenticator app shows.'
      }
      error={error}
      onSubmit={form.handleSubmit(submit)}
      after={
        <Button variant="link" onClick={() => setRecovery(!recovery)}>
          {recovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Button>
      }
    >
      <Field label={recovery ? 'Recovery code' : 'Code'} error={form.formState.errors.code?.message}>
        {(control) => (
          <Input
            {...control}
            inputMode={recovery ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoFocus
            {...form.register('code', { required: 'Enter the code.' })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        Continue
      </Button>
    </AuthForm>
  );
}
