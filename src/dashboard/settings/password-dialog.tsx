'use client';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { useFormSubmit } from '../accounts/use-submit';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Dialog } from '../ui/overlay/dialog';

interface PasswordDialogProps {
  title: string;
  description: string;
  action: string;
  danger?: boolean;
  onClose: () => void;
  /** Runs the action. When it throws an Error, the field shows its message. */
  work: (password: string) => Promise<void>;
}

/** Asks for the password again before a security-related action. */
export function PasswordConfirmationDialog({ title, description, action, danger, onClose, work }: PasswordDialogProps) {
  const t = useTranslations('settings');
  const form = useForm<{ password: string }>({ defaultValues: { password: '' } });
  const { submit, pending, error } = useFormSubmit(({ password }: { password: string }) => work(password));
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={title}
      description={description}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form="password" variant={danger ? 'danger' : 'primary'} pending={pending}>
          {action}
        </Button>
      }
    >
      <form id="password" noValidate onSubmit={form.handleSubmit(submit)}>
        <Field label={t('password')} error={form.formState.errors.password?.message ?? error}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              {...form.register('password', { required: t('enter_your_password') })}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
