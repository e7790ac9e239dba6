'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type LoggedRequest = Outputs['request_logs']['list']['data'][number];
export type LoggedRequestDetail = Outputs['request_logs']['retrieve'];

const LIVE_MS = 2_000;

/** `live`: what comes in shows within two seconds; else the list stays as it is. */
export function useRequests(query: Inputs['request_logs']['list'], live: boolean) {
  const trpc = useTRPC();
  return useQuery(
    trpc.request_logs.list.queryOptions(query, {
      placeholderData: keepPreviousData,
      refetchInterval: live ? LIVE_MS : false,
      // Whoever paused it reads: nothing moves then, not even on coming back to the window.
      refetchOnWindowFocus: live,
    }),
  );
}

/** A request that was logged never changes. */
export function useRequest(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.request_logs.retrieve.queryOptions({ id }, { staleTime: Number.POSITIVE_INFINITY }));
}
