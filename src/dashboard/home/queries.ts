'use client';
/** What the home page asks for: in one request, and again now and then, because guests act without us. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useReader } from '../reader';
import { useTRPC } from '../trpc';
import { dayIn } from '../ui/zone';
import { arrivalsAsked, CALENDARS_ASKED, SAME_NIGHTS_ASKED, type Waiting, waitingAsked } from './asked';

const OFTEN_MS = 60_000;

/** The day it is where the page is read. */
export function useToday(): string {
  const { zone, now } = useReader();
  return dayIn(now(), zone);
}

export function useArrivals(filters: Parameters<typeof arrivalsAsked>[0]) {
  const trpc = useTRPC();
  const today = useToday();
  return useQuery(
    trpc.reservations.list.queryOptions(arrivalsAsked(filters, today), {
      refetchInterval: OFTEN_MS,
      placeholderData: keepPreviousData,
    }),
  );
}

export function useWaiting(attention: Waiting, today: string) {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.list.queryOptions(waitingAsked(attention, today), { refetchInterval: OFTEN_MS }));
}

export function useSameNights() {
  const trpc = useTRPC();
  return useQuery(trpc.reservations.list.queryOptions(SAME_NIGHTS_ASKED, { refetchInterval: OFTEN_MS }));
}

export function useCalendars() {
  const trpc = useTRPC();
  return useQuery(trpc.sync_sources.list.queryOptions(CALENDARS_ASKED, { refetchInterval: OFTEN_MS }));
}

export function useEndpoints() {
  const trpc = useTRPC();
  return useQuery(trpc.webhook_endpoints.list.queryOptions({}, { refetchInterval: OFTEN_MS }));
}

export function useActivity() {
  const trpc = useTRPC();
  const { zone } = useReader();
  return useQuery(trpc.home.activity.queryOptions({ timezone: zone }));
}

export function useFirstSteps() {
  const trpc = useTRPC();
  return useQuery(trpc.home.first_steps.queryOptions());
}
