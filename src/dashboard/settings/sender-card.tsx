'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { Refusal } from '../properties/form-parts';
import { readError } from '../read-error';
import { type Outputs, useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ErrorPanel } from '../ui/error-panel';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';

type Sender = Outputs['accounts']['sender'];

/** Who guests deal with: on their mails, the signing page and certificates. For owners. */
export function SenderCard() {
  const trpc = useTRPC();
  const sender = useQuery(trpc.accounts.sender.queryOptions());
  const failure = sender.error && !sender.data ? readError(sender.error) : null;
  return (
    <Card>
      <CardHeader
        title="What guests are told of you"
        description="On every mail, below the signing page, and in certificates, where it stays as it was at signing."
      />
      {failure ? (
        <ErrorPanel
          title="It could not be loaded"
          message={failure.message}
          requestId={failure.request_id}
          onRetry={() => void sender.refetch()}
        />
      ) : (
        <CardBody>{sender.data ? <SenderForm sender={sender.data} /> : <Skeleton className="h-40" />}</CardBody>
      )}
    </Card>
  );
}

function SenderForm({ sender }: { sender: Sender }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { legal_name, postal_address, contact_email } = sender;
  const form = useForm({
    values: {
      legal_name: legal_name ?? '',
      postal_address: postal_address ?? '',
      contact_email: contact_email ?? '',
    },
  });
  const save = useMutation(
    trpc.accounts.update_sender.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.accounts.sender.queryKey(), saved);
        toast.success('Guests are told this from now on.');
      },
    }),
  );
  const refused = save.error ? readError(save.error) : null;
  const errorOf = (field: keyof Sender) => (refused?.param === field ? refused.message : undefined);
  return (
    <form
      className="grid max-w-lg gap-5"
      noValidate
      onSubmit={form.handleSubmit((typed) =>
        save.mutate({
          legal_name: typed.legal_name || null,
          postal_address: typed.postal_address || null,
          contact_email: typed.contact_email.trim() || null,
        }),
      )}
    >
      <Field label="Legal name" optional error={errorOf('legal_name')}>
        {(control) => (
          <Input {...control} autoComplete="organization" maxLength={200} {...form.register('legal_name')} />
        )}
      </Field>
      <Field label="Postal address" optional error={errorOf('postal_address')}>
        {(control) => <Input {...control} autoComplete="off" maxLength={300} {...form.register('postal_address')} />}
      </Field>
      <Field
        label="Contact e-mail"
        optional
        hint="Guests’ answers to mails go there, unless a property names another address."
        error={errorOf('contact_email')}
      >
        {(control) => (
          <Input {...control} type="email" inputMode="email" autoComplete="email" {...form.register('contact_email')} />
        )}
      </Field>
      <Refusal refused={refused && !errorOf(refused.param as keyof Sender) ? refused : null} />
      <div>
        <Button type="submit" pending={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
