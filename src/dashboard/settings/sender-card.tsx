'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { FormErrorMessage } from '../properties/form-parts';
import { toDisplayableError } from '../read-error';
import { type ProcedureOutputs, useTRPC } from '../trpc';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ErrorPanel } from '../ui/error-panel';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { toast } from '../ui/overlay/toaster';
import { Skeleton } from '../ui/skeleton';

type Sender = ProcedureOutputs['accounts']['sender'];

/**
 * Changes the host's name and address on mails, the signing page and certificates. Only for owners.
 */
export function TeamLegalIdentityCard() {
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const sender = useQuery(trpc.accounts.sender.queryOptions());
  const failure = sender.error && !sender.data ? toDisplayableError(sender.error) : null;
  return (
    <Card>
      <CardHeader title={t('what_guests_are_told_of_you')} description={t('on_every_mail_below_the_signing_page')} />
      {failure ? (
        <ErrorPanel
          title={t('it_could_not_be_loaded')}
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
  const t = useTranslations('settings');
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState<Partial<Record<keyof Sender, string>>>({});
  const textOf = (field: keyof Sender) => typed[field] ?? sender[field] ?? '';
  const inputOf = (field: keyof Sender) => ({
    value: textOf(field),
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped({ ...typed, [field]: event.target.value }),
  });
  const save = useMutation(
    trpc.accounts.update_sender.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (saved) => {
        queryClient.setQueryData(trpc.accounts.sender.queryKey(), saved);
        setTyped({});
        toast.success(t('guests_are_told_this_from_now_on'));
      },
    }),
  );
  const refused = save.error ? toDisplayableError(save.error) : null;
  const errorOf = (field: keyof Sender) => (refused?.param === field ? refused.message : undefined);
  return (
    <form
      className="grid max-w-lg gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({
          legal_name: textOf('legal_name') || null,
          postal_address: textOf('postal_address') || null,
          contact_email: textOf('contact_email').trim() || null,
        });
      }}
    >
      <Field label={t('legal_name')} optional error={errorOf('legal_name')}>
        {(control) => <Input {...control} autoComplete="organization" maxLength={200} {...inputOf('legal_name')} />}
      </Field>
      <Field label={t('postal_address')} optional error={errorOf('postal_address')}>
        {(control) => <Input {...control} autoComplete="off" maxLength={300} {...inputOf('postal_address')} />}
      </Field>
      <Field
        label={t('contact_e_mail')}
        optional
        hint={t('guests_answers_to_mails_go_there_unless')}
        error={errorOf('contact_email')}
      >
        {(control) => (
          <Input {...control} type="email" inputMode="email" autoComplete="email" {...inputOf('contact_email')} />
        )}
      </Field>
      <FormErrorMessage refused={refused && !errorOf(refused.param as keyof Sender) ? refused : null} />
      <div>
        <Button type="submit" pending={save.isPending}>
          {t('save')}
        </Button>
      </div>
    </form>
  );
}
