'use client';
import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useForm } from 'react-hook-form';
import { readError } from '../read-error';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader, Facts } from '../ui/card';
import { CopyableId } from '../ui/copy-field';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { toast } from '../ui/overlay/toaster';
import { SenderCard } from './sender-card';

export const OWNERS_ONLY = 'Only an owner of the account can do this.';

export function TeamTab() {
  const trpc = useTRPC();
  const router = useRouter();
  const { team, user } = useMe();
  const form = useForm({ defaultValues: { name: team.name } });
  const rename = useMutation(
    trpc.accounts.update_team.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success('The team is renamed.');
        router.refresh();
      },
    }),
  );
  const error = form.formState.errors.name?.message ?? (rename.error ? readError(rename.error).message : undefined);
  return (
    <div className="grid gap-6">
      <Card>
        <CardHeader title="Team" />
        <CardBody className="grid gap-6">
          <form
            className="flex max-w-lg flex-wrap items-end gap-3"
            onSubmit={form.handleSubmit((values) => rename.mutate(values))}
            noValidate
          >
            <Field label="Name" className="min-w-56 flex-1" error={error}>
              {(control) => (
                <Input
                  {...control}
                  maxLength={120}
                  {...form.register('name', { validate: (value) => value.trim() !== '' || 'Enter a name.' })}
                />
              )}
            </Field>
            <Button
              type="submit"
              pending={rename.isPending}
              disabledReason={user.role === 'owner' ? null : OWNERS_ONLY}
            >
              Save
            </Button>
          </form>
          <Facts
            items={[
              {
                label: 'Plan',
                value: (
                  <Badge tone={team.plan === 'pro' ? 'primary' : 'neutral'}>
                    {team.plan === 'pro' ? 'Pro' : 'Free'}
                  </Badge>
                ),
              },
              { label: 'Your role', value: user.role === 'owner' ? 'Owner' : 'Member' },
              { label: 'Team id', value: <CopyableId value={team.id} label="team id" /> },
            ]}
          />
        </CardBody>
      </Card>
      {user.role === 'owner' ? <SenderCard /> : null}
    </div>
  );
}
