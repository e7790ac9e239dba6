'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { Notice } from '../../developers/notice';
import { toDisplayableError } from '../../read-error';
import { useMe } from '../../shell/me';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Field } from '../../ui/form/field';
import { Input } from '../../ui/form/input';

/** Asks the owner to set the legal name for certificates before the first live packet is sent. */
export function MissingLegalNameNotice() {
  const t = useTranslations('reservation_detail');
  const { team } = useMe();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const [legal_name, setLegalName] = useState('');
  const sender = useQuery(trpc.accounts.sender.queryOptions());
  const save = useMutation(
    trpc.accounts.update_sender.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (saved) => queryClient.setQueryData(trpc.accounts.sender.queryKey(), saved),
    }),
  );
  if (!sender.data || sender.data.legal_name) return null;
  const { postal_address, contact_email } = sender.data;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (legal_name.trim()) save.mutate({ legal_name, postal_address, contact_email });
  };
  return (
    <Notice tone="info" title={t('legal_name_notice_title')}>
      <p>{t('legal_name_notice_text', { team: team.name })}</p>
      <form className="mt-3 flex max-w-lg flex-wrap items-end gap-2" noValidate onSubmit={submit}>
        <div className="min-w-0 flex-1 basis-48">
          <Field label={t('legal_name_label')} error={save.error ? toDisplayableError(save.error).message : undefined}>
            {(control) => (
              <Input
                {...control}
                autoComplete="organization"
                maxLength={200}
                value={legal_name}
                onChange={(event) => setLegalName(event.target.value)}
              />
            )}
          </Field>
        </div>
        <Button type="submit" variant="secondary" pending={save.isPending}>
          {t('legal_name_save')}
        </Button>
      </form>
    </Notice>
  );
}
