'use client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl/react';
import { toDisplayableError } from '../read-error';
import { useTRPC } from '../trpc';
import type { SyncSource } from '../types';
import { Button } from '../ui/button';
import { Field } from '../ui/form/field';
import { Input } from '../ui/form/input';
import { toast } from '../ui/overlay/toaster';

/** Returns the field for a calendar's new link, and the mutation that saves the link. */
export function useReplaceCalendarLink(source: SyncSource, onSaved?: () => void) {
  const t = useTranslations('calendar_detail');
  const [url, setUrl] = useState('');
  const trpc = useTRPC();
  const update = useMutation(
    trpc.sync_sources.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: () => {
        toast.success(t('the_link_is_replaced'));
        setUrl('');
        onSaved?.();
      },
    }),
  );
  const field = (
    <Field label={t('calendar_link')} error={update.error ? toDisplayableError(update.error).message : undefined}>
      {(control) => (
        <Input
          {...control}
          type="url"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          placeholder="https://…/calendar.ics"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      )}
    </Field>
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ id: source.id, feed_url: url.trim() });
  };
  return { field, submit, pending: update.isPending, empty: url.trim() === '' };
}

/** The form for a new link, on the page of a failing calendar. */
export function ReplaceCalendarLinkForm({ source }: { source: SyncSource }) {
  const t = useTranslations('calendar_detail');
  const link = useReplaceCalendarLink(source);
  return (
    <form noValidate className="mt-3 flex flex-wrap items-end gap-2" onSubmit={link.submit}>
      <div className="min-w-60 flex-1">{link.field}</div>
      <Button type="submit" pending={link.pending} disabled={link.empty}>
        {t('replace_the_link')}
      </Button>
    </form>
  );
}
