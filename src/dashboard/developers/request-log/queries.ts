'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type LoggedRequest = Outputs['request_log']['list']['data'][number];
export type LoggedRequestDetail = Outputs['request_log']['retrieve'];

export function useRequests(query: Inputs['request_log']['list']) {
  const trpc = useTRPC();
  return useQuery(
    trpc.request_log.list.queryOptions(query, { placeholderData: keepPreviousData, refetchInterval: 10_000 }),
  );
}

/** A request that was logged never changes. */
export function useRequest(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.request_log.retrieve.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY }));
}
