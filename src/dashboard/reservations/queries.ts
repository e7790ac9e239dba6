'use client';
/** What the reservation pages ask for and do. A change puts its answer into the cache and refreshes what depends on it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Inputs, type Outputs, useTRPC } from '../trpc';
import { listInput, type ReservationFilters } from './filters';

export type Reservation = Outputs['reservations']['retrieve'];
export type ListedReservation = Outputs['reservation_host']['search']['data'][number];
export type HostView = Outputs['reservation_host']['retrieve'];
export type TimelineEntry = Outputs['reservation_host']['timeline']['data'][number];
export type Mail = Outputs['mail']['list']['data'][number];
export type ImportPreview = Outputs['reservation_host']['preview_import'];
export type ImportInput = Inputs['reservation_host']['import'];

/** The guest acts without us. */
const OFTEN_MS = 15_000;

export function useReservations(filters: ReservationFilters) {
  const trpc = useTRPC();
  return useQuery(trpc.reservation_host.search.queryOptions(listInput(filters), { placeholderData: keepPreviousData }));
}

export function useReservation(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.retrieve.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
}

/** What may be done with it, and what the resource does not say. Asked together with it: one request. */
export function useHostView(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservation_host.retrieve.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
}

export function useTimeline(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservation_host.timeline.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
}

export function useCopyLink(id: string, enabled: boolean) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.copy_link.queryOptions({ id }, { enabled, staleTime: 0 }));
}

export function useMails(reservation: string) {
  const trpc = useTRPC();
  return useQuery(trpc.mail.list.queryOptions({ reservation, limit: 100 }, { refetchInterval: OFTEN_MS }));
}

/** Everything that shows a reservation asks again; what the server answered is shown at once. */
function useKeep() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (reservation: Reservation) => {
    const { id } = reservation;
    queryClient.setQueryData(trpc.reservations.retrieve.queryKey({ id }), reservation);
    const stale = [
      trpc.reservations.list.pathKey(),
      trpc.reservations.copy_link.queryKey({ id }),
      trpc.reservation_host.pathKey(),
      trpc.home.pathKey(),
      trpc.mail.list.pathKey(),
    ];
    return Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
}

/** Somebody else may have been faster: show what is, not what was. */
function useLookAgain() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (id: string) =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: trpc.reservations.retrieve.queryKey({ id }) }),
      queryClient.invalidateQueries({ queryKey: trpc.reservation_host.retrieve.queryKey({ id }) }),
    ]);
}

/** Send, resend or cancel one reservation. Pending until the page shows what came of it. */
export function useReservationAction(verb: 'send' | 'resend' | 'cancel', onDone?: (reservation: Reservation) => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  const lookAgain = useLookAgain();
  return useMutation(
    trpc.reservations[verb].mutationOptions({
      onSuccess: async (reservation: Reservation) => {
        await keep(reservation);
        onDone?.(reservation);
      },
      onError: (_error, { id }) => lookAgain(id),
    }),
  );
}

/** What only the dashboard can do with one. */
export function useHostAction(
  verb: 'ignore' | 'restore' | 'sign_manually',
  onDone?: (reservation: Reservation) => void,
) {
  const trpc = useTRPC();
  const keep = useKeep();
  const lookAgain = useLookAgain();
  return useMutation(
    trpc.reservation_host[verb].mutationOptions({
      onSuccess: async (reservation: Reservation) => {
        await keep(reservation);
        onDone?.(reservation);
      },
      onError: (_error, { id }) => lookAgain(id),
    }),
  );
}

export function useReleaseArrival(onDone: () => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  return useMutation(
    trpc.reservation_host.release_arrival.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async (reservation) => {
        await keep(reservation);
        onDone();
      },
    }),
  );
}

/** The same link however often it is asked for. */
export function useShareLink() {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.reservation_host.share_link.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (_link, { id }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.reservation_host.retrieve.queryKey({ id }) });
        void queryClient.invalidateQueries({ queryKey: trpc.reservation_host.timeline.queryKey({ id }) });
      },
    }),
  );
}

export function useCreateReservation(onDone: (reservation: Reservation) => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  return useMutation(
    trpc.reservation_host.create.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (reservation) => {
        void keep(reservation);
        onDone(reservation);
      },
    }),
  );
}

export function useUpdateReservation(onDone: () => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  const lookAgain = useLookAgain();
  return useMutation(
    trpc.reservations.update.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async (reservation) => {
        await keep(reservation);
        onDone();
      },
      onError: (_error, { id }) => lookAgain(id),
    }),
  );
}

export function useDeleteReservation(onDone: () => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.reservations.delete.mutationOptions({
      onSuccess: async () => {
        onDone();
        // The page of the deleted one is still on screen: only lists may ask again.
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.reservations.list.pathKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.reservation_host.search.pathKey() }),
        ]);
      },
    }),
  );
}

export function usePreviewImport() {
  const trpc = useTRPC();
  return useMutation(trpc.reservation_host.preview_import.mutationOptions({ meta: { handlesError: true } }));
}

export function useImport(onDone: (result: { created: number; skipped: number }) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.reservation_host.import.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async (result) => {
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.reservations.list.pathKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.reservation_host.pathKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.home.pathKey() }),
        ]);
        onDone(result);
      },
    }),
  );
}
