'use client';
/** How a property does: how many guests sign, who comes next, and whether its calendars work. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useSources } from '../../calendars/queries';
import { SourceBadge } from '../../calendars/source-badge';
import { paths } from '../../paths';
import { readError } from '../../read-error';
import { WaitingBadges } from '../../reservations/badges';
import { NOT_SIGNED, statusWords } from '../../reservations/status-words';
import { useTRPC } from '../../trpc';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { CalendarDay } from '../../ui/date-time';
import { Link } from '../../ui/link';
import { Skeleton } from '../../ui/skeleton';
import { useSince } from '../../ui/use-since';
import { dayIn } from '../../ui/zone';
import type { Property } from '../queries';

const OFTEN_MS = 60_000;
const NEXT = 3;

export default function PropertyOverview({ property }: { property: Property }) {
  return (
    <div className="mb-6 grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[14rem_minmax(0,1fr)_minmax(0,1fr)]">
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
  return (
    <p role="alert" className="grid justify-items-start gap-2 text-ink-soft text-sm">
      {readError(error).message}
      <Button variant="secondary" size="sm" onClick={onRetry}>
        Try again
      </Button>
    </p>
  );
}

function SignedRate({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.home.signed_rate.queryOptions({ property_id: id }));
  return (
    <Part title="Signed before arrival">
      {data ? (
        data.stays === 0 ? (
          <p className="text-ink-soft text-sm">Nobody arrived in the last {data.days} days.</p>
        ) : (
          <>
            <p className="font-semibold text-3xl tabular-nums">{Math.round((100 * data.signed) / data.stays)} %</p>
            <p className="text-ink-soft text-sm">
              {data.signed} of {data.stays} who arrived in the last {data.days} days
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
  const trpc = useTRPC();
  const t = useTranslations('reservations');
  const ago = useSince();
  const today = dayIn(new Date(), timezone);
  const { data, error, refetch } = useQuery(
    trpc.reservations.list.queryOptions(
      {
        property: id,
        limit: NEXT,
        sort: { by: 'checkin', descending: false },
        statuses: [...NOT_SIGNED, 'signed'],
        'checkin_date.gte': today,
      },
      { refetchInterval: OFTEN_MS },
    ),
  );
  return (
    <Part
      title="Next arrivals"
      action={
        <Link href={`${paths.reservations}?property=${id}&sort=checkin&from=${today}`} className={small}>
          All of them
        </Link>
      }
    >
      {data?.data.length === 0 ? <p className="text-ink-soft text-sm">Nobody is booked from today on.</p> : null}
      {data && data.data.length > 0 ? (
        <ul aria-label="Next arrivals" className="grid gap-2 text-sm">
          {data.data.map((row) => (
            <li key={row.id} className="grid gap-0.5">
              <span className="flex items-baseline justify-between gap-3">
                <Link href={paths.reservation(row.id)} className="truncate font-medium hover:underline">
                  {row.guest_name}
                </Link>
                <CalendarDay value={row.checkin_date} />
              </span>
              <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-soft text-xs">
                {row.guest_reply === 'question' ? 'Asked you something' : null}
                {row.guest_reply === 'declined' ? 'Does not agree' : null}
                {row.guest_reply ? null : statusWords(row, t, ago)}
                <WaitingBadges row={row} />
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
  const { data, error, refetch } = useSources();
  const own = data?.data.filter(({ property_id }) => property_id === id);
  return (
    <Part
      title="Calendar feeds"
      action={
        <Link href={paths.calendars} className={small}>
          {own?.length === 0 ? 'Connect one' : 'All feeds'}
        </Link>
      }
    >
      {own?.length === 0 ? (
        <p className="text-ink-soft text-sm">None is connected: its bookings are entered by hand or by a partner.</p>
      ) : null}
      {own && own.length > 0 ? (
        <ul aria-label="Calendar feeds" className="grid gap-2 text-sm">
          {own.map((source) => (
            <li key={source.id} className="grid gap-0.5">
              <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <Link href={paths.calendar(source.id)} className="truncate font-medium hover:underline">
                  {KINDS[source.kind] ?? source.kind}
                </Link>
                <SourceBadge source={source} />
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

const KINDS: Record<string, string> = {
  channel_a_ical: 'Channel A',
  channel_b_ical: 'Channel B',
  channel_c_ical: 'Channel C',
  other_ical: 'Another calendar',
  forward_email: 'Forwarded mail',
};
