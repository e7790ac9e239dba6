'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl/react';
import { type Inputs, type Outputs, useTRPC } from '../trpc';

export type Mail = Outputs['mail']['list']['data'][number];
export type MailDetail = Outputs['mail']['retrieve'];
export type MailTemplate = Outputs['mail']['templates'][number];

export function useOutbox(query: Inputs['mail']['list']) {
  const trpc = useTRPC();
  return useQuery(trpc.mail.list.queryOptions(query, { placeholderData: keepPreviousData, refetchInterval: 10_000 }));
}

export function useMail(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.mail.retrieve.queryOptions({ id }));
}

/** They change with the product only. */
/** Every kind of mail, each called as the host's language calls it. */
export function useTemplates() {
  const trpc = useTRPC();
  const t = useTranslations('outbox');
  const select = useCallback(
    (all: MailTemplate[]): MailTemplate[] =>
      all.map((one) => {
        const key = `template_${one.name}` as 'template_packet';
        return t.has(key) ? { ...one, label: t(key) } : one;
      }),
    [t],
  );
  return useQuery(trpc.mail.templates.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY, select }));
}

export function useTemplatePreview(name: string, locale: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.mail.preview.queryOptions({ name, locale }, { placeholderData: keepPreviousData, staleTime: 60_000 }),
  );
}
