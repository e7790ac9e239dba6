'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
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
export function useTemplates() {
  const trpc = useTRPC();
  return useQuery(trpc.mail.templates.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
}

export function useTemplatePreview(name: string, locale: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.mail.preview.queryOptions({ name, locale }, { placeholderData: keepPreviousData, staleTime: 60_000 }),
  );
}
