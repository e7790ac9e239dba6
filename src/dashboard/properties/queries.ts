'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../trpc';

export type Property = Outputs['properties']['retrieve'];

export function useProperties(cursor: { starting_after?: string; ending_before?: string } = {}) {
  const trpc = useTRPC();
  return useQuery(trpc.properties.list.queryOptions({ limit: 100, ...cursor }, { placeholderData: keepPreviousData }));
}

export function useProperty(id: string | undefined) {
  const trpc = useTRPC();
  return useQuery(trpc.properties.retrieve.queryOptions({ id: id ?? '' }, { enabled: Boolean(id), staleTime: 60_000 }));
}
