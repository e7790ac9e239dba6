'use client';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { paths } from '../../paths';
import { readError } from '../../read-error';
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

/** The name against a slip of the hand, the password and the second factor against a stolen session. */
export function DeletionDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { team, user } = useMe();
  const form = useForm<Values>({ defaultValues: { name: '', password: '', code: '' } });
  const remove = useMutation(
    trpc.team_data.delete_team.mutationOptions({
      meta: { handlesError: true },
      // Where there is another team, its home is shown; where not, the way leads to signing in.
      onSuccess: () => window.location.assign(paths.home),
    }),
  );
  const { errors } = form.formState;
  const refused = remove.error ? readError(remove.error) : null;
  const of = (field: keyof Values) => (refused?.param === field ? refused.message : undefined);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Delete ${team.name}?`}
      description="Everything of this team is removed, at once and for good."
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep the account
          </Button>
          <Button type="submit" form="delete-team" variant="danger" pending={remove.isPending || remove.isSuccess}>
            Delete it for good
          </Button>
        </>
      }
    >
      <form
        id="delete-team"
        className="grid gap-4"
        noValidate
        onSubmit={form.handleSubmit(({ code, ...values }) => remove.mutate(code ? { ...values, code } : values))}
      >
        <Field
          label={
            <>
              Type <code className="break-words rounded bg-muted px-1 font-mono">{team.name}</code> to confirm
            </>
          }
          error={errors.name?.message ?? of('name')}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="off"
              {...form.register('name', {
                validate: (value) => value.trim() === team.name.trim() || 'This is not the team’s name.',
              })}
            />
          )}
        </Field>
        <Field label="Your password" error={errors.password?.message ?? of('password')}>
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="current-password"
              {...form.register('password', { required: 'Enter your password.' })}
            />
          )}
        </Field>
        {user.two_factor_enabled ? (
          <Field
            label="Code"
            hint="Of your authenticator app, or a recovery code."
            error={errors.code?.message ?? of('code')}
          >
            {(control) => (
              <Input
                {...control}
                autoComplete="one-time-code"
                {...form.register('code', { required: 'Enter the code.' })}
              />
            )}
          </Field>
        ) : null}
        {refused && !refused.param ? (
          <p role="alert" className="text-danger text-sm">
            {refused.message}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
