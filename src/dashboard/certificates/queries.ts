'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../trpc';

export type Certificate = Outputs['certificates']['list']['data'][number];

export function useCertificates(cursor: { starting_after?: string; ending_before?: string }) {
  const trpc = useTRPC();
  return useQuery(trpc.certificates.list.queryOptions({ limit: 25, ...cursor }, { placeholderData: keepPreviousData }));
}
