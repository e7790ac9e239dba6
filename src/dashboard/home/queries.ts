'use client';
/** What the home page asks for: in one request, and again now and then, because guests act without us. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RESERVATION_STATUSES } from '@/modules/reservations/schemas';
import { NOT_SIGNED } from '../reservations/status-words';
import { useTRPC } from '../trpc';
import { dayIn, daysLater } from '../ui/zone';

type Status = (typeof RESERVATION_STATUSES)[number];

const AHEAD_DAYS = 14;
/** Neither cancelled nor over. */
const COMING: readonly Status[] = [...NOT_SIGNED, 'signed'];
const OFTEN_MS = 60_000;
/** Of each kind of thing that needs attention the page shows a few and leads to the rest. */
const FEW = 5;
const soonest = { by: 'checkin', descending: false } as const;

/** Who arrives from today on, wherever the property is: in its zone today may still be yesterday here. */
export function useArrivals({ status, property }: { status?: readonly Status[]; property?: string }) {
  const trpc = useTRPC();
  const today = dayIn(new Date());
  return useQuery(
    trpc.reservations.list.queryOptions(
      {
        limit: 100,
        sort: soonest,
        statuses: [...(status ?? COMING)],
        ...(property && { property }),
        'checkin_date.gte': daysLater(today, -1),
        'checkin_date.lte': daysLater(today, AHEAD_DAYS),
      },
      { refetchInterval: OFTEN_MS, placeholderData: keepPreviousData },
    ),
  );
}

/** Reservations that wait for the host, the next arrival first. */
export function useWaiting(attention: 'guest_replied' | 'address_missing' | 'dates_changed', today: string) {
  const trpc = useTRPC();
  return useQuery(
    trpc.reservations.list.queryOptions(
      { limit: FEW, sort: soonest, attention, 'checkin_date.gte': today },
      { refetchInterval: OFTEN_MS },
    ),
  );
}

/** Bookings of the same nights; a stay that has begun is one of them. */
export function useSameNights() {
  const trpc = useTRPC();
  return useQuery(
    trpc.reservations.list.queryOptions(
      { limit: 2 * FEW, sort: soonest, attention: 'same_nights' },
      { refetchInterval: OFTEN_MS },
    ),
  );
}

export function useCalendars() {
  const trpc = useTRPC();
  return useQuery(trpc.sync_sources.list.queryOptions({ limit: 500 }, { refetchInterval: OFTEN_MS }));
}

export function useEndpoints() {
  const trpc = useTRPC();
  return useQuery(trpc.webhook_endpoints.list.queryOptions({}, { refetchInterval: OFTEN_MS }));
}

export function useActivity(timezone: string) {
  const trpc = useTRPC();
  return useQuery(trpc.home.activity.queryOptions({ timezone }));
}

export function useFirstSteps() {
  const trpc = useTRPC();
  return useQuery(trpc.home.first_steps.queryOptions());
}
