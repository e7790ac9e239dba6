'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type EventEntry = Outputs['event_log']['list']['data'][number];
export type EventDetail = Outputs['event_log']['retrieve'];

/** Refreshed now and then: guests and calendars act without us. */
export function useEvents(query: Inputs['event_log']['list']) {
  const trpc = useTRPC();
  return useQuery(
    trpc.event_log.list.queryOptions(query, { placeholderData: keepPreviousData, refetchInterval: 15_000 }),
  );
}

export function useEvent(id: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.event_log.retrieve.queryOptions(
      { id },
      {
        refetchInterval: (query) =>
          query.state.data?.deliveries.some((delivery) => delivery.status === 'pending') ? 5_000 : false,
      },
    ),
  );
}
