'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Controller, useForm } from 'react-hook-form';
import { readError } from '../read-error';
import { useTRPC } from '../trpc';
import { Button } from '../ui/button';
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
  const form = useForm<Values>({ defaultValues: { email: '', role: 'member' } });
  const invite = useMutation(
    trpc.accounts.create_invitation.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async ({ email }) => {
        toast.success(`${email} is invited. The link works for seven days.`);
        form.reset();
        onClose();
        await queryClient.invalidateQueries({ queryKey: trpc.accounts.list_invitations.queryKey() });
      },
    }),
  );
  const error = form.formState.errors.email?.message ?? (invite.error ? readError(invite.error).message : undefined);
  return (
    <Dialog
      open={open}
      onOpenChange={onClose}
      size="sm"
      title="Invite someone"
      description="They get a mail with a link to join this team."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" form="invite" pending={invite.isPending}>
            Send the invitation
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
