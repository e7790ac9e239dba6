'use client';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { postAuthRequest } from '../accounts/auth-client';
import { addPasskey } from '../accounts/passkey-client';
import { useFormSubmit } from '../accounts/use-submit';
import type { AccountSignInMethods, Passkey } from '../types';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';
import { describeBrowser } from './user-agent';

interface Props {
  kind: 'add' | 'rename' | 'remove';
  passkey?: Passkey;
  /** How the user proves their identity. Renaming needs no proof. */
  proof: AccountSignInMethods['proof'];
  onClose: () => void;
  onDone: () => void;
}

export function PasskeyDialog({ kind, passkey, proof, onClose, onDone }: Props) {
  const t = useTranslations('settings');
  const ask = kind === 'rename' ? 'nothing' : proof;
  const name = passkey?.name ?? describeBrowser(navigator.userAgent, t).name;
  const form = useForm({ defaultValues: { name, password: '' } });
  const { errors } = form.formState;
  const { submit, pending, error } = useFormSubmit(async (values: { name: string; password: string }) => {
    const password = ask === 'password' ? values.password : undefined;
    const id = passkey?.id;
    if (kind === 'add') await addPasskey(values.name, password);
    else if (kind === 'rename') await postAuthRequest('/passkey/update-passkey', { id, name: values.name });
    else await postAuthRequest('/passkey/delete-passkey', { id, password });
    toast.success(t(`passkey_done_${kind}`));
    onDone();
  });
  if (ask === 'sign_in') {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        size="sm"
        title={t(`passkey_${kind}`)}
        description={t('sign_in_again_first')}
      />
    );
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={t(`passkey_${kind}`)}
      description={kind === 'rename' ? undefined : t(`passkey_lead_${kind}`, { name })}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form="passkey" variant={kind === 'remove' ? 'danger' : 'primary'} pending={pending}>
          {t(kind === 'rename' ? 'save' : `passkey_${kind}`)}
        </Button>
      }
    >
      <form id="passkey" className="grid gap-4" noValidate onSubmit={form.handleSubmit(submit)}>
        {kind === 'remove' ? null : (
          <Field label={t('name')} error={errors.name?.message ?? (ask === 'password' ? undefined : error)}>
            {(control) => (
              <Input {...control} maxLength={100} {...form.register('name', { required: t('enter_a_name') })} />
            )}
          </Field>
        )}
        {ask === 'password' ? (
          <Field label={t('password')} error={errors.password?.message ?? error}>
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
        {kind === 'remove' && ask !== 'password' && error ? (
          <p role="alert" className="text-danger text-sm">
            {error}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
