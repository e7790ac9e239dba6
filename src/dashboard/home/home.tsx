'use client';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, DoorOpen, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useMemo } from 'react';
import { paths } from '../paths';
import { readError } from '../read-error';
import { StatusBadge } from '../reservations/badges';
import { useMe } from '../shell/me';
import { type Outputs, useTRPC } from '../trpc';
import { Card, CardHeader } from '../ui/card';
import { CalendarDay } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorPanel } from '../ui/error-panel';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { attentionFor, daysLater, sortArrivals } from './arrivals';
import { GettingStarted } from './getting-started';

type Reservation = Outputs['reservations']['list']['data'][number];

const AHEAD_DAYS = 14;

export function HomePage() {
  const trpc = useTRPC();
  const { user } = useMe();
  const today = new Date().toISOString().slice(0, 10);
  const query = useQuery(
    trpc.reservations.list.queryOptions({
      limit: 100,
      'checkin_date.gte': today,
      'checkin_date.lte': daysLater(today, AHEAD_DAYS),
    }),
  );
  const arrivals = useMemo(() => query.data && sortArrivals(query.data.data), [query.data]);
  const urgent = arrivals?.flatMap((row) => {
    const reason = attentionFor(row, today);
    return reason ? [{ row, reason }] : [];
  });

  return (
    <>
      <PageHeader
        title={`Hello, ${user.name}`}
        description="Who arrives in the next two weeks, and who has not signed yet."
      />
      <div className="grid gap-6">
        <GettingStarted />
        {query.error && !arrivals ? (
          <Card>
            <ErrorPanel
              title="The arrivals could not be loaded"
              message={readError(query.error).message}
              requestId={readError(query.error).request_id}
              onRetry={() => void query.refetch()}
            />
          </Card>
        ) : (
          <>
            {urgent && urgent.length > 0 ? <Attention items={urgent} /> : null}
            <Arrivals rows={arrivals} />
          </>
        )}
      </div>
    </>
  );
}

function Attention({ items }: { items: { row: Reservation; reason: string }[] }) {
  return (
    <Card>
      <CardHeader title="Needs your attention" />
      <ul className="divide-y divide-line">
        {items.map(({ row, reason }) => (
          <li key={row.id}>
            <Link
              href={paths.reservation(row.id)}
              className="flex items-center gap-3.5 px-5 py-3 text-sm hover:bg-muted/60"
            >
              <TriangleAlert className="size-4 shrink-0 text-warning" aria-hidden />
              <span className="min-w-0 flex-1">
                <span className="font-medium">{row.guest_name}</span>
                <span className="block text-ink-soft">{reason}</span>
              </span>
              <StatusBadge status={row.status} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Arrivals({ rows }: { rows: Reservation[] | undefined }) {
  return (
    <Card aria-busy={!rows}>
      <CardHeader title="Arrivals" description="The next 14 days" />
      {rows ? null : (
        <div className="grid gap-4 px-5 py-4">
          {['w-1/2', 'w-2/5', 'w-3/5'].map((width) => (
            <Skeleton key={width} className={`h-5 ${width}`} />
          ))}
        </div>
      )}
      {rows?.length === 0 ? (
        <EmptyState icon={DoorOpen} title="Nobody arrives in the next two weeks">
          Reservations appear here as their check-in comes near.
        </EmptyState>
      ) : null}
      {rows && rows.length > 0 ? (
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <li key={row.id}>
              <Link
                href={paths.reservation(row.id)}
                className="flex items-center gap-4 px-5 py-3 text-sm hover:bg-muted/60"
              >
                <span className="w-24 shrink-0 text-ink-soft">
                  <CalendarDay value={row.checkin_date} />
                </span>
                <span className="min-w-0 flex-1 truncate font-medium">{row.guest_name}</span>
                {row.status === 'signed' ? <CircleCheck className="size-4 text-success" aria-hidden /> : null}
                <StatusBadge status={row.status} />
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </Card>
  );
}
