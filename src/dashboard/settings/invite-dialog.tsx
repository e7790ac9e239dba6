'use client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { CopyField } from '../ui/copy-field';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';
import { buildMemberRoleApiInput, type MemberRoleFormValues, RoleFields } from './role-fields';

interface Values {
  email: string;
}

const MANAGER: MemberRoleFormValues = { role: 'manager', property_ids: [], sees_guests: false };

export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const { mail_is_sent } = useMe();
  const [made, setMade] = useState<{ email: string; url: string } | null>(null);
  const [choice, setChoice] = useState(MANAGER);
  const [empty, setEmpty] = useState(false);
  const form = useForm<Values>({ defaultValues: { email: '' } });
  const invite = useMutation(
    trpc.accounts.create_invitation.mutationOptions({
      meta: { handlesError: true },
      onSuccess: ({ email, url }) => {
        form.reset();
        setChoice(MANAGER);
        if (url) setMade({ email, url });
        else {
          toast.success(t('email_is_invited_the_link_works_for', { email }));
          onClose();
        }
      },
    }),
  );
  const submit = ({ email }: Values) => {
    const { sees_guests: _later, ...chosen } = { sees_guests: false, ...buildMemberRoleApiInput(choice) };
    const none = choice.role === 'co_host' && choice.property_ids.length === 0;
    setEmpty(none);
    if (!none) invite.mutate({ email, ...chosen });
  };
  const close = () => {
    setMade(null);
    onClose();
  };
  if (made) {
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        size="sm"
        title={t('a_link_for_email', { email: made.email })}
        description={t('mail_is_not_set_up_here_so')}
        footer={<Button onClick={close}>{t('done')}</Button>}
      >
        <CopyField value={made.url} label={t('link_of_the_invitation')} />
      </Dialog>
    );
  }
  const error =
    form.formState.errors.email?.message ?? (invite.error ? toDisplayableError(invite.error).message : undefined);
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      size="sm"
      title={t('invite_someone')}
      description={mail_is_sent ? t('they_get_a_mail_with_a_link') : t('mail_is_not_set_up_here_you')}
      dismissLabel={t('not_now')}
      footer={
        <Button type="submit" form="invite" pending={invite.isPending}>
          {mail_is_sent ? t('send_the_invitation') : t('make_the_link')}
        </Button>
      }
    >
      <form id="invite" className="grid gap-4" noValidate onSubmit={form.handleSubmit(submit)}>
        <Field label={t('e_mail')} error={error}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="off"
              {...form.register('email', {
                required: t('enter_an_e_mail_address'),
                pattern: { value: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, message: t('this_is_not_an_e_mail_address') },
              })}
            />
          )}
        </Field>
        <RoleFields
          value={choice}
          onChange={(value) => {
            setChoice(value);
            setEmpty(false);
          }}
          error={empty ? t('role_choose_a_property') : undefined}
        />
      </form>
    </Dialog>
  );
}
