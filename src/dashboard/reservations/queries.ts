'use client';
/** What the reservation pages ask for and do. A change puts its answer into the cache and refreshes what depends on it. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Cursor } from '../list/cursor';
import { useReader } from '../reader';
import { type Inputs, type Outputs, useTRPC } from '../trpc';
import { dayIn } from '../ui/zone';
import { listAsked, type ReservationFilters } from './list/filters';

/** With what may be done with it. */
export type Reservation = Outputs['reservations']['retrieve'];
/** What a change answers. */
export type ChangedReservation = Outputs['reservations']['update'];
export type ListedReservation = Outputs['reservations']['list']['data'][number];
export type TimelineEntry = Outputs['reservations']['events']['data'][number];
export type Mail = Outputs['mail']['list']['data'][number];
export type ImportPreview = Outputs['reservations']['preview_import'];
export type ImportInput = Inputs['reservations']['import'];

/** The guest acts without us. */
const OFTEN_MS = 15_000;

export function useReservations(filters: ReservationFilters, cursor: Cursor) {
  const trpc = useTRPC();
  const { zone, now } = useReader();
  const input = listAsked(filters, cursor, dayIn(now(), zone));
  return useQuery(trpc.reservations.list.queryOptions(input, { placeholderData: keepPreviousData }));
}

export function useReservation(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.retrieve.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
}

export function useTimeline(id: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.events.queryOptions({ id }, { refetchInterval: OFTEN_MS }));
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
  return (reservation: ChangedReservation) => {
    const key = trpc.reservations.retrieve.queryKey({ id: reservation.id });
    queryClient.setQueryData(key, (known) => known && { ...known, ...reservation });
    const stale = [
      trpc.reservations.pathKey(),
      trpc.stay_calendar.page.pathKey(),
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
  return (id: string) => queryClient.invalidateQueries({ queryKey: trpc.reservations.retrieve.queryKey({ id }) });
}

/** Send, resend or cancel one reservation. Pending until the page shows what came of it. */
export function useReservationAction(
  verb: 'send' | 'resend' | 'cancel',
  onDone?: (reservation: ChangedReservation) => void,
) {
  const trpc = useTRPC();
  const keep = useKeep();
  const lookAgain = useLookAgain();
  return useMutation(
    trpc.reservations[verb].mutationOptions({
      onSuccess: async (reservation: ChangedReservation) => {
        await keep(reservation);
        onDone?.(reservation);
      },
      onError: (_error, { id }) => lookAgain(id),
    }),
  );
}

/** What only the dashboard can do with one. */
export function useHostAction(
  verb: 'ignore' | 'restore' | 'sign_manually' | 'settle_guest_reply',
  onDone?: (reservation: ChangedReservation) => void,
) {
  const trpc = useTRPC();
  const keep = useKeep();
  const lookAgain = useLookAgain();
  return useMutation(
    trpc.reservations[verb].mutationOptions({
      onSuccess: async (reservation: ChangedReservation) => {
        await keep(reservation);
        onDone?.(reservation);
      },
      onError: (_error, { id }) => lookAgain(id),
    }),
  );
}

/** Says that this booking and another of the same nights are both real. */
export function useBothReal() {
  const trpc = useTRPC();
  const keep = useKeep();
  const lookAgain = useLookAgain();
  return useMutation(
    trpc.reservations.both_real.mutationOptions({
      onSuccess: keep,
      onError: (_error, { id }) => lookAgain(id),
    }),
  );
}

export function useReleaseArrival(onDone: () => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  return useMutation(
    trpc.reservations.release_arrival.mutationOptions({
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
    trpc.reservations.share_link.mutationOptions({
      meta: { handlesError: true },
      onSuccess: (_link, { id }) => {
        void queryClient.invalidateQueries({ queryKey: trpc.reservations.retrieve.queryKey({ id }) });
        void queryClient.invalidateQueries({ queryKey: trpc.reservations.events.queryKey({ id }) });
      },
    }),
  );
}

export function useCreateReservation(onDone: (reservation: ChangedReservation) => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  return useMutation(
    trpc.reservations.create.mutationOptions({
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

/** Answers the reservation that takes the other's place; both are shown as they are now. */
export function useChangeDates(onDone: (made: ChangedReservation) => void) {
  const trpc = useTRPC();
  const keep = useKeep();
  const lookAgain = useLookAgain();
  return useMutation(
    trpc.reservations.change_dates.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async (made) => {
        await keep(made);
        onDone(made);
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
        await Promise.all([queryClient.invalidateQueries({ queryKey: trpc.reservations.list.pathKey() })]);
      },
    }),
  );
}

export function usePreviewImport() {
  const trpc = useTRPC();
  return useMutation(trpc.reservations.preview_import.mutationOptions({ meta: { handlesError: true } }));
}

export function useImport(onDone: (result: { created: number; skipped: number }) => void) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return useMutation(
    trpc.reservations.import.mutationOptions({
      meta: { handlesError: true },
      onSuccess: async (result) => {
        await Promise.all([
          queryClient.invalidateQueries({ queryKey: trpc.reservations.pathKey() }),
          queryClient.invalidateQueries({ queryKey: trpc.home.pathKey() }),
        ]);
        onDone(result);
      },
    }),
  );
}
