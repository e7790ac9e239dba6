'use client';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl/react';
import { useTRPC } from '../trpc';
import type { MailTemplate } from '../types';

/**
 * Returns all mail templates with their names in the host's language. They are never refetched,
 * because only a new release changes them.
 */
export function useMailTemplates() {
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
