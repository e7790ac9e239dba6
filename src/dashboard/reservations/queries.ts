'use client';
/** What the reservation pages ask for and do. A change puts its answer into the cache and refreshes what depends on it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Outputs, useTRPC } from '../trpc';
import { listInput, type ReservationFilters } from './filters';

export type Reservation = Outputs['reservations']['retrieve'];
export type ReservationEvent = Outputs['reservations']['events']['data'][number];

export function useReservations(filters: ReservationFilters) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.list.queryOptions(listInput(filters), { placeholderData: keepPreviousData }));
}

/** Refreshed now and then: the guest acts without us. */
export function useReservation(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.retrieve.queryOptions({ id }, { refetchInterval: 15_000 }));
}

export function useReservationEvents(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.events.queryOptions({ id }, { refetchInterval: 15_000 }));
}

export function useCopyLink(id: string, enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.copy_link.queryOptions({ id }, { enabled, staleTime: 0 }));
}

export function useEmailPreview(id: string, enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.email_preview.queryOptions({ id }, { enabled, retry: false }));
}

/** Send, resend or cancel one reservation. */
export function useReservationAction(verb: 'send' | 'resend' | 'cancel', onDone?: (reservation: Reservation) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.reservations[verb].mutationOptions({
      onSuccess: async (reservation: Reservation) => {
        queryClient.setQueryData(trpc.reservations.retrieve.queryKey({ id: reservation.id }), reservation);
        onDone?.(reservation);
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.reservations.list.queryKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.reservations.events.queryKey({ id: reservation.id }) }),
          queryClient.invalidateQueries({ queryKey: trpc.reservations.copy_link.queryKey({ id: reservation.id }) }),
          queryClient.invalidateQueries({ queryKey: trpc.reservations.email_preview.queryKey({ id: reservation.id }) }),
        ]);
      },
      // Somebody else may have been faster: show what is, not what was.
      onError: (_error, { id }) =>
        queryClient.invalidateQueries({ queryKey: trpc.reservations.retrieve.queryKey({ id }) }),
    }),
  );
}
