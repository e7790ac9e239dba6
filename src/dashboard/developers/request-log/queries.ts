'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type LoggedRequest = Outputs['request_logs']['list']['data'][number];
export type LoggedRequestDetail = Outputs['request_logs']['retrieve'];

export function useRequests(query: Inputs['request_logs']['list']) {
  const trpc = useTRPC();
  return useQuery(
    trpc.request_logs.list.queryOptions(query, { placeholderData: keepPreviousData, refetchInterval: 10_000 }),
  );
}

/** A request that was logged never changes. */
export function useRequest(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.request_logs.retrieve.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY }));
}
