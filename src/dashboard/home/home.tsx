'use client';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { paths } from '../paths';
import { useMe } from '../shell/me';
import { Button } from '../ui/button';
import { Link } from '../ui/link';
import { PageHeader } from '../ui/page-header';
import { ActivityCard } from './activity-card';
import { daysLater, sortArrivals } from './arrivals';
import { ArrivalsCard } from './arrivals-card';
import { findAttention } from './attention';
import { AttentionCard } from './attention-card';
import { FreePlanCard } from './free-plan-card';
import { GettingStarted } from './getting-started';
import { useArrivals, useCalendars, useEndpoints, useSameNights, useWaiting } from './queries';

const AHEAD_DAYS = 14;

/** The day where this person is: `sv` writes days as ISO does. */
const localDay = () => new Intl.DateTimeFormat('sv').format(new Date());

export function HomePage() {
  const { user, team } = useMe();
  const today = localDay();
  const arriving = useArrivals(today);
  const guest_replied = useWaiting('guest_replied', today);
  const address_missing = useWaiting('address_missing', today);
  const dates_changed = useWaiting('dates_changed', today);
  const same_nights = useSameNights();
  const calendars = useCalendars();
  const endpoints = useEndpoints();
  const arrivals = useMemo(() => arriving.data && sortArrivals(arriving.data.data), [arriving.data]);
  const asked = [arriving, guest_replied, same_nights, address_missing, dates_changed, calendars, endpoints];
  const failed = asked.find((query) => query.error && !query.data);
  const items =
    arrivals &&
    guest_replied.data &&
    same_nights.data &&
    address_missing.data &&
    dates_changed.data &&
    calendars.data &&
    endpoints.data
      ? findAttention({
          today,
          arrivals,
          guest_replied: guest_replied.data.data,
          same_nights: same_nights.data.data,
          address_missing: address_missing.data.data,
          dates_changed: dates_changed.data.data,
          calendars: calendars.data.data,
          endpoints: endpoints.data.data,
        })
      : undefined;
  const broken = items?.filter((item) => item.broken);
  const retry = () => asked.forEach((query) => void query.refetch());
  const soonest = `${paths.reservations}?sort=checkin&from=${today}`;

  return (
    <>
      <PageHeader
        title={`Hello, ${user.name}`}
        description="Who arrives in the next two weeks, and who has not signed yet."
        actions={
          <Button asChild>
            <Link href={paths.new_reservation}>
              <Plus aria-hidden />
              New reservation
            </Link>
          </Button>
        }
      />
      <div className="grid gap-6">
        {team.plan === 'free' ? <FreePlanCard /> : null}
        <GettingStarted />
        {broken && broken.length > 0 ? (
          <AttentionCard title="Not working" items={broken} error={null} onRetry={retry} />
        ) : null}
        <AttentionCard
          items={items?.filter((item) => !item.broken)}
          error={failed?.error}
          onRetry={retry}
          more={soonest}
        />
        <ArrivalsCard
          rows={arrivals}
          has_more={arriving.data?.has_more ?? false}
          error={arriving.error}
          onRetry={() => void arriving.refetch()}
          all={`${soonest}&to=${daysLater(today, AHEAD_DAYS)}`}
        />
        <ActivityCard />
      </div>
    </>
  );
}
