'use client';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { postAuthRequest } from './auth-client';
import { AuthFormLayout } from './auth-form';
import { useFormSubmit } from './use-submit';

/** The second step of signing in: a code from the authenticator app, or a recovery code. */
export function SecondFactorForm({ next }: { next: string }) {
  const t = useTranslations('accounts');
  const [recovery, setRecovery] = useState(false);
  const form = useForm<{ code: string }>({ defaultValues: { code: '' } });
  const { submit, pending, error } = useFormSubmit(async ({ code }: { code: string }) => {
    const path = recovery ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
    await postAuthRequest(path, { code: code.replace(/\s/g, '') });
    window.location.assign(next);
  });
  return (
    <AuthFormLayout
      title={t('enter_your_code')}
      lead={recovery ? t('one_of_the_recovery_codes_you_kept') : t('the_six_digits_your_authenticator_app_shows')}
      error={error}
      onSubmit={form.handleSubmit(submit)}
      after={
        <Button variant="link" onClick={() => setRecovery(!recovery)}>
          {recovery ? t('use_the_authenticator_app') : t('use_a_recovery_code')}
        </Button>
      }
    >
      <Field label={recovery ? t('recovery_code') : t('code')} error={form.formState.errors.code?.message}>
        {(control) => (
          <Input
            {...control}
            inputMode={recovery ? 'text' : 'numeric'}
            autoComplete="one-time-code"
            autoFocus
            {...form.register('code', { required: t('enter_the_code') })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={pending}>
        {t('continue')}
      </Button>
    </AuthFormLayout>
  );
}
