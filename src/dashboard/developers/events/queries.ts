'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../../trpc';

export type EventEntry = Outputs['events']['list']['data'][number];
export type EventDetail = Outputs['events']['retrieve'];

/** Refreshed now and then: guests and calendars act without us. */
export function useEvents(query: Inputs['events']['list']) {
  const trpc = useTRPC();
  return useQuery(trpc.events.list.queryOptions(query, { placeholderData: keepPreviousData, refetchInterval: 15_000 }));
}

export function useEvent(id: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.events.retrieve.queryOptions(
      { id },
      {
        refetchInterval: (query) =>
          query.state.data?.deliveries.some((delivery) => delivery.status === 'pending') ? 5_000 : false,
      },
    ),
  );
}
