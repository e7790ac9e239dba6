'use client';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { paths } from '../paths';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { AuthFormLayout } from './auth-form';

/** The step after signing up: creates the team. */
export function CreateTeamForm({ name }: { name: string }) {
  const t = useTranslations('accounts');
  const trpc = useTRPC();
  const form = useForm<{ name: string }>({ defaultValues: { name: '' } });
  const create = useMutation(
    trpc.accounts.create_team.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => window.location.assign(paths.home),
    }),
  );
  return (
    <AuthFormLayout
      title={t('welcome_name', { name })}
      lead={t('lead_team')}
      error={create.error ? toDisplayableError(create.error).message : null}
      onSubmit={form.handleSubmit((values) => create.mutate(values))}
    >
      <Field label={t('team_or_business')} error={form.formState.errors.name?.message}>
        {(control) => (
          <Input
            {...control}
            autoComplete="organization"
            autoFocus
            maxLength={120}
            {...form.register('name', { validate: (value) => value.trim() !== '' || t('enter_a_name') })}
          />
        )}
      </Field>
      <Button type="submit" size="lg" pending={create.isPending || create.isSuccess}>
        {t('continue')}
      </Button>
    </AuthFormLayout>
  );
}
