'use client';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useTranslations } from 'use-intl/react';
import { CALENDARS_INPUT, SAME_NIGHTS_INPUT, waitingInput } from '../initial-queries';
import { paths } from '../paths';
import { useReader } from '../reader';
import { useMe } from '../shell/me';
import { useTRPC } from '../trpc';
import { LinkButton } from '../ui/link-button';
import { PageHeader } from '../ui/page-header';
import { dayIn } from '../ui/zone';
import { ActivityCard } from './activity-card';
import { ArrivalsBoard } from './arrivals-board';
import { findAttention } from './attention';
import { AttentionCard } from './attention-card';
import { FreePlanCard } from './free-plan-card';
import { GettingStarted } from './getting-started';

export function HomePage() {
  const t = useTranslations('home');
  const said = useTranslations('calendar_health');
  const { user, team } = useMe();
  const { zone, now } = useReader();
  const today = dayIn(now(), zone);
  const trpc = useTRPC();
  const guest_replied = useQuery(
    trpc.reservations.list.queryOptions(waitingInput('guest_replied', today), { refetchInterval: 60_000 }),
  );
  const address_missing = useQuery(
    trpc.reservations.list.queryOptions(waitingInput('address_missing', today), { refetchInterval: 60_000 }),
  );
  const dates_changed = useQuery(
    trpc.reservations.list.queryOptions(waitingInput('dates_changed', today), { refetchInterval: 60_000 }),
  );
  const same_nights = useQuery(trpc.reservations.list.queryOptions(SAME_NIGHTS_INPUT, { refetchInterval: 60_000 }));
  const calendars = useQuery(trpc.sync_sources.list.queryOptions(CALENDARS_INPUT, { refetchInterval: 60_000 }));
  const endpoints = useQuery(trpc.webhook_endpoints.list.queryOptions({}, { refetchInterval: 60_000 }));
  const asked = [guest_replied, same_nights, address_missing, dates_changed, calendars, endpoints];
  const failed = asked.find((query) => query.error && !query.data);
  const items =
    guest_replied.data &&
    same_nights.data &&
    address_missing.data &&
    dates_changed.data &&
    calendars.data &&
    endpoints.data
      ? findAttention(
          {
            guest_replied: guest_replied.data.data,
            same_nights: same_nights.data.data,
            address_missing: address_missing.data.data,
            dates_changed: dates_changed.data.data,
            calendars: calendars.data.data,
            endpoints: endpoints.data.data,
          },
          t,
          said,
        )
      : undefined;
  const broken = items?.filter((item) => item.broken);
  const retry = () => asked.forEach((query) => void query.refetch());

  return (
    <>
      <PageHeader
        title={t('hello_name', { name: user.name })}
        description={t('who_arrives_in_the_next_two_weeks')}
        actions={
          <LinkButton href={paths.new_reservation}>
            <Plus aria-hidden />
            {t('new_reservation')}
          </LinkButton>
        }
      />
      <div className="grid gap-6">
        {team.plan === 'free' ? <FreePlanCard /> : null}
        <GettingStarted />
        {broken && broken.length > 0 ? (
          <AttentionCard title={t('not_working')} items={broken} error={null} onRetry={retry} />
        ) : null}
        <AttentionCard
          items={items?.filter((item) => !item.broken)}
          error={failed?.error}
          onRetry={retry}
          more={`${paths.reservations}?sort=checkin&from=${today}`}
        />
        <div>
          <ArrivalsBoard />
        </div>
        <ActivityCard />
      </div>
    </>
  );
}
