'use client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { buildAttentionReservationListInput, CALENDARS_INPUT, DOUBLE_BOOKINGS_INPUT } from '../initial-queries';
import { paths } from '../paths';
import { useViewerClock } from '../reader';
import { useMe, usePermissions } from '../shell/me';
import { useTRPC } from '../trpc';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import { getIsoDateInTimeZone } from '../ui/zone';
import { ActivityCard } from './activity-card';
import { ArrivalsBoard, useFilteredArrivingReservations } from './arrivals-board';
import { findDoubleBookings, listAttentionProblems } from './attention';
import { DoubleBookingsCard } from './double-bookings-card';
import { FreePlanCard } from './free-plan-card';
import { GettingStarted } from './getting-started';
import { AttentionProblemLine } from './problem-line';

export function HomePage() {
  const t = useTranslations('home');
  const { user, team } = useMe();
  const co_host = user.role === 'co_host';
  const { manages, handles_guests } = usePermissions();
  const { zone, now } = useViewerClock();
  const today = getIsoDateInTimeZone(now(), zone);
  const trpc = useTRPC();
  const guest_replied = useQuery(
    trpc.reservations.list.queryOptions(buildAttentionReservationListInput('guest_replied', today), {
      refetchInterval: 60_000,
    }),
  );
  const address_missing = useQuery(
    trpc.reservations.list.queryOptions(buildAttentionReservationListInput('address_missing', today), {
      refetchInterval: 60_000,
    }),
  );
  const dates_changed = useQuery(
    trpc.reservations.list.queryOptions(buildAttentionReservationListInput('dates_changed', today), {
      refetchInterval: 60_000,
    }),
  );
  const same_nights = useQuery(trpc.reservations.list.queryOptions(DOUBLE_BOOKINGS_INPUT, { refetchInterval: 60_000 }));
  const calendars = useQuery(trpc.sync_sources.list.queryOptions(CALENDARS_INPUT, { refetchInterval: 60_000 }));
  const endpoints = useQuery(
    trpc.webhook_endpoints.list.queryOptions({}, { refetchInterval: 60_000, enabled: !co_host }),
  );
  const asked = [
    guest_replied,
    same_nights,
    address_missing,
    dates_changed,
    calendars,
    ...(co_host ? [] : [endpoints]),
  ];
  const failed = asked.find((query) => query.error && !query.data);
  const problems =
    guest_replied.data &&
    same_nights.data &&
    address_missing.data &&
    dates_changed.data &&
    calendars.data &&
    (endpoints.data || co_host)
      ? listAttentionProblems(
          {
            guest_replied: guest_replied.data,
            same_nights: same_nights.data,
            address_missing: address_missing.data,
            dates_changed: dates_changed.data,
            calendars: calendars.data.data,
            endpoints: endpoints.data?.data ?? [],
          },
          today,
          t,
        )
      : undefined;
  const { arrivals, list } = useFilteredArrivingReservations();
  // Without upcoming arrivals, the first steps are at the top of the page.
  const is_new = list.count === 0 && arrivals.data?.data.length === 0;
  const retry = () => asked.forEach((query) => void query.refetch());

  return (
    <>
      <PageHeader
        title={t('hello_name', { name: user.name })}
        actions={
          handles_guests ? (
            <LinkButton href={paths.new_reservation}>
              <Plus aria-hidden />
              {t('new_reservation')}
            </LinkButton>
          ) : null
        }
      />
      <div className="grid gap-6">
        {is_new && manages ? <GettingStarted /> : null}
        <AttentionProblemLine problems={problems} error={failed?.error} onRetry={retry} />
        <ArrivalsBoard />
        <DoubleBookingsCard
          pairs={findDoubleBookings(same_nights.data?.data ?? [])}
          more={same_nights.data?.has_more ?? false}
        />
        {!is_new && manages ? <GettingStarted /> : null}
        {team.plan === 'free' && !co_host ? <FreePlanCard /> : null}
        {co_host ? null : <ActivityCard />}
      </div>
    </>
  );
}
