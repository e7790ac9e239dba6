'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useForm } from 'react-hook-form';
import { readError } from '../read-error';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { CopyField } from '../ui/copy-field';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { Select } from '../ui/form/select';
import { Dialog } from '../ui/overlay/dialog';
import { toast } from '../ui/overlay/toaster';

interface Values {
  email: string;
  role: 'owner' | 'member';
}

export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mail_is_sent } = useMe();
  const [made, setMade] = useState<{ email: string; url: string } | null>(null);
  const form = useForm<Values>({ defaultValues: { email: '', role: 'member' } });
  const invite = useMutation(
    trpc.accounts.create_invitation.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async ({ email, url }) => {
        form.reset();
        if (url) setMade({ email, url });
        else {
          toast.success(`${email} is invited. The link works for seven days.`);
          onClose();
        }
        await queryClient.invalidateQueries({ queryKey: trpc.accounts.list_invitations.queryKey() });
      },
    }),
  );
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
        title={`A link for ${made.email}`}
        description="Mail is not set up here, so give it to them yourself. It works for seven days, once, and is shown only now."
        footer={<Button onClick={close}>Done</Button>}
      >
        <CopyField value={made.url} label="link of the invitation" />
      </Dialog>
    );
  }
  const error = form.formState.errors.email?.message ?? (invite.error ? readError(invite.error).message : undefined);
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      size="sm"
      title="Invite someone"
      description={
        mail_is_sent
          ? 'They get a mail with a link to join this team.'
          : 'Mail is not set up here: you get the link, to hand over yourself.'
      }
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form="invite" pending={invite.isPending}>
            {mail_is_sent ? 'Send the invitation' : 'Make the link'}
          </Button>
        </>
      }
    >
      <form
        id="invite"
        className="grid gap-4"
        noValidate
        onSubmit={form.handleSubmit((values) => invite.mutate(values))}
      >
        <Field label="E-mail" error={error}>
          {(control) => (
            <Input
              {...control}
              type="email"
              autoComplete="off"
              {...form.register('email', {
                required: 'Enter an e-mail address.',
                pattern: { value: /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/, message: 'This is not an e-mail address.' },
              })}
            />
          )}
        </Field>
        <Field label="Role">
          {(control) => (
            <Controller
              control={form.control}
              name="role"
              render={({ field }) => (
                <Select
                  {...control}
                  value={field.value}
                  onValueChange={field.onChange}
                  options={[
                    { value: 'member', label: 'Member' },
                    { value: 'owner', label: 'Owner' },
                  ]}
                />
              )}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
