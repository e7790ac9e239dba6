'use client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { paths } from '../../paths';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';
import { Dialog } from '../../ui/overlay/dialog';

interface Values {
  name: string;
  password: string;
  code: string;
}

/**
 * Deletes the team. The user types the team's name, so that nobody deletes it by mistake. A
 * password with second factor, or a very recent sign-in by other means, protects against a stolen
 * session.
 */
export function TeamDeletionDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { team, user } = useMe();
  const security = useQuery(trpc.accounts.security.queryOptions(undefined, { staleTime: 0 }));
  const form = useForm<Values>({ defaultValues: { name: '', password: '', code: '' } });
  const remove = useMutation(
    trpc.team_data.delete_team.mutationOptions({
      meta: { handlesError: true },
      // The home page shows another team of the user. Without another team, it redirects to the
      // sign-in page.
      onSuccess: () => window.location.assign(paths.home),
    }),
  );
  const { errors } = form.formState;
  const refused = remove.error ? toDisplayableError(remove.error) : null;
  const proof = security.data?.proof ?? 'password';
  const of = (field: keyof Values) => (refused?.param === field ? refused.message : undefined);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={t('delete_team', { team: team.name })}
      description={t('everything_of_this_team_is_removed_at')}
      dismissLabel={t('keep_the_account')}
      footer={
        <Button type="submit" form="delete-team" variant="danger" pending={remove.isPending || remove.isSuccess}>
          {t('delete_it_for_good')}
        </Button>
      }
    >
      <form
        id="delete-team"
        className="grid gap-4"
        noValidate
        onSubmit={form.handleSubmit(({ name, password, code }) =>
          remove.mutate(proof === 'password' ? { name, password, ...(code && { code }) } : { name }),
        )}
      >
        <Field
          label={t.rich('type_to_confirm', {
            code: () => <code className="break-words rounded bg-muted px-1 font-mono">{team.name}</code>,
          })}
          error={errors.name?.message ?? of('name')}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              {...form.register('name', {
                validate: (value) => value.trim() === team.name.trim() || t('this_is_not_the_teams_name'),
              })}
            />
          )}
        </Field>
        {proof === 'sign_in' ? <p className="text-sm">{t('sign_in_again_first')}</p> : null}
        {proof === 'password' ? (
          <Field label={t('your_password')} error={errors.password?.message ?? of('password')}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="current-password"
                {...form.register('password', { required: t('enter_your_password') })}
              />
            )}
          </Field>
        ) : null}
        {proof === 'password' && user.two_factor_enabled ? (
          <Field
            label={t('code')}
            hint={t('of_your_authenticator_app_or_a_recovery')}
            error={errors.code?.message ?? of('code')}
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="one-time-code"
                {...form.register('code', { required: t('enter_the_code') })}
              />
            )}
          </Field>
        ) : null}
        {refused && (!refused.param || (refused.param === 'password' && proof !== 'password')) ? (
          <p role="alert" className="text-danger text-sm">
            {refused.message}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
