'use client';
/**
 * Summarizes a property: how many guests sign, who arrives next, and whether its calendars work.
 */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl/react';
import { SyncSourceHealthBadge } from '../../calendars/source-badge';
import { CalendarKindLabel } from '../../channel-names';
import { paths } from '../../paths';
import { toDisplayableError } from '../../read-error';
import { AttentionBadges } from '../../reservations/badges';
import { describeReservationProgress, UNSIGNED_STATUSES } from '../../reservations/status-words';
import { usePermissions } from '../../shell/me';
import { useTRPC } from '../../trpc';
import type { Property } from '../../types';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CalendarDay } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { useFormatTimeSince } from '../../ui/since';
import { Skeleton } from '../../ui/skeleton';
import { getIsoDateInTimeZone } from '../../ui/zone';

const OFTEN_MS = 60_000;
const NEXT = 3;

export default function PropertyOverview({ property }: { property: Property }) {
  return (
    <div className="mb-6 grid gap-4 lg:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)]">
      <SignedRate id={property.id} />
      <NextArrivals property={property} />
      <Calendars id={property.id} />
    </div>
  );
}

function Part({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <Card className="grid content-start lg:min-h-36 gap-2 px-5 py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="font-semibold text-sm">{title}</h2>
        {action}
      </div>
      {children}
    </Card>
  );
}

const small = 'text-primary text-xs underline underline-offset-4';

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTranslations('properties');
  return (
    <p role="alert" className="grid justify-items-start gap-2 text-ink-soft text-sm">
      {toDisplayableError(error).message}
      <Button variant="secondary" size="sm" onClick={onRetry}>
        {t('try_again')}
      </Button>
    </p>
  );
}

function SignedRate({ id }: { id: string }) {
  const t = useTranslations('properties');
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.home.signed_rate.queryOptions({ property_id: id }));
  return (
    <Part title={t('signed_before_arrival')}>
      {data ? (
        data.stays === 0 ? (
          <p className="text-ink-soft text-sm">{t('nobody_arrived_in_the_last_days_days', { days: data.days })}</p>
        ) : (
          <>
            <p className="font-semibold text-3xl tabular-nums">{Math.round((100 * data.signed) / data.stays)} %</p>
            <p className="text-ink-soft text-sm">
              {t('signed_of_stays_who_arrived_in_the', { signed: data.signed, stays: data.stays, days: data.days })}
            </p>
          </>
        )
      ) : error ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton className="h-14 w-28" />
      )}
    </Part>
  );
}

function NextArrivals({ property: { id, timezone } }: { property: Property }) {
  const say = useTranslations('properties');
  const trpc = useTRPC();
  const t = useTranslations('reservations');
  const ago = useFormatTimeSince();
  const today = getIsoDateInTimeZone(new Date(), timezone);
  const { data, error, refetch } = useQuery(
    trpc.reservations.list.queryOptions(
      {
        property: id,
        limit: NEXT,
        sort: { by: 'checkin', descending: false },
        statuses: [...UNSIGNED_STATUSES, 'signed'],
        'checkin_date.gte': today,
      },
      { refetchInterval: OFTEN_MS },
    ),
  );
  return (
    <Part
      title={say('next_arrivals')}
      action={
        <Link href={`${paths.reservations}?property=${id}&sort=checkin&from=${today}`} className={small}>
          {say('all_of_them')}
        </Link>
      }
    >
      {data?.data.length === 0 ? (
        <p className="text-ink-soft text-sm">{say('nobody_is_booked_from_today_on')}</p>
      ) : null}
      {data && data.data.length > 0 ? (
        <ul aria-label={say('next_arrivals')} className="grid gap-2 text-sm">
          {data.data.map((row) => (
            <li key={row.id} className="grid gap-0.5">
              <span className="flex items-baseline justify-between gap-3">
                <Link href={paths.reservation(row.id)} className="truncate font-medium hover:underline">
                  {row.guest_name}
                </Link>
                <CalendarDay value={row.checkin_date} />
              </span>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-xs">
                {row.guest_reply === 'question' ? say('asked_you_something') : null}
                {row.guest_reply === 'declined' ? say('does_not_agree') : null}
                {row.guest_reply ? null : describeReservationProgress(row, t, ago)}
                <AttentionBadges row={row} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
      {!data && error ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton className="h-14" /> : null}
    </Part>
  );
}

function Calendars({ id }: { id: string }) {
  const t = useTranslations('properties');
  const { manages } = usePermissions();
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.sync_sources.list.queryOptions({ limit: 500 }, { refetchInterval: 10_000 }),
  );
  const own = data?.data.filter(({ property_id }) => property_id === id);
  return (
    <Part
      title={t('calendar_feeds')}
      action={
        <Link href={paths.calendars} className={small}>
          {own?.length === 0 && manages ? t('connect_one') : t('all_feeds')}
        </Link>
      }
    >
      {own?.length === 0 ? (
        <p className="text-ink-soft text-sm">{t('none_is_connected_its_bookings_are_entered')}</p>
      ) : null}
      {own && own.length > 0 ? (
        <ul aria-label={t('calendar_feeds')} className="grid gap-2 text-sm">
          {own.map((source) => (
            <li key={source.id} className="grid gap-0.5">
              <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <Link href={paths.calendar(source.id)} className="truncate font-medium hover:underline">
                  <CalendarKindLabel kind={source.kind} />
                </Link>
                <SyncSourceHealthBadge source={source} />
              </span>
              {source.last_error ? (
                <span className="line-clamp-2 text-ink-soft text-xs">{source.last_error}</span>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      {!data && error ? <Failed error={error} onRetry={() => void refetch()} /> : null}
      {!data && !error ? <Skeleton className="h-14" /> : null}
    </Part>
  );
}
