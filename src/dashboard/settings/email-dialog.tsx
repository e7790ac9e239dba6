'use client';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { AccountSignInMethods } from '../types';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Dialog } from '../ui/overlay/dialog';

/** Changes the sign-in address. Asks for the password too when the last sign-in was long ago. */
export function ChangeSignInEmailDialog({
  proof,
  onClose,
}: {
  proof: AccountSignInMethods['proof'];
  onClose: () => void;
}) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const form = useForm({ defaultValues: { email: '', password: '' } });
  const request = useMutation(
    trpc.accounts.request_email_change.mutationOptions({ meta: { handlesError: true }, onSuccess: onClose }),
  );
  const refused = request.error ? toDisplayableError(request.error) : null;
  const of = (param: string) => (refused?.param === param ? refused.message : undefined);
  const other = refused && !of('email') && !(proof === 'password' && of('password')) ? refused.message : undefined;
  const { errors } = form.formState;
  if (proof === 'sign_in') {
    return (
      <Dialog open onOpenChange={onClose} size="sm" title={t('email_change')} description={t('sign_in_again_first')} />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={t('email_change')}
      description={t('email_change_lead')}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form="email" pending={request.isPending}>
          {t('email_send_link')}
        </Button>
      }
    >
      <form
        id="email"
        className="grid gap-4"
        noValidate
        onSubmit={form.handleSubmit(({ email, password }) =>
          request.mutate({ email: email.trim(), password: proof === 'password' ? password : undefined }),
        )}
      >
        <Field label={t('email_new')} error={errors.email?.message ?? of('email') ?? other}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="email"
              {...form.register('email', { required: t('enter_an_e_mail_address') })}
            />
          )}
        </Field>
        {proof === 'password' ? (
          <Field label={t('password')} error={errors.password?.message ?? of('password')}>
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
      </form>
    </Dialog>
  );
}
